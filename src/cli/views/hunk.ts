import type { Position, TextPosition } from '../../contract/shapes/position.js';
import { lineAt, linesOf, numbersOf, type DiffLine } from '../../diff/lines.js';
import { plainText } from '../plain.js';
import type { Paint, Tone } from '../terminal/tones.js';

/** How many lines stand above the one that a note is about. */
const above = 3;

/** Of a longer range its end is shown. */
const mostLines = 15;

/** The lines of a file's diff that a note is about, with a few above them; empty where they are not in the diff. */
export const linesAround = (diff: string, position: Position): readonly DiffLine[] => {
  if (position.position_type !== 'text') return [];
  const lines = linesOf(diff);
  const at = lineAt(lines, position);
  if (!at) return [];
  const end = lines.indexOf(at);
  const start = Math.max(startOf(lines, position, end) - above, end + 1 - mostLines, 0);
  const unbroken = lines.slice(0, end + 1).findLastIndex((line, i) => i > 0 && !follows(lines[i - 1]!, line));
  return lines.slice(Math.max(start, unbroken), end + 1);
};

/** Where a range begins: its line code ends in the two running counters (wire-facts 4.10.5). */
const startOf = (lines: readonly DiffLine[], { line_range }: TextPosition, end: number): number => {
  const [, old, next] = /_(\d+)_(\d+)$/.exec(line_range?.start?.line_code ?? '') ?? [];
  const start = lines.findIndex(({ oldLine, newLine }) => oldLine === Number(old) && newLine === Number(next));
  return start < 0 || start > end ? end : start;
};

/** Whether a line stands right below another: between two hunks something is left out. */
const follows = (before: DiffLine, line: DiffLine): boolean =>
  line.oldLine - before.oldLine + line.newLine - before.newLine === (before.kind === 'context' ? 2 : 1);

const marks: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };
const tones: Readonly<Record<DiffLine['kind'], Tone | null>> = { added: 'added', removed: 'removed', context: null };

/** Lines of a diff as text: both numbers, the mark, the line. */
export const hunkText = (lines: readonly DiffLine[], paint: Paint): string => {
  const width = Math.max(0, ...lines.map((line) => String(Math.max(line.oldLine, line.newLine)).length));
  return lines.map((line) => {
    const { old_line, new_line } = numbersOf(line);
    const numbers = `${String(old_line ?? '').padStart(width)} ${String(new_line ?? '').padStart(width)}`;
    return `${paint('faint', numbers)} ${paint(tones[line.kind], marks[line.kind] + plainText(line.text))}\n`;
  }).join('');
};
