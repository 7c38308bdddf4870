/** What became of texts and bodies, as long as nothing was learned since that would change it. */
interface KnownTexts {
  /**
   * @param kind with the key and the body, what `make` depends on, apart from what was learned
   * @param body only the last one for a key is known, compared byte by byte: to look up a large one takes long
   */
  of(kind: string, key: string, make: () => string, body?: Body): string;
}

type Body = string | Uint8Array;

interface Known { readonly body: Body; readonly made: string }

const most = 16_777_216;

/** Clients ask for the same again and again. @param learned grows with what changes the texts */
export const createKnownTexts = (learned: () => number): KnownTexts => {
  /** By kind: to join the two would copy each text. */
  const known = new Map<string, Map<string, Known>>();
  let size = 0;
  let at = learned();
  const forget = (): void => {
    known.clear();
    size = 0;
  };
  const forgetOutdated = (): void => {
    if (at !== learned()) forget();
    at = learned();
  };
  const keep = (kind: string, key: string, one: Known): void => {
    size -= entrySize(key, known.get(kind)?.get(key));
    if (size + entrySize(key, one) > most) forget();
    size += entrySize(key, one);
    const texts = known.get(kind) ?? new Map<string, Known>();
    known.set(kind, texts.set(key, one));
  };
  return {
    of: (kind, key, make, body = '') => {
      forgetOutdated();
      const before = known.get(kind)?.get(key);
      if (before !== undefined && isSame(before.body, body)) return before.made;
      const made = make();
      // What the text itself taught is true of it already.
      forgetOutdated();
      keep(kind, key, { body, made });
      return made;
    },
  };
};

const entrySize = (key: string, one: Known | undefined): number =>
  one === undefined ? 0 : key.length + one.body.length + one.made.length;

const isSame = (a: Body, b: Body): boolean =>
  typeof a === 'string' || typeof b === 'string' ? a === b : Buffer.compare(a, b) === 0;
