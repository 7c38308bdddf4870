import type { Contract } from '../../contract/contract.js';
import { parentEpic, readableEpic } from '../access/epic.js';
import type { Behaviour } from '../call.js';
import { epicById } from '../records/epics.js';
import { unhangEpic } from '../records/epic-tree.js';
import { epicJson } from '../render/epic.js';
import { noSuchEpic } from './assign.js';
import { treeLock } from './hierarchy.js';
import { viewOf } from './list.js';
import { noteLink } from './system-notes.js';

/** Unassign child. It keeps its group and its children; what is no child of the parent is unknown (wire-facts 6.6). */
export const unassignChild: Behaviour<Contract['epics']['unassign']> = async (params, call) => {
  const parent = await parentEpic(call, params, 'part');
  await call.queries.lock(treeLock);
  const child = await readableEpic(call, params.child_epic_id);
  if (!child || child.parent_id !== parent.epic.id) throw noSuchEpic();
  await unhangEpic(call.queries, child.noteable, call.now);
  await noteLink(call, 'removed', parent.epic, child);
  return epicJson((await epicById(call.queries, child.id))!, viewOf(call, parent));
};
