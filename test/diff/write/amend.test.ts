import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amendedDiff, patchBetween } from '../../../src/diff/write.js';
import { textsAfter } from '../../../src/diff/apply.js';
import { diffLines } from '../../../src/diff/lines.js';
import { parsePatch } from '../../../src/diff/patch.js';
import { splitLines, type FileTexts } from '../../../src/diff/matching.js';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '-- x', '++ y'), { maxLength: 30 });
const text = fc.tuple(lines, fc.boolean()).map(([all, ends]) => all.length === 0 ? '' : all.join('\n') + (ends || all.at(-1) === '' ? '\n' : ''));

/** Lines of the new side that the diff shows next to each other. */
const shownRuns = (diff: string): number[] => diffLines(diff).filter(({ kind }) => kind !== 'removed').map(({ newLine }) => newLine);

type Amendment = Parameters<typeof amendedDiff>[2][number];

const splice = (head: string, { from_line, to_line, text: wanted }: Amendment): string => {
  const all = head.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  all.splice(from_line - 1, to_line - from_line + 1, wanted);
  return all.join('');
};

describe('a diff with other new lines', () => {
  it('leads to the text with these lines, whatever the texts', () => {
    fc.assert(fc.property(text, text, text, fc.nat(), fc.nat(3), (base, head, replacement, at, more) => {
      const wanted = splitLines(replacement).map((line) => `${line}\n`).join('');
      const before: FileTexts = new Map([['a.txt', base], ['b.txt', 'x\n']]);
      const diff = patchBetween(before, new Map([['a.txt', head], ['b.txt', 'y\n']]));
      const file = parsePatch(diff).find(({ new_path }) => new_path === 'a.txt');
      const shown = shownRuns(file?.diff ?? '');
      fc.pre(shown.length > 0);
      const first = shown[at % shown.length]!;
      let last = first;
      while (last - first < more && shown.includes(last + 1)) last++;
      const amendment = { from_line: first, to_line: last, text: wanted };
      const after = textsAfter(before, parsePatch(amendedDiff(diff, 'a.txt', [amendment])));
      expect(after?.get('a.txt')).toBe(splice(head, amendment));
      expect(after?.get('b.txt')).toBe('y\n');
    }), { numRuns: 500 });
  });

  it('takes several amendments, counted in the lines before any of them', () => {
    const diff = patchBetween(new Map([['a', '1\n2\n3\n4\n']]), new Map([['a', '1\ntwo\n3\nfour\n']]));
    const amended = amendedDiff(diff, 'a', [{ from_line: 2, to_line: 2, text: '' }, { from_line: 4, to_line: 4, text: 'x\ny\n' }]);
    expect(textsAfter(new Map([['a', '1\n2\n3\n4\n']]), parsePatch(amended))?.get('a')).toBe('1\n3\nx\ny\n');
  });

  it('leaves out a file that then equals the old one, unless it was renamed', () => {
    const diff = patchBetween(new Map([['a', '1\n2\n'], ['b', '1\n']]), new Map([['a', '1\ntwo\n'], ['b', '2\n']]));
    const undone = [{ from_line: 2, to_line: 2, text: '2\n' }];
    expect(parsePatch(amendedDiff(diff, 'a', undone)).map(({ new_path }) => new_path)).toEqual(['b']);
    const renamed = 'diff --git a/a b/c\nrename from a\nrename to c\n--- a/a\n+++ b/c\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n';
    expect(parsePatch(amendedDiff(renamed, 'c', undone))).toMatchObject([{ old_path: 'a', new_path: 'c', diff: '' }]);
  });

  it('stays as it is for other files', () => {
    const diff = patchBetween(new Map([['a', '1\n']]), new Map([['a', '2\n']]));
    expect(amendedDiff(diff, 'b', [{ from_line: 1, to_line: 1, text: 'x\n' }])).toBe(diff);
  });
});
