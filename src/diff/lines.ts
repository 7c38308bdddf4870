/**
 * One line of a diff. `oldLine` and `newLine` are running counters from 1: on the side where the line does not stand,
 * the number that the next line there has.
 */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context';
  readonly oldLine: number;
  readonly newLine: number;
  /** The line without its mark and without its line feed. */
  readonly text: string;
}

/**
 * The numbers that name a line in a position: one for an added or removed line, both for an unchanged one
 * (wire-facts 4.10.6).
 */
export interface LineNumbers { readonly old_line?: number; readonly new_line?: number }

/**
 * The lines of one file's unified diff in order, from its hunks. Whatever stands outside the hunks is skipped, and so
 * are notices such as "No newline at end of file".
 */
export const linesOf = (diff: string): DiffLine[] => {
  const lines: DiffLine[] = [];
  let hunk: Hunk | null = null;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    if (!hunk || isDone(hunk)) hunk = parseHunkHeader(text);
    else if (!text.startsWith('\\')) lines.push(takeLine(hunk, text));
  }
  return lines;
};

/** The numbers to send for a line. */
export const numbersOf = ({ kind, oldLine, newLine }: DiffLine): LineNumbers => ({
  ...(kind !== 'added' && { old_line: oldLine }),
  ...(kind !== 'removed' && { new_line: newLine }),
});

/** The line that a position's numbers name, or undefined: both numbers must fit, one that is missing too. */
export const lineAt = (lines: readonly DiffLine[], at: GivenNumbers): DiffLine | undefined =>
  lines.find((line) => {
    const { old_line, new_line } = numbersOf(line);
    return old_line === (at.old_line ?? undefined) && new_line === (at.new_line ?? undefined);
  });

type GivenNumbers = { readonly [K in keyof LineNumbers]?: number | null | undefined };

/** Where a hunk's next line stands, and how many of its lines are still to come on each side. */
export interface Hunk { oldLine: number; newLine: number; oldLeft: number; newLeft: number }

/** The hunk that a header line opens, or null where the line is no header. */
export const parseHunkHeader = (text: string): Hunk | null => {
  const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
  if (!header) return null;
  const [oldStart, oldLeft, newStart, newLeft] = [header[1], header[2] ?? 1, header[3], header[4] ?? 1].map(Number) as
    [number, number, number, number];
  return { oldLine: first(oldStart, oldLeft), newLine: first(newStart, newLeft), oldLeft, newLeft };
};

/** Whether all lines that the header promised have been seen: only then can a line be anything but a hunk's. */
export const isDone = (hunk: Hunk): boolean => hunk.oldLeft <= 0 && hunk.newLeft <= 0;

/** A side without lines is numbered by the line before the hunk. */
const first = (start: number, count: number): number => count === 0 ? start + 1 : start;

/** Takes one line of a hunk and moves the counters past it; an empty line is an unchanged one that lost its mark. */
export const takeLine = (hunk: Hunk, text: string): DiffLine => {
  const kind = text[0] === '+' ? 'added' : text[0] === '-' ? 'removed' : 'context';
  const line: DiffLine = { kind, oldLine: hunk.oldLine, newLine: hunk.newLine, text: text.slice(1) };
  if (kind !== 'added') { hunk.oldLine++; hunk.oldLeft--; }
  if (kind !== 'removed') { hunk.newLine++; hunk.newLeft--; }
  return line;
};
