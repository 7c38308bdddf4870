/** What a pseudonym stands for. The digests are those of mail addresses, in the addresses of avatars. */
export type PseudonymKind = 'user' | 'name' | 'mail' | 'host' | 'digest';

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

/** How often to look for a pseudonym that no other value has: short words have only a few. */
const tries = 50;

/**
 * Replaces values by random ones of the same shape: as many characters, letters for letters and digits for digits, all
 * other characters as they were. The same value always has the same pseudonym, whatever its case.
 * @param hex random hexadecimal text of a length
 */
export const createPseudonyms = (hex: (length: number) => string) => {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  let fresh: Partial<Record<PseudonymKind, string[]>> = {};

  const make = (value: string): string => {
    let made = sameShape(value, hex);
    for (let left = tries; left > 0 && (taken.has(made) || made === value); left--) made = sameShape(value, hex);
    while (taken.has(made) || made === value) made += sameShape('a', hex);
    return made;
  };
  const of = (kind: PseudonymKind, value: string): string => {
    const key = value.toLowerCase();
    let made = known.get(`${kind} ${key}`);
    if (made === undefined) {
      made = madeOf(kind, key);
      known.set(`${kind} ${key}`, made);
      taken.add(made);
      (fresh[kind] ??= []).push(made);
    }
    return withCaseOf(value, made);
  };
  const madeOf = (kind: PseudonymKind, key: string): string => {
    if (kind === 'host') return hostPseudonym(key, make);
    if (kind === 'digest') return hex(key.length);
    if (kind !== 'mail') return make(key);
    const at = key.lastIndexOf('@');
    return `${make(key.slice(0, at))}@${of('host', key.slice(at + 1))}`;
  };
  return {
    of,
    /** Those that were made since the last call, by kind. */
    takeNew: () => {
      const made = fresh;
      fresh = {};
      return made;
    },
  };
};

/** The last label says what kind of host it is; an address of the Internet protocol is one of those for documents. */
const hostPseudonym = (host: string, make: (value: string) => string): string => {
  if (/^[\d.]+$/.test(host)) {
    return make(host).replace(/^\d+\.\d+\.\d+/, '192.0.2').replace(/\d+$/, (last) => String(Number(last) % 256));
  }
  const end = host.lastIndexOf('.');
  return end < 0 ? make(host) : make(host.slice(0, end)) + host.slice(end);
};

/** Letters of other scripts become Latin ones. */
const shapes: readonly { readonly fits: RegExp; readonly first: number; readonly count: number }[] = [
  { fits: /\p{Lu}/u, first: 0x41, count: 26 },
  { fits: /\p{L}/u, first: 0x61, count: 26 },
  { fits: /\p{N}/u, first: 0x30, count: 10 },
];

const sameShape = (value: string, hex: (length: number) => string): string => {
  const characters = [...value];
  const random = hex(characters.length * 2);
  return characters.map((character, i) => {
    const shape = shapes.find(({ fits }) => fits.test(character));
    if (!shape) return character;
    return String.fromCharCode(shape.first + parseInt(random.slice(i * 2, i * 2 + 2), 16) % shape.count);
  }).join('');
};

export const withCaseOf = (value: string, made: string): string => {
  const given = [...value];
  return [...made].map((character, i) => /\p{Lu}/u.test(given[i] ?? '') ? character.toUpperCase() : character).join('');
};
