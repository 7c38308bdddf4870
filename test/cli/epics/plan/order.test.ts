import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movesTo, reorderParams, type Move } from '../../../../src/cli/epics/plan.js';
import { runsOf } from '../../../support/extent.js';

/** What the service does with a move. */
const moved = (order: readonly number[], move: Move): number[] => {
  const others = order.filter((id) => id !== move.child);
  const at = 'after' in move ? others.indexOf(move.after) + 1 : others.indexOf(move.before);
  return [...others.slice(0, at), move.child, ...others.slice(at)];
};

const afterMoves = (order: readonly number[], moves: readonly Move[]): readonly number[] => moves.reduce(moved, order);

/** The number of moves of the shortest way, found by trying all of them. */
const fewest = (from: readonly number[], to: readonly number[]): number => {
  const goal = String(to);
  let reached = new Map([[String(from), [...from]]]);
  for (let count = 0; ; count++) {
    if (reached.has(goal)) return count;
    const next = [...reached.values()].flatMap((order) => order.flatMap((child) =>
      order.filter((other) => other !== child).map((after) => moved(order, { child, after }))
        .concat([moved(order, { child, before: order.find((other) => other !== child)! })])));
    reached = new Map(next.map((order) => [String(order), order]));
  }
};

const siblings = (most: number) => fc.integer({ min: 0, max: most }).map((count) => Array.from({ length: count }, (_, i) => i + 1));
const pair = (most: number) => siblings(most).chain((ids) => fc.tuple(
  fc.shuffledSubarray(ids, { minLength: ids.length }), fc.shuffledSubarray(ids)));
const targetOf = (current: readonly number[], wanted: readonly number[]) =>
  [...wanted, ...current.filter((id) => !wanted.includes(id))];

describe('movesTo', () => {
  it('reaches the wanted order, with the other siblings behind it in their order', () => {
    fc.assert(fc.property(pair(40), ([current, wanted]) => {
      expect(afterMoves(current, movesTo(current, wanted))).toEqual(targetOf(current, wanted));
    }), { numRuns: runsOf(1000) });
  });

  it('needs as few moves as the shortest way', () => {
    fc.assert(fc.property(pair(5), ([current, wanted]) => {
      expect(movesTo(current, wanted)).toHaveLength(fewest(current, targetOf(current, wanted)));
    }), { numRuns: runsOf(200) });
  });

  it('never moves a child next to itself, and changes the order with each move', () => {
    fc.assert(fc.property(pair(20), ([current, wanted]) => {
      let order: readonly number[] = current;
      for (const move of movesTo(current, wanted)) {
        const next = moved(order, move);
        expect(next).not.toEqual(order);
        expect('after' in move ? move.after : move.before).not.toBe(move.child);
        order = next;
      }
    }));
  });

  it('moves one child of thousands with one call', () => {
    const current = Array.from({ length: 5000 }, (_, i) => i);
    expect(movesTo(current, [4999])).toEqual([{ child: 4999, before: 0 }]);
    expect(movesTo(current, [...current.slice(1), 0])).toEqual([{ child: 0, after: 4999 }]);
  });

  it('needs no move for the present order', () => {
    expect(movesTo([3, 1, 2], [3, 1])).toEqual([]);
    expect(movesTo([], [])).toEqual([]);
  });

  it('names the side of the sibling in the parameters of the call', () => {
    expect(reorderParams({ child: 1, after: 2 })).toEqual({ child_epic_id: 1, move_before_id: 2 });
    expect(reorderParams({ child: 1, before: 2 })).toEqual({ child_epic_id: 1, move_after_id: 2 });
  });
});
