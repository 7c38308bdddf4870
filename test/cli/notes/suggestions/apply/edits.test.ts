import { expect, it } from 'vitest';
import { withEdits } from '../../../../../src/cli/notes/suggestions/apply.js';

const edit = (from_line: number, to_line: number, text: string) => ({ from_line, to_line, text });

it('replaces several places, whatever their order', () => {
  const edits = [edit(1, 1, 'A\nA\n'), edit(3, 4, ''), edit(5, 5, 'E\n')];
  expect(withEdits('a\nb\nc\nd\ne\n', edits)).toBe('A\nA\nb\nE\n');
  expect(withEdits('a\nb\nc\nd\ne\n', edits.reverse())).toBe('A\nA\nb\nE\n');
});

it('keeps the line ends of the replaced lines, and ends the last line', () => {
  expect(withEdits('a\r\nb\r\n', [edit(2, 2, 'x\ny\n')])).toBe('a\r\nx\r\ny\r\n');
  expect(withEdits('a\nb', [edit(2, 2, 'x\n')])).toBe('a\nx\n');
});
