import { nearestName } from '../../text/nearest.js';

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
export const placeOf = (path: Path): string =>
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

/** The nearest word as a hint. */
export const didYouMean = (word: string, words: Iterable<string>): string | undefined => {
  const meant = nearestName(word, words);
  return meant === null ? undefined : `Did you mean ${meant}?`;
};
