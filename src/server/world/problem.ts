/** A path in a world: keys and list indexes. */
export type Path = readonly (string | number)[];

/** A problem in a world. */
export interface Problem {
  readonly path: Path;
  readonly reason: string;
  /** Computed on demand: only one problem is shown, and a hint may compare a name with all others. */
  readonly hint?: () => string | undefined;
  /** The key is wrong, not its value. */
  readonly atKey?: true;
}

/** Formats a path, such as `projects[0].issues[1].title`. */
export const formatPath = (path: Path): string =>
  path.map((step, i) => typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`).join('') || 'the world';

/** An invalid world. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  constructor(
    readonly reason: string,
    readonly hint: string | null,
    /** The file and line, if the world was read from a file. */
    readonly file: string | null = null,
    readonly line: number | null = null,
    options?: ErrorOptions,
  ) {
    super([...(file === null ? [] : [line === null ? file : `${file}:${line}`]), reason].join(': '), options);
  }
}

/** The closest word to a mistyped one, if at most a third of its letters are wrong. */
export const nearest = (word: string, words: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let least = Math.floor(word.length / 3) + 1;
  for (const candidate of words) {
    const wrong = distance(word.toLowerCase(), candidate.toLowerCase());
    if (wrong < least) [best, least] = [candidate, wrong];
  }
  return best;
};

/** The closest word as a hint. */
export const didYouMean = (word: string, words: Iterable<string>): string | undefined => {
  const meant = nearest(word, words);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
};

/** The number of letters to insert, delete, replace, or swap with their neighbor. */
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
