import type { Contract } from '../../contract/contract.js';
import { parentEpic, readableChildren } from '../access/noteables.js';
import type { OperationHandler } from '../api/context.js';
import { badRequest, refusal } from '../http/errors.js';
import { jsonArray } from '../http/json.js';
import { childrenOf, positionGap, setPosition, type ChildRow } from '../repositories/epics.js';
import type { Queries } from '../store/database.js';
import { childrenJson } from './handlers.js';
import { treeLock } from './links.js';

/**
 * Reorder child: `move_before_id` is the sibling that ends up before it, `move_after_id` the one that ends up after it
 * (wire-facts 6.5). The answer is all of the children, not paged (6.5.7). Two names for one sibling are refused, where
 * the real service fails.
 */
export const reorderChild: OperationHandler<Contract['epics']['reorder']> = async (params, call) => {
  const parent = await parentEpic(call, params, 'change');
  await call.queries.lock(treeLock);
  const readable = await readableChildren(call, parent.epic);
  const moved = sibling(readable, params.child_epic_id);
  const named = (id: number | null | undefined) => id === null || id === undefined ? null : sibling(readable, id);
  const before = named(params.move_before_id);
  const after = named(params.move_after_id);
  if (before && before === after) throw badRequest('move_before_id and move_after_id name the same epic');
  const all = await childrenOf(call.queries, parent.epic.id);
  const index = newIndex(all, moved, { before, after });
  if (index !== null) {
    const others = all.filter(({ id }) => id !== moved.id);
    await setPosition(call.queries, moved.noteable, await positionAt(call.queries, others, index));
  }
  return jsonArray(await childrenJson(call, parent, readable));
};

/** @throws Refusal 404 for what is no child of the parent, or not for the caller to see (wire-facts 6.5.4, 6.5.5) */
const sibling = (children: readonly ChildRow[], id: number | null): ChildRow => {
  const found = children.find((child) => child.id === id);
  if (!found) throw refusal(404, 'Epic not found for given params');
  return found;
};

/** Something that has a place among its siblings. */
export interface Placed { readonly id: number; readonly position: number }

/**
 * A position between two neighbours, each null where there is none; null where no whole number is left between them,
 * or none that is exact.
 */
export const positionBetween = (left: number | null, right: number | null): number | null => {
  const position = left !== null && right !== null ? Math.floor(left / 2 + right / 2)
    : left !== null ? left + positionGap : right !== null ? right - positionGap : 0;
  const fits = (left === null || left < position) && (right === null || position < right);
  return fits && Number.isSafeInteger(position) ? position : null;
};

/** Where siblings stand when their places are given anew, in the order they have. */
export const spread = <P extends Placed>(siblings: readonly P[]): P[] =>
  siblings.map((sibling, i) => ({ ...sibling, position: (i + 1) * positionGap }));

/** Which siblings a moved one is to stand between: `before` in front of it, `after` behind it; null where not said. */
export interface Wanted { readonly before: Placed | null; readonly after: Placed | null }

/**
 * Where among the others a moved sibling is to be put: the index it then has. Null where it stays: nothing is said, it
 * stands there already, or it is to stand next to itself (wire-facts 6.5.2). Between two that are not adjacent it comes
 * to stand around the middle of their positions; the two may be given in either order.
 */
export const newIndex = (siblings: readonly Placed[], moved: Placed, { before, after }: Wanted): number | null => {
  if (before?.id === moved.id || after?.id === moved.id) return null;
  const now = indexOf(siblings, moved);
  const others = siblings.filter(({ id }) => id !== moved.id);
  const [first, last] = [before, after].flatMap((sibling) => sibling ? [indexOf(others, sibling)] : []).sort(ascending);
  if (first === undefined) return null;
  if (last === undefined) {
    const index = before ? first + 1 : first;
    return index === now ? null : index;
  }
  return first < now && now <= last ? null : middle(others, first, last);
};

const ascending = (a: number, b: number): number => a - b;

const indexOf = (siblings: readonly Placed[], { id }: Placed): number =>
  siblings.findIndex((sibling) => sibling.id === id);

const middle = (others: readonly Placed[], first: number, last: number): number => {
  const position = positionBetween(others[first]!.position, others[last]!.position);
  const index = position === null ? -1 : others.findIndex((other, i) => i > first && other.position >= position);
  return index < 0 ? first + 1 : index;
};

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
