import { expect, it } from 'vitest';
import { alignQuotes } from '../../../../../src/cli/notes/review/comments.js';

const quotes = (...texts: string[]) => texts.map((text, i) => ({ line: 10 + i, text }));

it('equal lines have their places', () => {
  expect(alignQuotes(['a', 'b', 'b'], quotes('a', 'b', 'b'))).toEqual({ places: [0, 1, 2], mistakes: [] });
});

it('a changed line keeps its place, an added one has none, and the lines after a missing one keep theirs', () => {
  const { places, mistakes } = alignQuotes(['a', 'b', 'c', 'd'], quotes('a', 'x', 'c', 'new', 'd'));
  expect(places).toEqual([0, 1, 2, undefined, 3]);
  expect(mistakes.map(({ line }) => line)).toEqual([11, 13]);
  expect(alignQuotes(['a', 'b', 'c'], quotes('a', 'c'))).toMatchObject({ places: [0, 2], mistakes: [{ line: 11 }] });
});

it('a page without any quoted line is one mistake', () => {
  expect(alignQuotes(['a', 'b'], [])).toMatchObject({ places: [], mistakes: [{ line: 1, message: '2 quoted lines from "> a" on are missing' }] });
});
