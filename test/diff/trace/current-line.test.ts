import { expect, test } from 'vitest';
import { changesIn, parsePatch } from '../../../src/diff/patch.js';
import { currentLine, type LinePlace, sameFiles, traceThrough, unknownFiles } from '../../../src/diff/trace.js';
import { patchBetween } from '../../../src/diff/write.js';

const text = (path: string, ...lines: string[]) => new Map([[path, lines.map((line) => `${line}\n`).join('')]]);
const changes = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>) => changesIn(parsePatch(patchBetween(from, to)));

const base = text('x', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i');
const removed: LinePlace = { old_path: 'x', new_path: 'x', old_line: 2, new_line: null };
const added: LinePlace = { old_path: 'x', new_path: 'x', old_line: null, new_line: 2 };

test.each([
  ['moved', added, text('x', 'a', 'n', 'b'), text('x', '0', 'a', 'n', 'b'), { path: 'x', line: 3, isRemoved: false }],
  ['changed', added, text('x', 'a', 'n', 'b'), text('x', 'a', 'N', 'b'), null],
  ['deleted with its file', added, text('x', 'a', 'n', 'b'), new Map(), null],
  ['still removed', removed, text('x', 'a', 'c', 'd'), text('x', '0', 'a', 'c', 'd', 'e', 'f'), { path: 'x', line: 2, isRemoved: true }],
  ['restored', removed, text('x', 'a', 'c', 'd'), text('x', '0', 'a', 'b', 'c', 'd', 'e'), { path: 'x', line: 3, isRemoved: false }],
  ['restored with its whole file', removed, text('x', 'a', 'c', 'd'), base, { path: 'x', line: 2, isRemoved: false }],
])('a line that was %s', (_, place, former, next, expected) => {
  const change = { base: sameFiles, head: traceThrough(changes(former, next)), diff: changes(base, next) };
  expect(currentLine(place, change)).toEqual(expected);
});

test('a line moves with a renamed file, and stays in a file without changes', () => {
  const trace = traceThrough(changes(base, new Map([['y', base.get('x')!]])));
  expect([trace('x')?.path, trace('x')?.line(3), trace('z')?.path, trace('z')?.line(3)]).toEqual(['y', 3, 'z', 3]);
});

test('nobody knows a line of unknown files', () => {
  const diff = changesIn([]);
  for (const place of [added, removed]) expect(currentLine(place, { base: unknownFiles, head: unknownFiles, diff })).toBe(null);
});
