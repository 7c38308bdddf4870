import { describe, expect, it } from 'vitest';
import { painter } from '../../../../src/cli/terminal/io/style.js';
import { hunkText, linesAround } from '../../../../src/cli/notes/views/diff.js';
import type { Position } from '../../../../src/contract/shapes/position.js';
import { lineCode } from '../../../../src/diff/line-code.js';

const diff = `@@ -1,5 +1,6 @@
 one
 two
-three
+drei
+dreieinhalb
 four
 five
@@ -20,3 +21,3 @@
 twenty
-twenty-one
+einundzwanzig
 twenty-two
`;
const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c', old_path: 'a.txt', new_path: 'a.txt' };
const at = (more: Partial<Extract<Position, { position_type: 'text' }>>): Position => ({ ...shas, position_type: 'text', ...more });
const shown = async (position: Position, from = diff) => hunkText(linesAround(from, position), await painter(0));

describe('the diff lines of a note', () => {
  it.each([
    ['an added line', { new_line: 4 }, '2 2  two\n3   -three\n  3 +drei\n  4 +dreieinhalb\n'],
    ['a removed line', { old_line: 3, new_line: null }, '1 1  one\n2 2  two\n3   -three\n'],
    ['an unchanged line', { old_line: 5, new_line: 6 }, '  3 +drei\n  4 +dreieinhalb\n4 5  four\n5 6  five\n'],
    ['the first line', { old_line: 1, new_line: 1 }, '1 1  one\n'],
    ['a line of another hunk, without the distant lines', { new_line: 22 }, '20 21  twenty\n21    -twenty-one\n   22 +einundzwanzig\n'],
    ['a missing line', { new_line: 99 }, ''],
  ])('are those above %s', async (_, position, text) => {
    expect(await shown(at(position))).toBe(text);
  });

  it('start above the range of a note on several lines', async () => {
    const line_range = { start: { line_code: lineCode('a.txt', { oldLine: 3, newLine: 3 }), type: 'old' }, end: { line_code: 'x', type: 'new' } };
    expect(await shown(at({ old_line: 5, new_line: 6, line_range }))).toBe(
      '1 1  one\n2 2  two\n3   -three\n  3 +drei\n  4 +dreieinhalb\n4 5  four\n5 6  five\n');
  });

  it('are the last ones of a long range', async () => {
    const long = `@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, i) => `+line ${i + 1}\n`).join('')}`;
    const line_range = { start: { line_code: lineCode('a.txt', { oldLine: 1, newLine: 2 }), type: 'new' } };
    const text = await shown(at({ new_line: 50, line_range }), long);
    expect(text.trimEnd().split('\n')).toHaveLength(15);
    expect(text).toMatch(/ 50 \+line 50\n$/);
  });

  it('are empty for an image or a whole file', async () => {
    expect(linesAround(diff, { ...shas, position_type: 'image', x: 1, y: 1 })).toEqual([]);
    expect(linesAround(diff, { ...shas, position_type: 'file' })).toEqual([]);
  });

  it('are escaped on a terminal and have marks besides their colors', async () => {
    const hostile = '@@ -1 +1 @@\n-\x1b[2J\n+\u202eb\n';
    const text = hunkText(linesAround(hostile, at({ new_line: 1 })), await painter(1));
    expect(text).toContain('-\\u001b[2J');
    expect(text).toContain('+\\u202eb');
  });
});
