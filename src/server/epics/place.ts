import { setPosition, type ChildRow } from '../records/epic-tree.js';
import type { Queries } from '../store/database.js';
import { positionBetween, spread } from './order.js';

/**
 * The position that gives a child an index among the others. Where no room is left, the others are set apart first.
 */
export const positionAt = async (queries: Queries, others: readonly ChildRow[], index: number): Promise<number> => {
  const found = positionBefore(others, index);
  if (found !== null) return found;
  const apart = spread(others);
  for (const { noteable, position } of apart) await setPosition(queries, noteable, position);
  return positionBefore(apart, index)!;
};

const positionBefore = (others: readonly ChildRow[], index: number): number | null =>
  positionBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null);
