import type { Contract } from '../../contract/contract.js';
import { parentEpic, readableChildren } from '../access/epic.js';
import type { Behaviour } from '../call.js';
import { jsonArray } from '../json.js';
import { childrenOf, setPosition, type ChildRow } from '../records/epic-tree.js';
import { badRequest, refusal } from '../refusal.js';
import { treeLock } from './hierarchy.js';
import { childrenJson } from './list.js';
import { newIndex } from './order.js';
import { positionAt } from './place.js';

/**
 * Reorder child: `move_before_id` is the sibling that ends up before it, `move_after_id` the one that ends up after it
 * (wire-facts 6.5). The answer is all of the children, not paged (6.5.7). Two names for one sibling are refused, where
 * the real service fails.
 */
export const reorderChild: Behaviour<Contract['epics']['reorder']> = async (params, call) => {
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
