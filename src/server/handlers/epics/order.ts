import type { Contract } from '../../../contract/operations.js';
import { canChangeChild, parentEpic, readableChildren } from '../../api/access/access.js';
import type { OperationHandler } from '../../api/context.js';
import { badRequest, httpError } from '../../http/errors.js';
import { jsonArray } from '../../http/json.js';
import { childrenOf, positionGap, setPosition, type ChildRow } from '../../repositories/epics.js';
import type { Queries } from '../../store/database.js';
import { childrenJson } from './children.js';

/** Held while links change, so that concurrent changes cannot create a cycle or exceed the depth. */
export const treeLock = 'epic tree';

/**
 * `move_before_id` is the sibling that ends up before the child, `move_after_id` the one after it (behavior:
 * epics.reorder-before, epics.reorder-after). Responds with all children (behavior: epics.reorder-response). The same
 * sibling for both is rejected (behavior: epics.reorder-same).
 */
export const reorderChild: OperationHandler<Contract['epics']['reorder']> = async (params, call) => {
  const parent = await parentEpic(call, params, 'change');
  await call.queries.lock(treeLock);
  const readable = await readableChildren(call, parent.epic);
  const moved = sibling(readable, params.child_epic_id);
  if (!await canChangeChild(call, moved)) throw notAChild();
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

/** @throws HttpError 404 if it is not a child of the parent, or hidden (behavior: epics.reorder-unknown) */
const sibling = (children: readonly ChildRow[], id: number | null): ChildRow => {
  const found = children.find((child) => child.id === id);
  if (!found) throw notAChild();
  return found;
};

const notAChild = () => httpError(404, 'Epic not found for given params');

export interface Placed { readonly id: number; readonly position: number }

/** A missing neighbor is null. Null if no safe integer is left between them. */
export const positionBetween = (left: number | null, right: number | null): number | null => {
  const position = left !== null && right !== null ? Math.floor(left / 2 + right / 2)
    : left !== null ? left + positionGap : right !== null ? right - positionGap : 0;
  const fits = (left === null || left < position) && (right === null || position < right);
  return fits && Number.isSafeInteger(position) ? position : null;
};

/** In the same order, with evenly spaced positions. */
export const spread = <P extends Placed>(siblings: readonly P[]): P[] =>
  siblings.map((sibling, i) => ({ ...sibling, position: (i + 1) * positionGap }));

/** Null where not given. */
interface Wanted { readonly before: Placed | null; readonly after: Placed | null }

/**
 * Among the others. Null if it does not move: no neighbor is given, it is in place already, or it is its own neighbor
 * (behavior: epics.reorder-neither, epics.reorder-both, epics.reorder-itself). Between two that are not adjacent it
 * moves to the middle of their positions (behavior: epics.reorder-apart).
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
