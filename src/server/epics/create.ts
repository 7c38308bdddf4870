import { titleLimit } from '../../contract/conventions.js';
import type { Contract } from '../../contract/contract.js';
import { parentEpic } from '../access/epic.js';
import type { AcceptedOf, Behaviour, Call } from '../call.js';
import { epicById, type EpicRow } from '../records/epics.js';
import { insertEpic } from '../records/new-epic.js';
import { invalidFields } from '../refusal.js';
import { linkedEpicJson } from '../render/linked-epic.js';
import { putFirst } from './assign.js';
import { lessConfidential, newChildProblem, treeLock } from './hierarchy.js';

type Create = Contract['epics']['create'];

/** Create and assign child: an open epic of the caller's in the parent's group, its first child (wire-facts 6.4). */
export const createChild: Behaviour<Create> = async (params, call) => {
  const { epic: parent, place } = await parentEpic(call, params, 'change');
  await call.queries.lock(treeLock);
  const confidential = wantedConfidential(call, parent, params.confidential);
  const title = await checked(call, parent, params, confidential);
  const id = await insertEpic(call.queries, {
    group_id: place.container.id, title, confidential, author_id: call.caller.id, now: call.now,
  });
  const child = (await epicById(call.queries, id))!;
  await putFirst(call, parent, child);
  return linkedEpicJson(parent, child);
};

/** The parent's, unless said otherwise; what is said counts only with the feature (interface.md, Epic links). */
const wantedConfidential = ({ world }: Call, parent: EpicRow, given: boolean | null | undefined): boolean =>
  (world.settings.confidential_epics ? given : null) ?? parent.confidential === 1;

/**
 * The title, when nothing is wrong.
 * @throws Refusal 400 that names every field that is wrong (wire-facts 6.4)
 */
const checked = async (
  { queries }: Call, parent: EpicRow, { title }: AcceptedOf<Create>, confidential: boolean,
): Promise<string> => {
  const problems: Record<string, readonly string[]> = {};
  const length = [...title ?? ''].length;
  if (title === null || title.trim() === '') problems['title'] = ["can't be blank"];
  if (length > titleLimit) {
    problems['title'] = [...problems['title'] ?? [], `is too long (maximum is ${titleLimit} characters)`];
  }
  if (parent.confidential && !confidential) problems['confidential'] = [lessConfidential];
  const unfit = await newChildProblem(queries, parent);
  if (unfit) problems['parent'] = [unfit];
  if (title === null || Object.keys(problems).length > 0) throw invalidFields(problems);
  return title;
};
