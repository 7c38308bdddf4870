/** What became of the last body at a place, as long as the same one comes again and nothing was learned in between. */
interface KnownBodies {
  /** @param place what `make` depends on, apart from the body and what was learned */
  of(place: string, body: string | Uint8Array, make: () => string): string;
}

interface KnownBody { readonly body: string | Uint8Array; readonly made: string }

/** In characters and bytes, of all that is kept. */
const most = 16_777_216;

/** Clients ask for the same again and again. @param learned grows with what changes the texts */
export const createKnownBodies = (learned: () => number): KnownBodies => {
  const known = new Map<string, KnownBody>();
  let size = 0;
  let at = learned();
  const forget = (): void => {
    known.clear();
    size = 0;
  };
  const sizeOf = (one: KnownBody | undefined): number => one === undefined ? 0 : one.body.length + one.made.length;
  return {
    of: (place, body, make) => {
      const before = at === learned() ? known.get(place) : undefined;
      if (before !== undefined && isSame(before.body, body)) return before.made;
      const made = make();
      // What the body itself taught is true of it already.
      if (at !== learned()) forget();
      at = learned();
      const one = { body, made };
      size += sizeOf(one) - sizeOf(known.get(place));
      known.set(place, one);
      if (size > most) forget();
      return made;
    },
  };
};

const isSame = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  typeof a === 'string' || typeof b === 'string' ? a === b : Buffer.compare(a, b) === 0;
