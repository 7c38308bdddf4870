import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines, traceOnSameBase, traceTexts } from '../../src/diff/matching.js';
import { changesIn, parsePatch } from '../../src/diff/patch.js';
import { patchBetween } from '../../src/diff/write.js';

test('a line feed at the end adds no line', () => {
  expect([splitLines(''), splitLines('a'), splitLines('a\n'), splitLines('a\n\n')]).toEqual([[], ['a'], ['a'], ['a', '']]);
});

/** Where the lines of a text are in another one. */
const linesIn = (one: readonly string[], other: readonly string[]) => {
  const file = traceTexts(new Map([['file', one.join('\n')]]), new Map([['file', other.join('\n')]]))('file')!;
  return one.map((_, i) => file.line(i + 1));
};

test('lines are matched by their text, in order', () => {
  expect(linesIn(['a', 'b', 'c'], ['0', 'a', 'c'])).toEqual([2, null, 3]);
});

test('texts that differ by too many lines have none in common', () => {
  const many = (word: string) => Array.from({ length: 6_000 }, (_, i) => `${word} ${i}`);
  expect(linesIn([...many('a'), 'same'], [...many('b'), 'same']).filter((line) => line !== null)).toEqual([]);
});

test('a text is followed to its path, or to the most similar new text', () => {
  const from = new Map([['x', '1\n2\n3\n'], ['y', 'y\n'], ['z', 'z\n']]);
  const to = new Map([['y', 'Y\n'], ['near', '1\n2\nthree\n'], ['nearer', '0\n1\n2\n3\n']]);
  const trace = traceTexts(from, to);
  expect(trace('x')).toMatchObject({ path: 'nearer' });
  expect([1, 2, 3, 4].map((line) => trace('x')!.line(line))).toEqual([2, 3, 4, null]);
  expect([trace('y')!.path, trace('y')!.line(1)]).toEqual(['y', null]);
  expect([trace('z'), trace('unknown')]).toEqual([null, null]);
});

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
