import type { Contract } from '../../contract/contract.js';
import { parentEpic, readableEpic } from '../access/epic.js';
import type { Behaviour, Call } from '../call.js';
import { epicById, type EpicRow } from '../records/epics.js';
import { childrenOf, hangEpic } from '../records/epic-tree.js';
import { refusal } from '../refusal.js';
import { epicJson } from '../render/epic.js';
import { assignProblem, treeLock } from './hierarchy.js';
import { viewOf } from './list.js';
import { positionAt } from './place.js';
import { noteLink } from './system-notes.js';

/** Assign child. A child of another epic is moved over; the new child comes first (wire-facts 6.3.4). */
export const assignChild: Behaviour<Contract['epics']['assign']> = async (params, call) => {
  const parent = await parentEpic(call, params, 'change');
  await call.queries.lock(treeLock);
  const child = await readableEpic(call, params.child_epic_id);
  if (!child) throw noSuchEpic();
  const problem = await assignProblem(call.queries, parent.epic, child);
  if (problem) throw refusal(409, problem);
  const former = child.parent_id === null ? undefined : await epicById(call.queries, child.parent_id);
  if (former) await noteLink(call, 'removed', former, child);
  await putFirst(call, parent.epic, child);
  return epicJson((await epicById(call.queries, child.id))!, viewOf(call, parent));
};

/** The child's own id is unknown, or not for the caller to see (wire-facts 6.3). */
export const noSuchEpic = () => refusal(404, 'No Epic found for given params');

/** Makes an epic the first child of another. */
export const putFirst = async (call: Call, parent: EpicRow, child: EpicRow): Promise<void> => {
  const position = await positionAt(call.queries, await childrenOf(call.queries, parent.id), 0);
  await hangEpic(call.queries, child.noteable, parent.id, position, call.now);
  await noteLink(call, 'added', parent, child);
};
