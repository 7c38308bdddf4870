/** Counters start at 1; on a side that lacks the line, the counter is that of the next line of that side. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context';
  readonly oldLine: number;
  readonly newLine: number;
  readonly text: string;
}

/** behavior: positions.which-lines */
type LineNumbers =
  | { readonly old_line?: number; readonly new_line: number }
  | { readonly old_line: number; readonly new_line?: number };

/** Skips text outside of hunks, and notices such as "No newline at end of file". */
export const diffLines = (diff: string): DiffLine[] => {
  const lines: DiffLine[] = [];
  let hunk: Hunk | null = null;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    if (!hunk || isDone(hunk)) hunk = parseHunkHeader(text);
    else if (!text.startsWith('\\')) lines.push(takeLine(hunk, text));
  }
  return lines;
};

export const lineNumbers = ({ kind, oldLine, newLine }: DiffLine): LineNumbers => kind === 'removed'
  ? { old_line: oldLine } : { ...(kind === 'context' && { old_line: oldLine }), new_line: newLine };

/** A missing number must match too. */
export const lineAt = (lines: readonly DiffLine[], position: NumbersOfPosition): DiffLine | undefined =>
  lines.find((line) => {
    const { old_line, new_line } = lineNumbers(line);
    return old_line === (position.old_line ?? undefined) && new_line === (position.new_line ?? undefined);
  });

/** No line is next across the gap between two hunks. */
export const isNextLine = (before: DiffLine, line: DiffLine): boolean =>
  line.oldLine === before.oldLine + (before.kind === 'added' ? 0 : 1)
  && line.newLine === before.newLine + (before.kind === 'removed' ? 0 : 1);

/** Null if the change added the line. Lines outside the hunks are unchanged. */
export const oldLineNumber = (lines: readonly DiffLine[], newNumber: number): number | null => {
  const shown = lines.find(({ kind, newLine }) => kind !== 'removed' && newLine === newNumber);
  if (shown) return shown.kind === 'added' ? null : shown.oldLine;
  return newNumber - offsetBefore(lines, 'newLine', newNumber);
};

/** Undefined for a line in a hunk, and without hunks. */
export const unfoldedLine = (
  lines: readonly DiffLine[], side: 'old' | 'new', number: number,
): Pick<DiffLine, 'oldLine' | 'newLine'> | undefined => {
  const [counter, missing] = side === 'old' ? ['oldLine', 'added'] as const : ['newLine', 'removed'] as const;
  const isShown = lines.some((line) => line.kind !== missing && line[counter] === number);
  if (number < 1 || lines.length === 0 || isShown) return undefined;
  const offset = offsetBefore(lines, counter, number);
  return side === 'old' ? { oldLine: number, newLine: number + offset } : { oldLine: number - offset, newLine: number };
};

const offsetBefore = (lines: readonly DiffLine[], counter: 'oldLine' | 'newLine', number: number): number => {
  const last = lines.findLast((line) => line[counter] <= number);
  if (!last) return 0;
  const { kind, oldLine, newLine } = last;
  return newLine + (kind === 'removed' ? 0 : 1) - oldLine - (kind === 'added' ? 0 : 1);
};

/** Null if the change removed the line. Lines outside the hunks are unchanged. */
export const newLineNumber = (lines: readonly DiffLine[], oldNumber: number): number | null => {
  const shown = lines.find(({ kind, oldLine }) => kind !== 'added' && oldLine === oldNumber);
  if (shown) return shown.kind === 'removed' ? null : shown.newLine;
  return oldNumber + offsetBefore(lines, 'oldLine', oldNumber);
};

type NumbersOfPosition = { readonly [K in keyof LineNumbers]?: number | null | undefined };

export interface Hunk { oldLine: number; newLine: number; oldLeft: number; newLeft: number }

export const parseHunkHeader = (text: string): Hunk | null => {
  const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
  if (!header) return null;
  const [oldStart, oldLeft, newStart, newLeft] = [header[1], header[2] ?? 1, header[3], header[4] ?? 1].map(Number) as
    [number, number, number, number];
  return { oldLine: firstLine(oldStart, oldLeft), newLine: firstLine(newStart, newLeft), oldLeft, newLeft };
};

export const isDone = (hunk: Hunk): boolean => hunk.oldLeft <= 0 && hunk.newLeft <= 0;

/** The header of a side without lines has the number of the line before the hunk. */
const firstLine = (start: number, count: number): number => count === 0 ? start + 1 : start;

export const passLine = (hunk: Hunk, mark: string | undefined): void => {
  if (mark !== '+') { hunk.oldLine++; hunk.oldLeft--; }
  if (mark !== '-') { hunk.newLine++; hunk.newLeft--; }
};

/** An empty line is an unchanged one without its prefix. */
export const takeLine = (hunk: Hunk, text: string): DiffLine => {
  const kind = text[0] === '+' ? 'added' : text[0] === '-' ? 'removed' : 'context';
  const line: DiffLine = { kind, oldLine: hunk.oldLine, newLine: hunk.newLine, text: text.slice(1) };
  passLine(hunk, text[0]);
  return line;
};

/** behavior: positions.line-code. @param path after the change, or before a deletion */
export const lineCode = (path: string, { oldLine, newLine }: Pick<DiffLine, 'oldLine' | 'newLine'>): string =>
  // An import would load the module at each start of the program, which takes 4 ms.
  `${process.getBuiltinModule('node:crypto').createHash('sha1').update(path).digest('hex')}_${oldLine}_${newLine}`;
