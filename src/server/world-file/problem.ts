import { nearestName } from '../../text/nearest.js';

/** A path in a world: keys and list indexes. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  readonly reason: string;
  /** Computed on demand: only one problem is shown, and a hint may compare a name with all others. */
  readonly hint?: () => string | undefined;
  /** The key is wrong, not its value. */
  readonly atKey?: true;
}

/** `projects[0].issues[1].title`. */
export const formatPath = (path: Path): string =>
  path.map((step, i) => typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`).join('') || 'the world';

/** An invalid world. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  constructor(
    readonly reason: string,
    readonly hint: string | null,
    /** If the world was read from a file. */
    readonly file: string | null = null,
    readonly line: number | null = null,
    options?: ErrorOptions,
  ) {
    super([...(file === null ? [] : [line === null ? file : `${file}:${line}`]), reason].join(': '), options);
  }
}

export const didYouMean = (word: string, words: Iterable<string>): string | undefined => {
  const meant = nearestName(word, words);
  return meant === null ? undefined : `did you mean ${meant}?`;
};
