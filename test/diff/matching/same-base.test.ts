import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesIn, parsePatch } from '../../../src/diff/patch.js';
import { traceOnSameBase, traceTexts } from '../../../src/diff/matching.js';
import { patchBetween } from '../../../src/diff/write.js';

const text = (lines: readonly string[]) => new Map([['x', lines.map((line) => `${line}\n`).join('')]]);
const between = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>) => changesIn(parsePatch(patchBetween(from, to)));

test('two diffs tell the same as the texts that they are of', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 40 });
  fc.assert(fc.property(numbers, numbers, numbers, (inBase, inFormer, inNext) => {
    const [base, former, next] = [inBase, inFormer, inNext].map((some) => text([...some].sort((a, b) => a - b).map(String)));
    const trace = traceOnSameBase(between(base!, former!), between(base!, next!))('x')!;
    const expected = traceTexts(former!, next!)('x')!;
    for (let line = 1; line <= inFormer.length; line++) expect(trace.line(line)).toBe(expected.line(line));
  }), { numRuns: 300 });
});

const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`);
const rename = (to: string) => changesIn(parsePatch(`diff --git a/x b/${to}\nrename from x\nrename to ${to}\n`));

test('renames are followed through the base', () => {
  expect(traceOnSameBase(rename('y'), rename('z'))('y')!.path).toBe('z');
  expect(traceOnSameBase(changesIn([]), rename('z'))('x')!.path).toBe('z');
  expect(traceOnSameBase(rename('y'), changesIn([]))('y')!.path).toBe('x');
  expect(traceOnSameBase(rename('y'), between(text(lines), new Map()))('y')).toBe(null);
});

test('a new file keeps its lines under another name, if at least half of them are the same', () => {
  const made = (path: string, some: readonly string[]) => between(new Map(), new Map([[path, some.map((line) => `${line}\n`).join('')]]));
  const trace = traceOnSameBase(made('new', lines), made('other', ['first', ...lines.slice(2)]))('new')!;
  expect([trace.path, trace.line(1), trace.line(3)]).toEqual(['other', null, 2]);
  expect(traceOnSameBase(made('new', lines), made('other', lines.slice(8)))('new')).toBe(null);
  expect(traceOnSameBase(made('new', lines), changesIn([]))('new')).toBe(null);
});
