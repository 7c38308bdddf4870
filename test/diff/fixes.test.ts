import { describe, expect, it } from 'vitest';
import { allEdits, areBack, editsOfLines, makesSameEdits, patchId } from '../../src/diff/fixes.js';
import { type FileChange, parsePatch } from '../../src/diff/patch.js';
import { everyRow } from '../support/rows.js';

const patch = (hunk: string, path = 'a.ts', old = path): FileChange[] => parsePatch(
  `diff --git a/${old} b/${path}\n--- a/${old}\n+++ b/${path}\n${hunk}\n`);

const fix = patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+good();\n two');

describe('the edits of lines', () => {
  it('are those that remove one of the lines, with its text', () => {
    expect(editsOfLines(fix, 'a.ts', [5])).toMatchObject({ changed: [{ oldLine: 5, text: 'bad();' }] });
    expect(editsOfLines(fix, 'a.ts', [4])).toBeNull();
    expect(editsOfLines(fix, 'b.ts', [5])).toBeNull();
    expect(editsOfLines(patch('@@ -4,2 +4,3 @@\n one\n+comment\n bad();'), 'a.ts', [5])).toBeNull();
  });

  it('are none if the commit only moves the line, also to another file', () => {
    expect(editsOfLines(patch('@@ -4,3 +4,3 @@\n-bad();\n one\n+bad();\n two'), 'a.ts', [4])).toBeNull();
    expect(editsOfLines([...patch('@@ -4,2 +4,1 @@\n-bad();\n one'), ...patch('@@ -1,1 +1,2 @@\n x\n+bad();', 'b.ts')], 'a.ts', [4])).toBeNull();
    expect(editsOfLines(patch('@@ -4,3 +4,3 @@\n-}\n one\n+}\n two'), 'a.ts', [4])).not.toBeNull();
    expect(editsOfLines(patch('@@ -4,2 +4,2 @@\n-bad();\n+  bad();\n two'), 'a.ts', [4])).not.toBeNull();
  });
});

const rows: readonly [name: string, commit: FileChange[], isSame: boolean][] = [
  ['the same at other line numbers, between other lines', patch('@@ -40,3 +50,3 @@\n x\n-bad();\n+good();\n y'), true],
  ['the same with more', patch('@@ -1,3 +1,4 @@\n+first\n x\n-bad();\n+good();\n y\n@@ -9,1 +10,2 @@\n z\n+last'), true],
  ['a squash that adds the line as it is now', patch('@@ -4,2 +4,4 @@\n one\n+zero\n+good();\n two'), true],
  ['a squash that adds both', patch('@@ -4,2 +4,4 @@\n one\n+bad();\n+good();\n two'), false],
  ['another text', patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+better();\n two'), false],
  ['the removal alone', patch('@@ -4,3 +4,2 @@\n one\n-bad();\n two'), false],
  ['the same in another file', patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+good();\n two', 'b.ts'), false],
  ['the same in the file before it was renamed', patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+good();\n two', 'b.ts', 'a.ts'), true],
  ['the revert', patch('@@ -4,3 +4,3 @@\n one\n-good();\n+bad();\n two'), false],
  ['nothing', [], false],
];

describe('the same edits', () => {
  it('are recognized whatever is around them', () =>
    everyRow(rows, ([name]) => name, ([, commit, isSame]) => expect(makesSameEdits(commit, allEdits(fix))).toBe(isSame)));

  it('have the other name of a file if that is given', () => {
    expect(makesSameEdits(patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+good();\n two', 'b.ts'), allEdits(fix), ['b.ts'])).toBe(true);
  });

  it('of a line that was only removed are made by a squash that does not add it, or that removes it', () => {
    const removal = allEdits(patch('@@ -4,3 +4,2 @@\n one();\n-bad();\n two();'));
    const squash = patch('@@ -4,0 +4,2 @@\n+one();\n+two();');
    expect([makesSameEdits(squash, removal, [], true), makesSameEdits(squash, removal)]).toEqual([true, false]);
    expect(makesSameEdits(patch('@@ -4,0 +4,3 @@\n+one();\n+bad();\n+two();'), removal, [], true)).toBe(false);
    expect(makesSameEdits(patch('@@ -4,3 +4,1 @@\n-one();\n-bad();\n two();'), removal)).toBe(true);
  });

  it('have one patch id, without line numbers and unchanged lines', () => {
    expect(patchId(patch('@@ -40,3 +50,3 @@\n x\n-bad();\n+good();\n y'))).toBe(patchId(fix));
    expect(patchId(patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+better();\n two'))).not.toBe(patchId(fix));
    expect(patchId(patch('@@ -4,3 +4,3 @@\n one\n-bad();\n+good();\n two', 'b.ts'))).not.toBe(patchId(fix));
  });
});

it('lines are back if the diff adds them again, or no longer removes them', () => {
  const line = (wasAdded: boolean) => ({ text: 'bad();', wasAdded });
  const added = patch('@@ -4,1 +4,2 @@\n one\n+bad();');
  expect([areBack(added, 'a.ts', [line(true)]), areBack(fix, 'a.ts', [line(true)])]).toEqual([true, false]);
  expect([areBack([], 'a.ts', [line(false)]), areBack(fix, 'a.ts', [line(false)])]).toEqual([true, false]);
});
