import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newIndex, positionBetween, spread, type Sibling } from '../../../src/server/handlers/epics.js';
import { positionGap } from '../../../src/server/repositories/epics.js';

test('a position lies between its neighbours, or a gap away from the only one', () => {
  expect(positionBetween(10, 20)).toBe(15);
  expect(positionBetween(-4, -1)).toBe(-3);
  expect(positionBetween(10, null)).toBe(10 + 1_048_576);
  expect(positionBetween(null, 10)).toBe(10 - 1_048_576);
  expect(positionBetween(null, null)).toBe(0);
});

test('there is none between neighbours that touch, nor beyond the numbers that are exact', () => {
  expect(positionBetween(1, 2)).toBe(null);
  expect(positionBetween(5, 5)).toBe(null);
  expect(positionBetween(Number.MAX_SAFE_INTEGER, null)).toBe(null);
  expect(positionBetween(null, Number.MIN_SAFE_INTEGER)).toBe(null);
});

const whole = fc.maxSafeInteger();

test('a position is always an integer strictly between its neighbors', () => {
  const pairs = fc.oneof(fc.tuple(whole, whole), whole.map((a) => [a, Math.min(a + 2, Number.MAX_SAFE_INTEGER)] as const));
  fc.assert(fc.property(pairs, ([a, b]) => {
    const [left, right] = [Math.min(a, b), Math.max(a, b)];
    const position = positionBetween(left, right);
    const hasRoom = BigInt(right) - BigInt(left) >= 2n;
    expect(position === null ? !hasRoom : Number.isSafeInteger(position) && left < position && position < right).toBe(true);
  }));
});

test('siblings set apart keep their order', () => {
  expect(spread([{ id: 3, position: 1 }, { id: 1, position: 1 }])).toEqual([{ id: 3, position: positionGap }, { id: 1, position: 2 * positionGap }]);
});

/** Siblings with ids 0, 1, 2 … in a list order that their positions have. */
const lists = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 8 })
  .map((positions): Sibling[] => positions.sort((a, b) => a - b).map((position, id) => ({ id, position })));
const cases = lists.chain((siblings) => fc.tuple(
  fc.constant(siblings), fc.constantFrom(...siblings),
  fc.option(fc.constantFrom(...siblings)), fc.option(fc.constantFrom(...siblings))));

const moved = (siblings: readonly Sibling[], child: Sibling, index: number | null): number[] => {
  if (index === null) return siblings.map(({ id }) => id);
  const others = siblings.filter((other) => other !== child);
  return others.toSpliced(index, 0, child).map(({ id }) => id);
};

test('the child comes to stand next to one sibling, or somewhere between two, and all others keep their order', () => {
  fc.assert(fc.property(cases, ([siblings, child, before, after]) => {
    fc.pre(before === null || before !== after);
    const index = newIndex(siblings, child, { before, after });
    const order = moved(siblings, child, index);
    const at = (sibling: Sibling) => order.indexOf(sibling.id);
    const namesItself = before === child || after === child;
    if (namesItself || (!before && !after)) expect(index).toBe(null);
    else if (before && after) {
      expect(Math.min(at(before), at(after))).toBeLessThan(at(child));
      expect(Math.max(at(before), at(after))).toBeGreaterThan(at(child));
    } else expect(at(child)).toBe(before ? at(before) + 1 : at(after!) - 1);
    const rest = siblings.filter((sibling) => sibling !== child).map(({ id }) => id);
    expect(order.filter((id) => id !== child.id)).toEqual(rest);
  }));
});

test('only a child that is not where it is wanted moves', () => {
  fc.assert(fc.property(cases, ([siblings, child, before, after]) => {
    fc.pre(before === null || before !== after);
    const index = newIndex(siblings, child, { before, after });
    const stays = isDeepStrictEqual(moved(siblings, child, index), siblings.map(({ id }) => id));
    expect(stays).toBe(index === null);
  }));
});
