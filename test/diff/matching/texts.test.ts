import { expect, test } from 'vitest';
import { splitLines, traceTexts } from '../../../src/diff/matching.js';

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
