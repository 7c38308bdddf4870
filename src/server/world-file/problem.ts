import { HintedError, nearestName } from '../../text/messages.js';

export type WorldPath = readonly (string | number)[];

export interface WorldProblem {
  readonly path: WorldPath;
  readonly reason: string;
  /** Computed on demand: few problems are shown, and a hint may compare a name with all others. */
  readonly hint?: () => string | undefined;
  /** The key is wrong, not its value. */
  readonly atKey?: true;
}

/** Writes a path as `projects[0].issues[1].title`. @param whole the name of the value that an empty path means */
export const formatPath = (path: WorldPath, whole = 'the world'): string =>
  path.map((step, i) => typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`).join('') || whole;

/** @param what is wrong, after the path and a colon or a space */
export const problemAt = (path: WorldPath, what: string, more?: Pick<WorldProblem, 'hint' | 'atKey'>): WorldProblem =>
  ({ path, reason: `${formatPath(path)}${what}`, ...more });

/** An invalid world. */
export class WorldError extends HintedError<string | null> {
  override readonly name = 'WorldError';
  constructor(
    /** What is invalid, with its place in the world. */
    readonly reason: string,
    hint: string | null,
    /** The path of the world file; null if the world is an object. */
    readonly file: string | null = null,
    /** The line in the file, from 1; null if it is not known. */
    readonly line: number | null = null,
    options?: ErrorOptions,
  ) {
    super([...(file === null ? [] : [line === null ? file : `${file}:${line}`]), reason].join(': '), hint, options);
  }
}

export const didYouMean = (word: string, words: Iterable<string>): string | undefined => {
  const meant = nearestName(word, words);
  return meant === null ? undefined : `did you mean ${meant}?`;
};

/** A world of another format has a problem in each line. */
const mostShown = 20;

interface PlacedProblem extends WorldProblem { readonly line?: number }

/** Names the first problem, and in the hint the others, each with its own hint. @param file that all are in */
export const errorOfProblems = (
  problems: readonly PlacedProblem[], file: string | null = null,
): WorldError => {
  const [first, ...others] = problems;
  const { reason, hint, line = null } = first!;
  const shown = others.slice(0, mostShown - 1);
  const hints = [
    hint?.() ?? null, ...shown.map((one) => [placed(one, file), one.hint?.()].filter(Boolean).join('; ')),
    shown.length < others.length ? `… and ${others.length - shown.length} more` : null,
  ].filter((text) => text !== null);
  const count = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new WorldError(`${reason}${count}`, hints.length === 0 ? null : hints.join('\n'), file, line);
};

const placed = ({ reason, line }: PlacedProblem, file: string | null): string =>
  file === null ? reason : [line === undefined ? file : `${file}:${line}`, reason].join(': ');
