/** A number of things: `1 note`, `3 notes`, `2 children`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `a, b, c and 2 more` */
export const firstOf = (texts: readonly string[], most: number): string =>
  texts.slice(0, most).join(', ') + (texts.length > most ? ` and ${texts.length - most} more` : '');

export const truncated = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** An error whose message ends with its hint: test runners show nothing else. */
export class HintedError<H extends string | null = string> extends Error {
  constructor(
    /** What is wrong, without the hint. */
    readonly problem: string,
    /** What to do about it; null if the problem says enough. */
    readonly hint: H,
    options?: ErrorOptions,
  ) { super(hint === null ? problem : `${problem}; ${hint.split('\n', 1)[0]!}`, options); }
}

/** @param share the part of the letters that may differ @returns null if no name is so near */
export const nearestName = (word: string, known: Iterable<string>, share = 0.4): string | null => {
  if (word.length > longestWord) return null;
  const limit = Math.max(1, Math.floor(word.length * share));
  const near = [...known].map((name) => ({ name, edits: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= limit && edits < Math.max(word.length, name.length))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.name ?? null;
};

/** Comparing takes time with the square of the length. */
const longestWord = 1_000;

/** Counts letters to add, remove, change or swap with their neighbor. */
const editDistance = (from: string, to: string): number => {
  if (Math.abs(from.length - to.length) > 3) return Infinity;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const change = row[j - 1]! + (isSame ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, change, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
};

/** As in a URL: IPv6 addresses are in brackets. */
export const hostAndPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Why a server cannot listen; null if the code of the error is not about its address. */
export const listenProblem = (code: string, host: string, port: number): string | null =>
  Object.hasOwn(listenReasons, code) ? `${hostAndPort(host, port)} ${listenReasons[code]} (${code})` : null;

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use', EACCES: 'cannot be used without more permissions',
  EADDRNOTAVAIL: 'is not an address of this machine', ENOTFOUND: 'is not a known host',
};

export const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file', ENOTDIR: 'no such file', EISDIR: 'it is a folder', EACCES: 'permission denied',
  ELOOP: 'it is a link that leads back to itself',
};
