/** Where in a world something stands: keys and list indexes from the top. */
export type Path = readonly (string | number)[];

/** Something in a world that doesn't fit. */
export interface Problem {
  readonly path: Path;
  readonly reason: string;
  /** Made when it is shown: of many problems one is, and a hint may compare a name with all others. */
  readonly hint?: () => string | undefined;
  /** It is the key that doesn't fit, not its value. */
  readonly atKey?: true;
}

/** A path as people read it: `projects[0].issues[1].title`. */
export const formatPath = (path: Path): string =>
  path.map((step, i) => typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`).join('') || 'the world';

/** A world that doesn't fit. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  constructor(
    readonly reason: string,
    readonly hint: string | null,
    /** The file and line, where the world came from a file. */
    readonly file: string | null = null,
    readonly line: number | null = null,
    options?: ErrorOptions,
  ) {
    super([...(file === null ? [] : [line === null ? file : `${file}:${line}`]), reason].join(': '), options);
  }
}

/** The word that is meant by a mistyped one, if any is near enough: at most a third of its letters are wrong. */
export const nearest = (word: string, words: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let least = Math.floor(word.length / 3) + 1;
  for (const candidate of words) {
    const wrong = distance(word.toLowerCase(), candidate.toLowerCase());
    if (wrong < least) [best, least] = [candidate, wrong];
  }
  return best;
};

/** The nearest word as a hint. */
export const didYouMean = (word: string, words: Iterable<string>): string | undefined => {
  const meant = nearest(word, words);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
};

/** Letters to add, to take away, to change, or to swap with their neighbour. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [row, above] = [[i], rows[i - 1]!];
    for (let j = 1; j <= b.length; j++) {
      const changed = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(row[j - 1]! + 1, above[j]! + 1, changed, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
};
