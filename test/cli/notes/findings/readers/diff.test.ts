import { describe, expect, it } from 'vitest';
import { readDiff } from '../../../../../src/cli/notes/findings/readers/diff.js';

describe('a diff', () => {
  const hunk = (...lines: string[]) => `--- a/a.txt\n+++ b/a.txt\n${lines.join('\n')}\n`;

  it('becomes a suggestion for each block of changed lines', () => {
    const { findings } = readDiff(hunk('@@ -1,6 +1,5 @@', ' one', '-two', '-three', '+zwei', ' four', '+extra', ' five', '-six'));
    expect(findings.map(({ suggestion }) => suggestion)).toEqual([
      { from: 2, to: 3, text: 'zwei' }, { from: 4, to: 4, text: 'four\nextra' }, { from: 6, to: 6, text: '' },
    ]);
  });

  it('suggests lines before the first one together with it', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,2 @@', '+zero', ' one'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'zero\none' });
  });

  it('keeps blocks of different hunks apart', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,1 @@', '-one', '+eins', '@@ -9,1 +9,1 @@', '-nine', '+neun'));
    expect(findings.map(({ suggestion }) => suggestion!.from)).toEqual([1, 9]);
  });

  it('suggests lines after the last one together with it', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,2 @@', ' one', '+two'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'one\ntwo' });
  });

  it('has the missing lines as details where no neighbor is shown', () => {
    const { findings } = readDiff(hunk('@@ -0,0 +1,2 @@', '+one', '+two'));
    expect(findings).toMatchObject([{ file: 'a.txt', line: null, message: 'lines are missing in this file', details: 'one\ntwo' }]);
    expect(findings[0]).not.toHaveProperty('suggestion');
  });

  it('has the place in the old file, under its old path', () => {
    const { findings } = readDiff('--- a/old.txt\n+++ b/new.txt\n@@ -3,3 +5,2 @@\n-three\n-four\n+3\n five\n');
    expect(findings).toMatchObject([{ file: 'old.txt', line: 3, endLine: 4, suggestion: { from: 3, to: 4, text: '3' } }]);
  });

  it('has nothing to suggest in new files', () => {
    expect(readDiff('diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+one\n').findings).toEqual([]);
  });

  it('may have the line breaks of Windows', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,1 @@', '-one', '+eins').replaceAll('\n', '\r\n'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'eins' });
  });

  it('is rejected if it names no file', () => {
    expect(() => readDiff('no diff\n')).toThrow(expect.objectContaining({
      name: 'ReportError', place: 'line 1', message: 'expected a unified diff, found no file' }) as Error);
  });
});
