import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idNumbering } from '../../../src/server/world-file/seed-context.js';

const numbered = (things: readonly { readonly id?: number }[]): number[] => {
  const number = idNumbering(things);
  return things.map(({ id }) => number(id));
};

test('what has no number gets the next one after the thing before it', () => {
  expect(numbered([{}, {}, { id: 501 }, {}, {}])).toEqual([1, 2, 501, 502, 503]);
});

test('a number that a later thing names for itself is left to it', () => {
  expect(numbered([{}, { id: 1 }, {}, { id: 2 }, {}])).toEqual([3, 1, 4, 2, 5]);
});

test('no number is given twice, and named numbers stay', () => {
  const things = fc.uniqueArray(fc.integer({ min: 1, max: 30 })).chain((ids) =>
    fc.array(fc.constant({}), { maxLength: 10 }).chain((rest) => fc.shuffledSubarray(
      [...ids.map((id) => ({ id })), ...rest], { minLength: ids.length + rest.length })));
  fc.assert(fc.property(things, (list: readonly { readonly id?: number }[]) => {
    const numbers = numbered(list);
    expect(new Set(numbers).size).toBe(list.length);
    list.forEach(({ id }, i) => { if (id !== undefined) expect(numbers[i]).toBe(id); });
  }));
});
