import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsAfter } from '../../src/diff/apply.js';
import { parsePatch } from '../../src/diff/patch.js';
import { patchBetween } from '../../src/diff/write.js';
import { isAll } from '../support/extent.js';

const texts = (files: Record<string, string>) => new Map(Object.entries(files));

const line = fc.constantFrom('a', 'b', 'c', '', '+x', '-y', ' z', '@@ -1 +1 @@', '\\ no', 'd\r');
const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.length === 0 ? '' : lines.join('\n') + (ends ? '\n' : ''))
  .filter((made) => made === '' || made.replace(/\n$/, '') !== '');
const files = fc.dictionary(fc.constantFrom('a.ts', 'b c.ts', 'ü/"d".ts', 'e'), text);

test('a diff between any texts gives the second ones from the first', () => {
  fc.assert(fc.property(files, files, (from, to) => {
    const changes = parsePatch(patchBetween(texts(from), texts(to)));
    expect(textsAfter(texts(from), changes)).toEqual(texts(to));
  }), { numRuns: 500 });
});

test('large texts without a common line replace each other', () => {
  const many = (word: string) => Array.from({ length: isAll ? 5_000 : 1_500 }, (_, i) => `${word} ${i}\n`).join('');
  const changes = parsePatch(patchBetween(texts({ x: many('a') }), texts({ x: many('b') })));
  expect(changes).toHaveLength(1);
  expect(textsAfter(texts({ x: many('a') }), changes)).toEqual(texts({ x: many('b') }));
});

const diff = '--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n b\n-c\n+d\n';

test.each([
  ['other removed lines', { x: 'a\nb\nC\n' }], ['other unchanged lines', { x: 'a\nB\nc\n' }], ['too few lines', { x: 'a\nb\n' }],
  ['lines in another place', { x: 'b\nc\n' }], ['no such file', { y: 'a\nb\nc\n' }],
])('a diff does not fit to texts with %s', (_, from) => {
  expect(textsAfter(texts(from), parsePatch(diff))).toBe(null);
});

test('a new file does not fit where there is one', () => {
  expect(textsAfter(texts({ x: '' }), parsePatch('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n'))).toBe(null);
});

test('images and modes change no text', () => {
  const changes = parsePatch('diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n'
    + 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n');
  expect(textsAfter(texts({ x: 'a' }), changes)).toEqual(texts({ x: 'a' }));
});

test('files that swap their names keep their texts', () => {
  const swap = 'diff --git a/x b/y\nrename from x\nrename to y\ndiff --git a/y b/x\nrename from y\nrename to x\n';
  expect(textsAfter(texts({ x: '1', y: '2' }), parsePatch(swap))).toEqual(texts({ x: '2', y: '1' }));
});
