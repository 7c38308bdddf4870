import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt, lineCode, diffLines, lineNumbers, oldLineNumber, unfoldedLine } from '../../src/diff/lines.js';
import { editedFiles, patchOf, type EditedLine } from '../support/edits.js';

const diff = `@@ -1,4 +1,5 @@ function head() {
 one
-two
+2
+two and a half
 three
 four
@@ -20,2 +21 @@
 twenty
-twenty-one
\\ No newline at end of file
`;

describe('diffLines', () => {
  it('counts the lines of both sides', () => {
    expect(diffLines(diff).map(({ kind, oldLine, newLine, text }) => `${kind} ${oldLine} ${newLine} ${text}`)).toEqual([
      'context 1 1 one', 'removed 2 2 two', 'added 3 2 2', 'added 3 3 two and a half', 'context 3 4 three', 'context 4 5 four',
      'context 20 21 twenty', 'removed 21 22 twenty-one',
    ]);
  });

  it('reads a removed line that looks like a file header', () => {
    expect(diffLines('@@ -1,2 +1 @@\n--- a dashed line\n kept\n')).toMatchObject([
      { kind: 'removed', text: '-- a dashed line' }, { kind: 'context', text: 'kept' }]);
  });

  it('skips file headers before the hunks', () => {
    expect(diffLines('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+new\n')).toEqual([
      { kind: 'added', oldLine: 1, newLine: 1, text: 'new' }]);
  });

  it('reads an empty line within a hunk as an unchanged one', () => {
    expect(diffLines('@@ -1,3 +1,3 @@\n a\n\n b\n').map((line) => line.newLine)).toEqual([1, 2, 3]);
  });

  it('finds no lines in text that is not a diff', () => {
    expect(diffLines('Binary files a/x.png and b/x.png differ\n')).toEqual([]);
  });

  it('numbers every generated diff without gaps on either side', () => {
    const marks = fc.array(fc.constantFrom(' ', '+', '-'), { minLength: 1 });
    fc.assert(fc.property(marks, fc.integer({ min: 1, max: 9999 }), (kinds, start) => {
      const count = (mark: string) => kinds.filter((kind) => kind === ' ' || kind === mark).length;
      const [old, now] = [count('-'), count('+')];
      const place = (n: number) => `${n === 0 ? start - 1 : start},${n}`;
      const lines = diffLines([`@@ -${place(old)} +${place(now)} @@`, ...kinds.map((kind) => `${kind}x`)].join('\n'));
      const numbers = lines.map(lineNumbers);
      const run = (n: number) => Array.from({ length: n }, (_, i) => start + i);
      expect(numbers.flatMap(({ old_line }) => old_line ?? [])).toEqual(run(old));
      expect(numbers.flatMap(({ new_line }) => new_line ?? [])).toEqual(run(now));
    }));
  });
});

describe('lineAt', () => {
  const lines = diffLines(diff);

  it('requires both numbers of an unchanged line', () => {
    expect(lineAt(lines, { old_line: 3, new_line: 4 })?.text).toBe('three');
    expect(lineAt(lines, { new_line: 4 })).toBeUndefined();
    expect(lineAt(lines, { old_line: 3, new_line: 5 })).toBeUndefined();
  });

  it('requires one number of an added or removed line', () => {
    expect(lineAt(lines, { new_line: 2 })?.text).toBe('2');
    expect(lineAt(lines, { old_line: 2, new_line: null })?.text).toBe('two');
    expect(lineAt(lines, { old_line: 2, new_line: 2 })).toBeUndefined();
  });
});

describe('lineCode', () => {
  it('is the SHA-1 of the path with both counters', () => {
    expect(lineCode('src/a.ts', { oldLine: 3, newLine: 2 })).toBe('21ff24dd18cc19d35de15a120639695824655b58_3_2');
  });
});

describe('oldLineNumber', () => {
  it('finds the number that every line of the new side has on the old side', () => {
    fc.assert(fc.property(editedFiles, ([file]) => {
      const lines = diffLines(patchOf([file!]));
      const ofNewSide = file!.lines.filter(({ newLine }) => newLine !== null);
      expect(ofNewSide.map(({ newLine }) => oldLineNumber(lines, newLine!))).toEqual(ofNewSide.map(({ oldLine }) => oldLine));
    }));
  });

  it('returns the number itself if nothing has changed', () => {
    expect(oldLineNumber([], 7)).toBe(7);
  });
});

describe('unfoldedLine', () => {
  it('pairs the numbers of every unchanged line outside the hunks, from either side', () => {
    fc.assert(fc.property(editedFiles, ([file]) => {
      const lines = diffLines(patchOf([file!]));
      const shown = new Set(lines.filter(({ kind }) => kind !== 'removed').map(({ newLine }) => newLine));
      const pairOf = ({ oldLine, newLine }: EditedLine) =>
        oldLine !== null && newLine !== null && !shown.has(newLine) && lines.length > 0 ? { oldLine, newLine } : undefined;
      const onNewSide = file!.lines.filter(({ newLine }) => newLine !== null);
      expect(onNewSide.map(({ newLine }) => unfoldedLine(lines, 'new', newLine!))).toEqual(onNewSide.map(pairOf));
      const outside = file!.lines.filter((line) => pairOf(line));
      expect(outside.map(({ oldLine }) => unfoldedLine(lines, 'old', oldLine!))).toEqual(outside.map(pairOf));
    }));
  });

  it('has no line in a hunk, before the first line, or without hunks', () => {
    const lines = diffLines(diff);
    expect(unfoldedLine(lines, 'new', 10)).toEqual({ oldLine: 9, newLine: 10 });
    expect(unfoldedLine(lines, 'old', 30)).toEqual({ oldLine: 30, newLine: 30 });
    for (const number of [0, 3, 4, 21]) expect(unfoldedLine(lines, 'new', number)).toBeUndefined();
    for (const number of [2, 21]) expect(unfoldedLine(lines, 'old', number)).toBeUndefined();
    expect(unfoldedLine([], 'new', 3)).toBeUndefined();
  });
});
