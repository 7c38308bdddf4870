/** What became of short texts, as long as nothing was learned since that would change it. */
interface KnownTexts {
  /** @param kind with the key, what `make` depends on, apart from what was learned */
  of(kind: string, key: string, make: () => string): string;
}

/** In characters of the keys, of all texts that are kept. */
const most = 8_388_608;

/** Clients ask for the same again and again. @param learned grows with what changes the texts */
export const createKnownTexts = (learned: () => number): KnownTexts => {
  /** By kind: to join the two would copy each text. */
  const known = new Map<string, Map<string, string>>();
  let size = 0;
  let at = learned();
  const forget = (): void => {
    known.clear();
    size = 0;
  };
  const keep = (kind: string, key: string, made: string): void => {
    if (size + key.length > most) forget();
    size += key.length;
    const texts = known.get(kind) ?? new Map<string, string>();
    known.set(kind, texts.set(key, made));
  };
  return {
    of: (kind, key, make) => {
      if (at !== learned()) forget();
      at = learned();
      const before = known.get(kind)?.get(key);
      if (before !== undefined) return before;
      const made = make();
      // What the text itself taught is true of it already.
      if (at !== learned()) forget();
      at = learned();
      keep(kind, key, made);
      return made;
    },
  };
};
