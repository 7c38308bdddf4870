import { epicFacts } from '../../contract/behavior/epics.js';
import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { childrenLimit, epicDepth, olderEpicDepth, titleLimit } from '../../contract/conventions.js';
import type { Epic } from '../../contract/epics.js';
import type { Contract } from '../../contract/operations.js';
import {
  accessToGroups, canAdministerEpic, canChangeChild, type Parent, parentEpic, readableChildren, readableEpic,
} from '../api/access.js';
import type { Call, HandlersOf } from '../api/context.js';
import { badRequest, httpError, type HttpError, invalidFields, type Json, jsonArray } from '../http/response.js';
import {
  ancestorsOf, childrenOf, type ChildRow, clearParent, epicById, type EpicRow, epicsByKey, heightOf,
  insertEpic, positionGap, setParent, setPosition,
} from '../repositories/epics.js';
import { epicJson, epicReference, linkedEpicJson } from '../serializers/epic.js';
import type { Queries } from '../store/database.js';
import { addSystemNote } from './stored-note.js';

/** Held while links change, so that concurrent changes cannot create a cycle or exceed the depth. */
const treeLock = 'epic tree';

const childrenJson = async (
  call: Call, { access: { container } }: Parent, children: readonly Pick<ChildRow, 'noteable' | 'group_id'>[],
): Promise<Json<Epic>[]> => {
  const epics = await epicsByKey(call.queries, children.map(({ noteable }) => noteable));
  const accesses = await accessToGroups(call, children);
  return epics.map((epic) => {
    const access = accesses.get(epic.group_id);
    const administers = Boolean(access && canAdministerEpic(access));
    return epicJson(epic, { edition: call.edition, group: container.path, administers });
  });
};

/** Unknown or hidden (behavior: epics.assign-unknown). */
const noSuchEpic = () => httpError(404, 'No Epic found for given params');

const putFirst = async (call: Call, parent: EpicRow, child: EpicRow): Promise<void> => {
  const position = await positionAt(call.queries, await childrenOf(call.queries, parent.id), 0);
  await setParent(call.queries, child.noteable, parent.id, position, call.now);
  await addLinkNotes(call, 'added', parent, child);
};

type Problems = Record<string, readonly string[]>;

/** @throws HttpError 400 with every invalid field (behavior: epics.create-title, errors.field-texts) */
const checkedTitle = async (
  { queries, edition }: Call, parent: EpicRow, title: string | null, confidential: boolean,
): Promise<string> => {
  const problems: Problems = {};
  const length = [...title ?? ''].length;
  if (title === null || title.trim() === '') problems['title'] = ["can't be blank"];
  if (length > titleLimit) {
    problems['title'] = [...problems['title'] ?? [], `is too long (maximum is ${titleLimit} characters)`];
  }
  if (parent.confidential && !confidential) Object.assign(problems, lessConfidential(edition));
  const unfit = await newChildProblem(queries, parent, edition);
  if (unfit) problems['parent'] = [unfit];
  if (title === null || Object.keys(problems).length > 0) throw invalidFields(problems);
  return title;
};

/** @throws HttpError 404 if it is not a child of the parent, or hidden (behavior: epics.reorder-unknown) */
const sibling = (children: readonly ChildRow[], id: number | null): ChildRow => {
  const found = children.find((child) => child.id === id);
  if (!found) throw notAChild();
  return found;
};

const notAChild = () => httpError(404, 'Epic not found for given params');

/** On both epics (behavior: epics.system-notes, threads.system-notes, notes.system). */
const addLinkNotes = async (
  call: Call, change: 'added' | 'removed', parent: EpicRow, child: EpicRow,
): Promise<void> => {
  await addEpicNote(call, parent, linkText(change, 'child', epicReference(child, parent.group_path)));
  await addEpicNote(call, child, linkText(change, 'parent', epicReference(parent, child.group_path)));
};

const linkText = (change: 'added' | 'removed', role: 'child' | 'parent', reference: string): string =>
  change === 'added' ? `added epic ${reference} as ${role} epic` : `removed ${role} epic ${reference}`;

const addEpicNote = (call: Call, epic: EpicRow, body: string): Promise<void> => addSystemNote(call, {
  kind: 'epic', id: epic.noteable, global_id: epic.id, iid: epic.iid, project_id: null, state: epic.state,
  base_sha: null, start_sha: null, head_sha: null, work_item_id: epic.work_item_id,
}, body);

/** behavior: epics.confidential-parent, epics.confidential-parent-newer */
const lessConfidential = (edition: Edition): Problems =>
  holdsIn(epicFacts['epics.confidential-parent-newer'], edition) ? {
    base: ['cannot assign a non-confidential epic to a confidential parent. Make the epic confidential and try again.'],
  } : { confidential: ['A non-confidential epic cannot be assigned to a confidential parent epic'] };

/** Reports problems in the order of the service. @throws HttpError if the epic cannot be a child */
const checkChild = async (call: Call, parent: EpicRow, child: EpicRow): Promise<void> => {
  const { queries, edition } = call;
  const line = await ancestorsOf(queries, parent.id);
  const levels = line.length + await heightOf(queries, child.id);
  const problem = holdsIn(epicFacts['epics.assign-itself-newer'], edition)
    ? newerProblem(parent, child, line, levels) : problemWith(parent, child, line, depthProblem(levels, edition));
  if (problem) throw problem;
  const full = await fullProblem(queries, parent);
  if (full) throw httpError(409, full);
  if (!parent.confidential || child.confidential) return;
  const texts = lessConfidential(edition);
  throw 'base' in texts ? invalidFields(texts) : httpError(409, texts['confidential']![0]!);
};

/** Of an epic and the epics above its parent: behavior: epics.assign-again, epics.assign-itself, epics.assign-groups */
const problemWith = (
  parent: EpicRow, child: EpicRow, line: readonly number[], tooDeep: string | null,
): HttpError | null => {
  const rejected = (why: string) => httpError(409, cannotAdd(why));
  if (child.id === parent.id) return rejected('An epic cannot be added to itself.');
  if (child.parent_id === parent.id) return rejected('It is already assigned to the parent epic.');
  if (line.includes(child.id)) return rejected('It is already an ancestor of the parent epic.');
  if (!isWithin(child.group_path, parent.group_path)) {
    return rejected('An epic must belong to the same group or subgroup as its parent epic.');
  }
  return tooDeep === null ? null : httpError(409, tooDeep);
};

/** behavior: epics.assign-again-newer, epics.assign-itself-newer, epics.assign-any-group, epics.depth-newer */
const newerProblem = (
  parent: EpicRow, child: EpicRow, line: readonly number[], levels: number,
): HttpError | null => {
  const rejected = (why: string) => httpError(422, `#${child.iid} cannot be added: ${why}`);
  if (child.parent_id === parent.id) return httpError(409, 'Epic(s) already assigned');
  if (child.id === parent.id) return rejected('is not allowed to point to itself');
  if (line.includes(child.id)) return rejected("it's already present in this item's hierarchy");
  return levels > epicDepth ? rejected('reached maximum depth') : null;
};

/** Null if it can have another child (behavior: epics.create-limits). */
const newChildProblem = async (queries: Queries, parent: EpicRow, edition: Edition): Promise<string | null> =>
  depthProblem((await ancestorsOf(queries, parent.id)).length + 1, edition) ?? await fullProblem(queries, parent);

const cannotAdd = (why: string): string => `This epic cannot be added. ${why}`;

/** The same group, or one below it (behavior: epics.assign-groups). */
const isWithin = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`);

const depthProblem = (levels: number, edition: Edition): string | null => {
  const most = holdsIn(epicFacts['epics.depth-older'], edition) ? olderEpicDepth : epicDepth;
  return levels <= most ? null
    : cannotAdd(`One or more epics would exceed the maximum depth (${most}) from its most distant ancestor.`);
};

const fullProblem = async (queries: Queries, parent: EpicRow): Promise<string | null> =>
  (await childrenOf(queries, parent.id)).length < childrenLimit ? null
    : 'You cannot add any more epics. This epic already has maximum number of child issues & epics.';

export const epicHandlers: HandlersOf<Contract['epics']> = {
  /** behavior: pages.children-paged, pages.children-whole */
  list: async (params, call) => {
    const parent = await parentEpic(call, params, 'read');
    const children = await readableChildren(call, parent.epic);
    if (call.dialect === 'live') return { items: await childrenJson(call, parent, children), rows: null };
    const { offset, limit } = call.page;
    return { items: await childrenJson(call, parent, children.slice(offset, offset + limit)), rows: children.length };
  },
  /** behavior: epics.move, epics.first, epics.assign-response */
  assign: async (params, call) => {
    const parent = await parentEpic(call, params, 'change');
    await call.queries.lock(treeLock);
    const child = await readableEpic(call, params.child_epic_id);
    if (!child) throw noSuchEpic();
    await checkChild(call, parent.epic, child);
    const former = child.parent_id === null ? undefined : await epicById(call.queries, child.parent_id);
    if (former) await addLinkNotes(call, 'removed', former, child);
    await putFirst(call, parent.epic, child);
    return (await childrenJson(call, parent, [child]))[0]!;
  },
  /**
   * In the parent's group, as the first child (behavior: epics.create-group, epics.create-confidential,
   * epics.confidential-off).
   */
  create: async (params, call) => {
    const { epic: parent, access } = await parentEpic(call, params, 'create');
    await call.queries.lock(treeLock);
    const given = call.world.settings.confidential_epics ? params.confidential : null;
    const confidential = given ?? parent.confidential === 1;
    const title = await checkedTitle(call, parent, params.title, confidential);
    const id = await insertEpic(call.queries, access.container.id, {
      title, confidential: Number(confidential), author_id: call.caller.id,
    }, call.now);
    const child = (await epicById(call.queries, id))!;
    await putFirst(call, parent, child);
    return linkedEpicJson(parent, child);
  },
  /** behavior: epics.unassign, epics.unassign-keeps, epics.unassign-unknown */
  unassign: async (params, call) => {
    const parent = await parentEpic(call, params, 'part');
    await call.queries.lock(treeLock);
    const child = await readableEpic(call, params.child_epic_id);
    if (!child || child.parent_id !== parent.epic.id || !await canChangeChild(call, child)) throw noSuchEpic();
    await clearParent(call.queries, child.noteable, call.now);
    await addLinkNotes(call, 'removed', parent.epic, child);
    return (await childrenJson(call, parent, [child]))[0]!;
  },
  /** behavior: epics.reorder-before, epics.reorder-after, epics.reorder-response, epics.reorder-same */
  reorder: async (params, call) => {
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
  },
};

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

/**
 * Among the others. Null if it does not move: no neighbor is given, it is in place already, or it is its own neighbor
 * (behavior: epics.reorder-neither, epics.reorder-both, epics.reorder-itself). Between two that are not adjacent it
 * moves to the middle of their positions (behavior: epics.reorder-apart).
 */
export const newIndex = (
  siblings: readonly Sibling[], moved: Sibling,
  { before, after }: { readonly before: Sibling | null; readonly after: Sibling | null },
): number | null => {
  if (before?.id === moved.id || after?.id === moved.id) return null;
  const now = siblingIndex(siblings, moved);
  const others = siblings.filter(({ id }) => id !== moved.id);
  const [first, last] = [before, after]
    .flatMap((sibling) => sibling ? [siblingIndex(others, sibling)] : []).sort((a, b) => a - b);
  if (first === undefined) return null;
  if (last === undefined) {
    const index = before ? first + 1 : first;
    return index === now ? null : index;
  }
  return first < now && now <= last ? null : middle(others, first, last);
};

const siblingIndex = (siblings: readonly Sibling[], { id }: Sibling): number =>
  siblings.findIndex((sibling) => sibling.id === id);

const middle = (others: readonly Sibling[], first: number, last: number): number => {
  const position = positionBetween(others[first]!.position, others[last]!.position);
  const index = position === null ? -1 : others.findIndex((other, i) => i > first && other.position >= position);
  return index < 0 ? first + 1 : index;
};

/** Renumbers the other children first if there is no space. */
const positionAt = async (queries: Queries, others: readonly ChildRow[], index: number): Promise<number> => {
  const found = positionBefore(others, index);
  if (found !== null) return found;
  const apart = spread(others);
  for (const { noteable, position } of apart) await setPosition(queries, noteable, position);
  return positionBefore(apart, index)!;
};

const positionBefore = (others: readonly ChildRow[], index: number): number | null =>
  positionBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null);
