/** The levels of findings, the most severe first. */
export const levels = ['error', 'warning', 'note'] as const;
export type Level = (typeof levels)[number];

/** Whether a level is at least as severe as another one. */
export const reaches = (level: Level, least: Level): boolean => levels.indexOf(level) <= levels.indexOf(least);

/** Lines to replace in the file of a finding, both included, and the new text without its last line break. */
export interface Suggestion { readonly from: number; readonly to: number; readonly text: string }

/** One message of a tool about a place in the source. */
export interface Finding {
  /** The path from the top of the repository; empty if the tool names no file. */
  readonly file: string;
  /** Null for a finding about the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  /** The last line, if the finding spans several. */
  readonly endLine: number | null;
  readonly level: Level;
  readonly rule: string | null;
  readonly message: string;
  /** Preformatted text below the message, such as a stack trace. */
  readonly details?: string;
  readonly suggestion?: Suggestion;
  readonly tool: string | null;
}

/** What a reader found in one report. */
export interface Report {
  /** The tools that the report names, also those without findings. */
  readonly tools: readonly string[];
  readonly findings: readonly Finding[];
}

/** A finding with these parts; everything else is unknown. */
export const findingOf = (parts: Partial<Finding> & Pick<Finding, 'file' | 'message'>): Finding =>
  ({ line: null, column: null, endLine: null, level: 'warning', rule: null, tool: null, ...parts });

/** The last line of a finding if it spans several, else null. */
export const lastLine = (line: number | null, end: number | null): number | null =>
  line !== null && end !== null && end > line ? end : null;

/** A region of text, as SARIF and rdjson describe it: columns from 1, the end column not included. */
interface Region {
  readonly from: number | null;
  readonly to: number | null;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
}

/**
 * The suggestion that replaces a region by a text, if the region consists of whole lines: it has no columns, or ends at
 * the start of the line after the last one.
 */
export const suggestionFor = ({ from, to, startColumn, endColumn }: Region, text: string): Suggestion | undefined => {
  const last = to ?? from;
  if (from === null || last === null || (startColumn ?? 1) !== 1) return undefined;
  if (endColumn === null) return { from, to: last, text: text.replace(/\r?\n$/, '') };
  const isWhole = endColumn === 1 && last > from && /(^|\n)$/.test(text);
  return isWhole ? { from, to: last - 1, text: text.replace(/\r?\n$/, '') } : undefined;
};

/** Turns the words of tools for a level into one of ours; unknown words are warnings. */
export const levelOf = (word: string | null | undefined): Level => {
  const known = word?.trim().toLowerCase() ?? '';
  if (errorWords.includes(known)) return 'error';
  return noteWords.includes(known) ? 'note' : 'warning';
};

const errorWords = ['error', 'fatal', 'fatal error', 'critical', 'blocker', 'major', 'failure', 'high'];
const noteWords = ['note', 'info', 'information', 'style', 'hint', 'help', 'notice', 'none', 'ignore', 'low'];

/** A report that cannot be used. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  /** @param place the line or the JSON path: `line 12`, `runs[0].results` */
  constructor(readonly place: string | null, message: string, readonly hint: string | null = null) {
    super(message);
  }
}
