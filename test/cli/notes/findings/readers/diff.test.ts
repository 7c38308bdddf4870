import { describe, expect, it } from 'vitest';
import { readDiff } from '../../../../../src/cli/notes/findings/readers/diff.js';
import { readText } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

describe('a diff', () => {
  const hunk = (...lines: string[]) => `--- a/a.txt\n+++ b/a.txt\n${lines.join('\n')}\n`;

  it('becomes a suggestion for each block of changed lines', () => {
    const { findings } = readDiff(hunk('@@ -1,6 +1,5 @@', ' one', '-two', '-three', '+zwei', ' four', '+extra', ' five', '-six'));
    expect(findings.map(({ suggestion }) => suggestion)).toEqual([
      { from: 2, to: 3, text: 'zwei\n' }, { from: 4, to: 4, text: 'four\nextra\n' }, { from: 6, to: 6, text: '' },
    ]);
  });

  it('suggests lines before the first one together with it', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,2 @@', '+zero', ' one'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'zero\none\n' });
  });

  it('keeps blocks of different hunks apart', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,1 @@', '-one', '+eins', '@@ -9,1 +9,1 @@', '-nine', '+neun'));
    expect(findings.map(({ suggestion }) => suggestion!.from)).toEqual([1, 9]);
  });

  it('suggests lines after the last one together with it', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,2 @@', ' one', '+two'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'one\ntwo\n' });
  });

  it('takes the line beside them from their own hunk, even if the numbers of another one contradict it', () => {
    const { findings } = readDiff(hunk('@@ -13,2 +13,3 @@', ' thirteen', '+extra', ' fourteen', '@@ -13,2 +13,2 @@', ' ten', '-fourteen', '+two'));
    expect(findings[0]!.suggestion).toEqual({ from: 13, to: 13, text: 'thirteen\nextra\n' });
  });

  it('has the missing lines as details where no neighbor is shown', () => {
    for (const [header, line] of [['@@ -0,0 +1,2 @@', 1], ['@@ -3,0 +4,2 @@', 3]] as const) {
      const { findings } = readDiff(hunk(header, '+one', '+two'));
      expect(findings).toMatchObject([{ file: 'a.txt', line, message: 'lines are missing here', details: 'one\ntwo' }]);
      expect(findings[0]).not.toHaveProperty('suggestion');
    }
  });

  it('has the place in the old file, under its old path', () => {
    const { findings } = readDiff('--- a/old.txt\n+++ b/new.txt\n@@ -3,3 +5,2 @@\n-three\n-four\n+3\n five\n');
    expect(findings).toMatchObject([{ file: 'old.txt', line: 3, endLine: 4, suggestion: { from: 3, to: 4, text: '3\n' } }]);
  });

  it('may have the prefixes of diff.mnemonicPrefix', () => {
    for (const [one, other] of [['i', 'w'], ['c', 'i'], ['c', 'w'], ['o', 'w'], ['w', 'i']]) {
      const header = `diff --git ${one}/c/a b.txt ${other}/c/a b.txt\nindex 5626abf..f719efd 100644\n`;
      const { findings } = readDiff(`${header}--- ${one}/c/a b.txt\t\n+++ ${other}/c/a b.txt\t\n@@ -1 +1 @@\n-one\n+two\n`);
      expect(findings).toMatchObject([{ file: 'c/a b.txt', line: 1 }]);
    }
    const { findings } = readDiff('diff --git i/x.txt i/x.txt\n--- i/x.txt\n+++ i/x.txt\n@@ -1 +1 @@\n-one\n+two\n');
    expect(findings).toMatchObject([{ file: 'i/x.txt' }]);
    const mode = 'diff --git i/a b.sh w/a b.sh\nold mode 100644\nnew mode 100755\n';
    expect(() => readDiff(mode)).toThrow(expect.objectContaining({ place: 'a b.sh' }) as Error);
  });

  it('may have no prefixes, also below folders that are named like one', () => {
    for (const name of ['a/x.txt', 'b/x y.txt', 'a/b/x.txt', 'src/x.txt', '"a/\\303\\274.txt"']) {
      const file = name === '"a/\\303\\274.txt"' ? 'a/ü.txt' : name;
      const { findings } = readDiff(`diff --git ${name} ${name}\n--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-one\n+two\n`);
      expect(findings).toMatchObject([{ file, line: 1 }]);
      expect(readDiff(`--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-one\n+two\n`).findings, 'without git').toMatchObject([{ file }]);
    }
    const renamed = 'diff --git a/x.txt a/y.txt\nrename from a/x.txt\nrename to a/y.txt\n--- a/x.txt\n+++ a/y.txt\n@@ -1 +1 @@\n-one\n+two\n';
    expect(readDiff(renamed).findings).toMatchObject([{ file: 'a/x.txt' }]);
  });

  it('may have the line breaks of Windows', () => {
    const { findings } = readDiff(hunk('@@ -1,1 +1,1 @@', '-one', '+eins').replaceAll('\n', '\r\n'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'eins\n' });
  });

  it('is of a failed run if its last line has no end, since the changes of other files may be missing', () => {
    const whole = hunk('@@ -1,1 +1,1 @@', '-one', '+eins');
    expect(readDiff(whole).failures).toBeUndefined();
    expect(readDiff(whole.trimEnd())).toMatchObject({ findings: [{ line: 1 }], failures: [{ message: 'the last line has no end: +eins' }] });
  });

  it('is rejected if it names no file', () => {
    expect(() => readDiff('no diff\n')).toThrow(expect.objectContaining({
      name: 'ReportError', place: 'line 1', message: 'expected a unified diff, found no file' }) as Error);
  });
});

const suggestion = '--- a/w\n+++ b/w\n@@ -1 +1 @@\n-a\n+b\n';
const unshown = 'which no finding on a line can show';

describe('a change that no line shows', () => {
  const rows: readonly (readonly [diff: string, failure: string])[] = [
    ['diff --git a/x b/x\nold mode 100644\nnew mode 100755', `x: mode 100644 changed to 100755, ${unshown}`],
    ['diff --git x x\nold mode 100644\nnew mode 100755', `x: mode 100644 changed to 100755, ${unshown}`],
    ['diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y', `x: renamed to y, ${unshown}`],
    ['diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y', `x: copied to y, ${unshown}`],
    ['diff --git a/x b/x\nnew file mode 100644\nindex 0..1', `x: a new file, ${unshown}`],
    ['diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+one', `x: a new file, ${unshown}`],
    ['diff --git a/x b/x\ndeleted file mode 100644\nindex 1..0', `x: a deleted file, ${unshown}`],
    ['diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\ndelta 9\nQcmZQz00aO5\n\nliteral 0\nHcmV?d00001', `x: a binary file, ${unshown}`],
    ['diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ', `line LINE: Binary files a/x and b/x differ, ${unshown}`],
    ['Only in b: x', `line LINE: Only in b: x, ${unshown}`],
  ];

  it('alone is an error that names the file', () => everyRow(rows, ([diff]) => diff, async ([diff, failure]) => {
    const line = String(diff.split('\n').length);
    await expect(readText('diff', `${diff}\n`)).rejects.toMatchObject({
      code: 'report', message: `report: ${failure.replace('LINE', line)}`, hint: expect.stringContaining('leave the file out') as string });
  }));

  it('fails the run beside suggestions', () => everyRow(rows, ([diff]) => diff, async ([diff, failure]) => {
    const line = String(diff.split('\n').length + 5);
    const report = await readText('diff', `${suggestion}${diff}\n`);
    expect([report.findings, report.failure, report.unread]).toMatchObject([[{ file: 'w' }], `report: ${failure.replace('LINE', line)}`, []]);
  }));
});

it('a diff of a merge is an error that names the file', () => everyRow([
  'diff --cc x\nindex 1,2..0\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n +c\n+ b', 'diff --combined x\nindex 1,2..0\n--- a/x\n+++ /dev/null',
  '* Unmerged path x',
], (diff) => diff, async (diff) => {
  for (const before of ['', suggestion]) {
    const line = before === '' ? 1 : 6;
    await expect(readText('diff', `${before}${diff}\n`)).rejects.toMatchObject({
      message: `report: line ${line}: x is in a merge`, hint: 'resolve its conflicts, and make it again with `git diff`' });
  }
}));

describe('a line that is no part of a diff', () => {
  it('fails the run if it says that git failed, wherever it is', () => everyRow(
    ['fatal: unable to read 1234', 'error: bad index file', 'Killed'], (line) => line, async (line) => {
      expect((await readText('diff', `${line}\n${suggestion}`)).failure).toBe(`report: line 1: ${line}`);
      expect((await readText('diff', `${suggestion}${line}\n`)).failure).toBe(`report: line 6: ${line}`);
      await expect(readText('diff', `${line}\n`)).rejects.toMatchObject({ code: 'report', message: `report: line 1: ${line}` });
      await expect(readText('diff', suggestion.replace('+b', `${line}\n+b`).replace('@@ -1 +1', '@@ -1,2 +1,2')))
        .rejects.toMatchObject({ message: `report: line 5: "${line}" fits no hunk` });
    }));

  it('is an error if it looks like one of a hunk', () => everyRow(['+c', '@@@ -1,1 -1,1 +1,2 @@@'], (line) => line, async (line) => {
    await expect(readText('diff', `${suggestion}${line}\n`)).rejects.toMatchObject({ message: `report: line 6: "${line}" fits no hunk` });
  }));

  it('is counted otherwise, unless each diff may have it', async () => {
    expect(await readText('diff', `commit 1\n\n    it crashed\n${suggestion}\\ No newline at end of file\n-- \n2.40.1\n`))
      .toMatchObject({ findings: [{ file: 'w' }], unread: [{ count: 3, line: 1, text: 'commit 1' }] });
    expect((await readText('diff', `Index: w\n======\n${suggestion}`)).failure).toBeUndefined();
  });
});
