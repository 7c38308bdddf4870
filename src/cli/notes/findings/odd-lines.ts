import type { OtherPlace } from './finding.js';

/** What some tools count as the end of a line, and git does not: they agree on `\n` and `\r\n`. */
const oddEnd = /\r(?!$)|[\v\f\u0085\u2028\u2029]/g;

/** More than these are the whole file. */
const mostLines = 50;

/**
 * The lines of git that a tool may mean too: one odd end of a line above the finding is enough to move it from an
 * added line to an unchanged one. Compilers report what is missing at the end on the line after the last one; of a line
 * further down, the tool has read another text. @param lines of git
 */
export const otherLines = (
  file: string, line: number | null, lines: readonly string[] | null,
): readonly OtherPlace[] => {
  if (line === null || lines === null) return [];
  const ends = oddEndsIn(lines);
  if (line > lines.length + ends) return [{ file, line: null }];
  if (line === lines.length && ends === 0 && lines.at(-1) === '') return line === 1 ? [] : [{ file, line: line - 1 }];
  const first = leastLine(line, lines);
  const last = Math.min(line - 1, lines.length);
  if (last - first >= mostLines) return [{ file, line: null }];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({ file, line: first + i }));
};

const oddEndsIn = (lines: readonly string[]): number =>
  lines.reduce((sum, text) => sum + (text.match(oddEnd)?.length ?? 0), 0);

/** Where the line is if each odd end counts. */
const leastLine = (line: number, lines: readonly string[]): number => {
  let ends = 0;
  for (const [i, text] of lines.entries()) {
    ends += text.match(oddEnd)?.length ?? 0;
    if (i + 1 + ends >= line) return i + 1;
  }
  return ends === 0 ? line : lines.length;
};
