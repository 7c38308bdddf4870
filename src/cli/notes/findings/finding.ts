import { isWebAddress } from '../../../markdown/code.js';
import { counted } from '../../../text/messages.js';
import type { Marker } from '../../../wire/note-text.js';

export const levels = ['error', 'warning', 'note'] as const;
export type Level = (typeof levels)[number];

export const reaches = (level: Level, least: Level): boolean => levels.indexOf(level) <= levels.indexOf(least);

/** What a marker says of its finding; the same for each key that posted it. */
export const findingIn = ({ fp = '', finding = '' }: Marker): string => `${fp.split('.')[0]} ${finding}`;

/** Replaces whole lines, both included, or the given columns. A line break ends each line of a text for whole lines. */
export interface Suggestion {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** From the first character of the first line to the one behind the last that is replaced, counted from 1. */
  readonly columns?: readonly [number, number];
}

interface FilePlace {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface Guess extends FilePlace {
  /** The package of a class, which its file declares if no folders are named after it. */
  readonly package?: string;
}

/** Without a line, any line of the file. */
export type OtherPlace = Pick<FilePlace, 'file' | 'line'>;

export interface Finding {
  /** Relative to the top of the repository; empty if the tool names no file. */
  readonly file: string;
  /** The path below a base address that the report names, such as the folder of a container. */
  readonly fileInBase?: string;
  /** The first one whose file exists overrides the place of the finding. */
  readonly guesses?: readonly Guess[];
  /** Where it may be too, as far as the report and the files tell: the author of a change chooses names and texts. */
  readonly otherPlaces?: readonly OtherPlace[];
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly level: Level;
  readonly unknownLevel?: string;
  readonly rule: string | null;
  /** The page about the rule. It does not identify the finding. */
  readonly ruleUrl?: string;
  readonly message: string;
  readonly details?: string;
  readonly suggestion?: Suggestion;
  /** It matters also on unchanged lines, such as a failing test. */
  readonly isAnywhere?: boolean;
  /** The report names the place by characters or bytes alone, so it may be any line of the file. */
  readonly isAnyLine?: boolean;
  /** The tool could not read or parse the file. */
  readonly isFatal?: boolean;
  readonly tool: string | null;
}

export interface Report {
  /** Tools without findings are among them. */
  readonly tools: readonly string[];
  readonly findings: readonly Finding[];
  /** Why findings may be missing, in the words of the tool if it has some. */
  readonly failures?: readonly RunFailure[];
  readonly isEmpty?: boolean;
  /** By rule, whether the test ran. The rule `a[]` is that of all cases of `a`, and `A > *` of all tests of `A`. */
  readonly tests?: readonly (readonly [rule: string, hasRun: boolean])[];
  readonly unread?: {
    readonly count: number; readonly line: number; readonly text: string;
    /** Those of a report of lines. */
    readonly lines?: readonly string[];
  };
}

export interface RunFailure {
  readonly place: string | null;
  readonly message: string;
  readonly isByFindings?: boolean;
}

export const findingOf = (parts: Partial<Finding> & Pick<Finding, 'file' | 'message'>): Finding =>
  ({ line: null, column: null, endLine: null, level: 'warning', rule: null, tool: null, ...parts });

/** A page that cannot be linked to is left out, because it says nothing about the finding. */
export const ruleUrlIn = (value: unknown): Pick<Finding, 'ruleUrl'> => isWebAddress(value) ? { ruleUrl: value } : {};

export const numberIn = (value: string | undefined): number | null =>
  value !== undefined && /^[1-9]\d{0,8}$/.test(value.trim()) ? Number(value) : null;

/** @param endColumn the first one behind the finding: a line of which this is the first column is no part of it */
export const lastLine = (line: number | null, end: number | null, endColumn: number | null = null): number | null => {
  const last = end === null || endColumn !== 1 ? end : end - 1;
  return line !== null && last !== null && last > line ? last : null;
};

interface Region {
  readonly from: number | null;
  readonly to: number | null;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
}

/** Undefined if it starts inside a line and replaces others, or has no lines. */
export const suggestionFor = ({ from, to, startColumn, endColumn }: Region, text: string): Suggestion | undefined => {
  const last = to ?? from;
  if (from === null || last === null) return undefined;
  if (last === from && endColumn !== null) return { from, to: last, text, columns: [startColumn ?? 1, endColumn] };
  if ((startColumn ?? 1) !== 1) return undefined;
  const isWhole = /(^|\n)$/.test(text);
  if (endColumn === null) return { from, to: last, text: isWhole ? text : `${text}\n` };
  if (last < from) return undefined;
  return isWhole && endColumn === 1 ? { from, to: last - 1, text } : { from, to: last, text, columns: [1, endColumn] };
};

export const reportOf = (
  tools: readonly string[], findings: readonly Finding[], failures: readonly RunFailure[],
): Report => ({ tools, findings, ...failures.length > 0 && { failures } });

/** Fails a report that counts more than it has. A count that is negative or no number is never reached. */
export const uncounted = (
  place: string, noun: string, counts: readonly unknown[], reported: number,
): RunFailure[] => {
  const known = counts.filter((count) => count !== undefined && count !== null);
  const sum = known.map(Number).reduce((total, count) => total + (count < 0 ? NaN : count), 0);
  if (reported >= sum) return [];
  const text = Number.isNaN(sum) ? `${known.join(' and ')} ${noun}s` : counted(sum, noun);
  return [{ place, message: `${text} counted, ${reported} reported` }];
};

/** An unknown word may mean anything, so it is an error. */
export const levelFrom = (
  word: unknown, known: ReadonlyMap<unknown, Level>, missing: Level,
): Pick<Finding, 'level' | 'unknownLevel'> => {
  const level = word === undefined || word === null ? missing : known.get(word);
  return level ? { level } : { level: 'error', unknownLevel: typeof word === 'string' ? word : JSON.stringify(word) };
};

export const knownLevel = (word: string): Level | null =>
  levels.find((level) => words[level].includes(word.trim().toLowerCase())) ?? null;

/** The letters are those of pylint and RuboCop. */
const words: Readonly<Record<Level, readonly string[]>> = {
  error: ['error', 'fatal', 'fatal error', 'severe', 'critical', 'blocker', 'major', 'failure', 'high', 'e', 'f'],
  warning: ['warning', 'warn', 'medium', 'moderate', 'minor', 'performance', 'portability', 'w'],
  note: [
    'note', 'info', 'information', 'style', 'convention', 'refactor', 'hint', 'help', 'notice', 'none', 'ignore', 'low',
    'c', 'r', 'i',
  ],
};

export class ReportError extends Error {
  override readonly name = 'ReportError';
  constructor(readonly place: string | null, message: string, readonly hint: string | null = null) {
    super(message);
  }
}
