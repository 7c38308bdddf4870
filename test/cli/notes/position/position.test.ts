import { describe, expect, it } from 'vitest';
import { positionText, typedFile } from '../../../../src/cli/notes/position/position.js';
import { lineCode } from '../../../../src/diff/lines.js';
import { testApp } from '../../../support/app.js';

const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c' };

const end = (type: string, oldLine: number, newLine: number) => ({ line_code: lineCode('a.ts', { oldLine, newLine }), type });

/** The first line of a range. */
const from = (...line: Parameters<typeof end>) => ({ start: end(...line) });

describe('the position of a note', () => {
  it.each([
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3 }, 'a.ts:3'],
    [{ position_type: 'text', old_path: 'old.ts', new_path: 'new.ts', old_line: 3, new_line: null }, 'old.ts:3 (old)'],
    [{ position_type: 'text', new_path: 'a.ts' }, 'a.ts'],
    [{ position_type: 'image', new_path: 'a.png', x: 1, y: 2 }, 'a.png at 1,2'],
    [{ position_type: 'file', new_path: 'a.ts' }, 'a.ts'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 33, line_range: from('new', 20, 31) }, 'a.ts:31-33'],
    [{ position_type: 'text', new_path: 'a.ts', old_line: 9, new_line: 12, line_range: from('old', 7, 10) }, 'a.ts:10-12'],
    [{ position_type: 'text', old_path: 'a.ts', new_path: 'a.ts', old_line: 9, line_range: from('old', 7, 7) }, 'a.ts:7-9 (old)'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3, line_range: from('new', 3, 3) }, 'a.ts:3'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3, line_range: { start: { line_code: 'x' } } }, 'a.ts:3'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3, line_range: { start: { type: 'new', new_line: 2 } } }, 'a.ts:2-3'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3, line_range: null }, 'a.ts:3'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 15, line_range: { ...from('new', 1, 9), end: end('new', 1, 11) } }, 'a.ts:13-15'],
    [{ position_type: 'text', new_path: 'a.ts', old_line: 4, new_line: 4, line_range: { ...from('old', 7, 9), end: end('old', 9, 11) } }, 'a.ts:2-4'],
    [{ position_type: 'text', old_path: 'a.ts', old_line: 12, line_range: { ...from('old', 7, 7), end: end('old', 9, 7) } }, 'a.ts:10-12 (old)'],
    [{ position_type: 'text', new_path: 'a.ts', new_line: 2, line_range: { ...from('new', 1, 9), end: end('new', 1, 11) } }, 'a.ts:2'],
  ] as const)('of %j is %s', (position, text) => {
    expect(positionText({ ...shas, ...position })).toBe(text);
  });

  it('is empty without a position', () => {
    expect([positionText(null), positionText(undefined)]).toEqual(['', '']);
  });
});

it('a path is that of the file in the work tree, also if it leads there through a link', async () => {
  const { app } = await testApp({ workTree: '/repo', folder: '/repo' });
  const realPath = async (path: string) => path === '/link/src/a.ts' ? 'src/a.ts' : null;
  const linked = { ...app, files: { ...app.files, realPath } };
  expect(await typedFile(linked, '/link/src/a.ts')).toEqual({ file: 'src/a.ts' });
  expect(await typedFile(linked, '/link/none.ts')).toEqual({ file: '../link/none.ts' });
});
