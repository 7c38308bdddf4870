/** What became of texts, as long as nothing was learned since that would change it. */
interface KnownTexts {
  /** @param kind with the key, what `make` depends on, apart from what was learned */
  of(kind: string, key: string, make: () => string): string;
}

/** In characters of the keys, of all texts that are kept. */
const most = 8_388_608;

/** Clients ask for the same again and again. @param learned grows with what changes the texts */
export const createKnownTexts = (learned: () => number): KnownTexts => {
  /** By kind: to join the two would copy each long text. */
  const known = new Map<string, Map<string, string>>();
  const comesAgain = createMemory();
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
      if (key.length > longText && !comesAgain(key)) return make();
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

/** To keep a longer one that never comes again costs more than to make it. In characters. */
const longText = 1_000;

/** Of the texts whose samples are remembered. */
const mostSamples = 20_000;

/** Whether a long text may have come before: its length and a few of its parts are the same. */
const createMemory = () => {
  const seen = new Set<string>();
  return (text: string): boolean => {
    const step = Math.floor(text.length / 16);
    let samples = String(text.length);
    for (let i = 0; i < 16; i++) samples += text.slice(i * step, i * step + 12);
    const before = seen.size;
    if (seen.add(samples).size === before) return true;
    if (before > mostSamples) seen.clear();
    return false;
  };
};
