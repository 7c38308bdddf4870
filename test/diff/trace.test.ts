import { expect, test } from 'vitest';
import { changesIn, parsePatch } from '../../src/diff/patch.js';
import { traceTexts } from '../../src/diff/matching.js';
import { sameFiles, traceLine, unknownFiles, type LinePlace, type VersionChange } from '../../src/diff/trace.js';
import { patchBetween } from '../../src/diff/write.js';

const text = (...lines: string[]) => new Map([['x', lines.map((line) => `${line}\n`).join('')]]);

/** What a comment on a line comes to, after the texts of base and head changed from `a` and `b` to `c` and `d`. */
const traced = (numbers: Pick<LinePlace, 'old_line' | 'new_line'>, [a, b, c, d]: readonly ReadonlyMap<string, string>[]) => {
  const change: VersionChange = { base: traceTexts(a!, c!), head: traceTexts(b!, d!), diff: changesIn(parsePatch(patchBetween(c!, d!))) };
  const place = traceLine({ old_path: 'x', new_path: 'x', ...numbers }, change);
  return place && [place.old_line, place.new_line];
};

const added = { old_line: null, new_line: 2 };
const removed = { old_line: 2, new_line: null };
const unchanged = { old_line: 2, new_line: 2 };
const [ab, anb] = [text('a', 'b'), text('a', 'n', 'b')];

test.each([
  ['added and still added', added, [ab, anb, ab, text('0', 'a', 'n', 'b')], [null, 3]],
  ['added and gone', added, [ab, anb, ab, ab], null],
  ['added and now in the base, near a change', added, [ab, anb, anb, text('a', 'n', 'B')], [2, 2]],
  ['added and now in the base, without a change', added, [ab, anb, anb, anb], null],
  ['removed and still removed', removed, [anb, ab, text('0', 'a', 'n', 'b'), ab], [3, null]],
  ['removed and now removed by the base', removed, [anb, ab, ab, ab], null],
  ['removed and back', removed, [anb, ab, anb, text('a', 'n', 'B')], null],
  ['unchanged near a change', unchanged, [anb, text('a', 'n', 'B'), anb, text('A', 'n', 'b')], [2, 2]],
  ['unchanged and no longer shown', unchanged, [anb, text('a', 'n', 'B'), anb, anb], null],
  ['unchanged and no longer in the base', unchanged, [anb, text('a', 'n', 'B'), ab, anb], [null, 2]],
  ['unchanged and gone', unchanged, [anb, text('a', 'n', 'B'), anb, ab], null],
])('a line that was %s', (_, numbers, texts, expected) => {
  expect(traced(numbers, texts)).toEqual(expected);
});

test('a line is outdated if nobody knows where it is', () => {
  const diff = changesIn(parsePatch(patchBetween(ab, anb)));
  expect(traceLine({ old_path: 'x', new_path: 'x', ...added }, { base: sameFiles, head: unknownFiles, diff })).toBe(null);
});
