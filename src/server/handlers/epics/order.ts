import { positionGap, setPosition, type ChildRow } from '../../repositories/epics.js';
import type { Queries } from '../../store/database.js';

export interface Sibling { readonly id: number; readonly position: number }

/** A missing neighbor is null. Null if no safe integer is left between them. */
export const positionBetween = (left: number | null, right: number | null): number | null => {
  const position = left !== null && right !== null ? Math.floor(left / 2 + right / 2)
    : left !== null ? left + positionGap : right !== null ? right - positionGap : 0;
  const fits = (left === null || left < position) && (right === null || position < right);
  return fits && Number.isSafeInteger(position) ? position : null;
};

export const spread = <P extends Sibling>(siblings: readonly P[]): P[] =>
  siblings.map((sibling, i) => ({ ...sibling, position: (i + 1) * positionGap }));

interface Wanted { readonly before: Sibling | null; readonly after: Sibling | null }

/**
 * Among the others. Null if it does not move: no neighbor is given, it is in place already, or it is its own neighbor
 * (behavior: epics.reorder-neither, epics.reorder-both, epics.reorder-itself). Between two that are not adjacent it
 * moves to the middle of their positions (behavior: epics.reorder-apart).
 */
export const newIndex = (siblings: readonly Sibling[], moved: Sibling, { before, after }: Wanted): number | null => {
  if (before?.id === moved.id || after?.id === moved.id) return null;
  const now = siblingIndex(siblings, moved);
  const others = siblings.filter(({ id }) => id !== moved.id);
  const [first, last] = [before, after]
    .flatMap((sibling) => sibling ? [siblingIndex(others, sibling)] : []).sort(ascending);
  if (first === undefined) return null;
  if (last === undefined) {
    const index = before ? first + 1 : first;
    return index === now ? null : index;
  }
  return first < now && now <= last ? null : middle(others, first, last);
};

const ascending = (a: number, b: number): number => a - b;

const siblingIndex = (siblings: readonly Sibling[], { id }: Sibling): number =>
  siblings.findIndex((sibling) => sibling.id === id);

const middle = (others: readonly Sibling[], first: number, last: number): number => {
  const position = positionBetween(others[first]!.position, others[last]!.position);
  const index = position === null ? -1 : others.findIndex((other, i) => i > first && other.position >= position);
  return index < 0 ? first + 1 : index;
};

/** Renumbers the other children first if there is no space. */
export const positionAt = async (queries: Queries, others: readonly ChildRow[], index: number): Promise<number> => {
  const found = positionBefore(others, index);
  if (found !== null) return found;
  const apart = spread(others);
  for (const { noteable, position } of apart) await setPosition(queries, noteable, position);
  return positionBefore(apart, index)!;
};

const positionBefore = (others: readonly ChildRow[], index: number): number | null =>
  positionBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null);
