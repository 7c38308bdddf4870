import { titleLimit } from '../../contract/conventions.js';
import { mergeRequestChanges } from '../../contract/lookups/merge-requests.js';
import type { Contract } from '../../contract/operations.js';
import {
  accessTo, canApprove, canChangeMergeRequest, lockNoteable, requirePermission, type Target,
} from '../api/access.js';
import type { Call, HandlerParams, HandlersOf, OperationHandler } from '../api/context.js';
import { unreadParameters } from '../api/unread.js';
import type { Change, Changes, MergeRequestEvent } from '../hooks/events.js';
import { badParameters, HttpError, httpError, invalidFields, recordNotFound, unauthorized } from '../http/response.js';
import {
  addPerson, mergeRequestDetails, type PersonRole, removePerson, setReviewerState, updateMergeRequest,
} from '../repositories/merge-requests.js';
import { noteableById, type NoteableRow } from '../repositories/noteables.js';
import { userByIdOrName, type UserRow, writeEpoch } from '../repositories/world.js';
import { draftlessTitle, isDraftTitle, stateIds } from '../serializers/merge-request.js';
import { addSystemNote } from './discussions/stored-note.js';
import { approvalsJson, mergeRequestJson } from './lookups/merge-requests.js';

type Modify = Contract['mergeRequests']['modify'];
type Params = HandlerParams<Modify>;

const names = Object.keys(mergeRequestChanges) as (keyof typeof mergeRequestChanges)[];

/** First the state, then the rest: each has its own event. @throws HttpError 400, 409 */
const modifyMergeRequest: OperationHandler<Modify> = async (params, call) => {
  if (names.every((name) => params[name] === undefined)) {
    if (call.unread.length > 0) throw unreadParameters(call.unread);
    throw badParameters([`${names.join(', ')} are missing, at least one parameter must be provided`]);
  }
  const target = await lockMergeRequest(call, params);
  const { people } = (await mergeRequestDetails(call.queries, [target.noteable.id])).get(target.noteable.id)!;
  requirePermission(canChangeMergeRequest(call, target, people.assignee));
  const wanted = await wantedPeople(call, target, params);
  checkFields(params, target.noteable);
  const reopened = await changeState(call, target, params.state_event);
  const changed = await changeFields(call, reopened, params);
  const changedPeople = await changePeople(call, changed.target, people, wanted);
  if (Object.keys({ ...changed.changes, ...changedPeople }).length > 0) {
    const changes = { changes: changed.changes, people: changedPeople };
    addChangeEvent(call, reopened, changed.target, { action: 'update', ...changes });
  }
  return mergeRequestJson(call, await currentTarget(call, target));
};

interface MergeRequestPath { readonly id: number | string | null; readonly iid: number | null }

const lockMergeRequest = async (call: Call, { id, iid }: MergeRequestPath): Promise<Target> =>
  currentTarget(call, await lockNoteable(call, 'merge_request', { id, noteable_id: iid }));

/** Another change in the same batch of writes may have changed it since the caller's access was cached. */
const currentTarget = async (call: Call, target: Target): Promise<Target> =>
  ({ ...target, noteable: (await noteableById(call.queries, target.noteable.id))! });

/** @throws HttpError (behavior: changes.title-length, changes.same-branch) */
const checkFields = ({ title, target_branch }: Params, { source_branch }: NoteableRow): void => {
  if (title && [...title].length > titleLimit) {
    throw invalidFields({ title: [`is too long (maximum is ${titleLimit} characters)`] });
  }
  if (target_branch && target_branch === source_branch) {
    throw new HttpError(409, { message: ['You can\'t use same project/branch for source and target'] });
  }
};

type ChangeEvent = Pick<MergeRequestEvent, 'action' | 'changes' | 'people'>;

/** behavior: hooks.merge-requests */
const addChangeEvent = (call: Call, before: Target, { project, noteable }: Target, change: ChangeEvent): void => {
  call.addEvent({
    kind: 'merge_request', ...change, project, noteable: { ...noteable, updated_at: call.now },
    changedBefore: before.noteable.updated_at,
  });
};

const steps = {
  close: { from: 'opened', to: 'closed', note: 'closed' }, reopen: { from: 'closed', to: 'opened', note: 'reopened' },
} as const;

/** behavior: changes.state, changes.notes */
const changeState = async (call: Call, target: Target, event: Params['state_event']): Promise<Target> => {
  const step = event ? steps[event] : null;
  if (!event || !step || target.noteable.state !== step.from) return target;
  const after = await storeFields(call, target, { state: step.to, updated_at: call.now });
  await addSystemNote(call, after.noteable, step.note);
  addChangeEvent(call, target, after, {
    action: event, changes: { state_id: { previous: stateIds[step.from], current: stateIds[step.to] } },
  });
  return after;
};

type Fields = Partial<Pick<NoteableRow, 'title' | 'description' | 'target_branch' | 'state' | 'updated_at'>>;

const storeFields = async (call: Call, target: Target, fields: Fields): Promise<Target> => {
  await updateMergeRequest(call.queries, target.noteable.id, fields);
  await writeEpoch(call.queries);
  const { updated_at: changed_at = target.noteable.changed_at, ...rest } = fields;
  return { ...target, noteable: { ...target.noteable, ...rest, changed_at, updated_at: call.now } };
};

/** behavior: changes.notes, changes.draft-note, changes.nothing, changes.any-branch */
const changeFields = async (
  call: Call, target: Target, given: Params,
): Promise<{ readonly target: Target; readonly changes: Changes }> => {
  const { noteable } = target;
  const wanted = {
    ...given.title && { title: given.title.trim() },
    ...given.description !== undefined && { description: given.description },
    ...given.target_branch && { target_branch: given.target_branch },
  };
  const fields: Fields = Object.fromEntries(Object.entries(wanted).filter(([name, value]) =>
    value !== noteable[name]));
  if (Object.keys(fields).length === 0) return { target, changes: {} };
  const after = await storeFields(call, target, fields);
  for (const text of fieldNotes(noteable, after.noteable)) await addSystemNote(call, after.noteable, text);
  return { target: after, changes: fieldChanges(noteable, after.noteable, Object.keys(fields)) };
};

const fieldNotes = (before: NoteableRow, after: NoteableRow): string[] => [
  ...draftNote(before.title, after.title), ...titleNote(before.title, after.title),
  ...before.description === after.description ? [] : ['changed the description'],
  ...before.target_branch === after.target_branch ? []
    : [`changed target branch from \`${before.target_branch ?? ''}\` to \`${after.target_branch ?? ''}\``],
];

const fieldChanges = (before: NoteableRow, after: NoteableRow, names: readonly string[]): Changes => {
  const isDraft = { previous: isDraftTitle(before.title), current: isDraftTitle(after.title) };
  return {
    ...Object.fromEntries(names.map((name) => [name, { previous: before[name], current: after[name] }])),
    ...isDraft.previous !== isDraft.current && { draft: isDraft },
  };
};

type ChangedRole = Exclude<PersonRole, 'approver'>;

const roles = { assignee: 'assignee_ids', reviewer: 'reviewer_ids' } as const;
const mostPeople = 200;

type Wanted = Partial<Record<ChangedRole, readonly UserRow[]>>;

/** behavior: changes.people, changes.several-people @throws HttpError 400 (behavior: changes.people-limit) */
const wantedPeople = async (call: Call, { project }: Target, params: Params): Promise<Wanted> => {
  const wanted: Partial<Record<ChangedRole, UserRow[]>> = {};
  for (const role of ['assignee', 'reviewer'] as const) {
    const given = params[roles[role]];
    if (given === undefined) continue;
    const ids = [...new Set(given)].filter((id) => id > 0).sort((a, b) => a - b);
    if (ids.length > mostPeople) {
      throw invalidFields({ [`${role}s`]: [`total must be less than or equal to ${mostPeople}`] });
    }
    const users: UserRow[] = wanted[role] = [];
    for (const id of ids) {
      const user = await userByIdOrName(call.world, String(id));
      if (user && await accessTo({ queries: call.queries, caller: user }, project!)) users.push(user);
    }
  }
  return wanted;
};

/** behavior: changes.notes */
const changePeople = async (
  call: Call, { noteable }: Target, before: Readonly<Record<PersonRole, readonly UserRow[]>>, wanted: Wanted,
): Promise<NonNullable<MergeRequestEvent['people']>> => {
  const changes: Record<string, Change<readonly UserRow[]>> = {};
  for (const role of ['assignee', 'reviewer'] as const) {
    const [former, users] = [before[role], wanted[role]];
    if (!users) continue;
    const added = without(users, former);
    const removed = without(former, users);
    if (added.length + removed.length === 0) continue;
    for (const { id } of added) await addPerson(call.queries, noteable.id, role, id, call.now);
    for (const { id } of removed) await removePerson(call.queries, noteable.id, role, id);
    await addSystemNote(call, noteable, peopleNote(role, added, removed));
    changes[`${role}s`] = { previous: former, current: users };
  }
  return changes;
};

const without = (users: readonly UserRow[], others: readonly UserRow[]): UserRow[] => {
  const ids = new Set(others.map(({ id }) => id));
  return users.filter(({ id }) => !ids.has(id));
};

type MergeRequests = Contract['mergeRequests'];

/** behavior: changes.approve-sha, changes.approve-own @throws HttpError 401 (behavior: changes.approve-again) */
const approve: OperationHandler<MergeRequests['approve']> = async ({ sha, ...path }, call) => {
  const target = await lockApprovable(call, path);
  if (sha && sha !== target.noteable.head_sha) {
    throw httpError(409, `SHA does not match HEAD of source branch: ${target.noteable.head_sha ?? ''}`);
  }
  const { queries, caller, now } = call;
  if (!await addPerson(queries, target.noteable.id, 'approver', caller.id, now)) throw unauthorized();
  return recordApproval(call, target, 'approved');
};

/** @throws HttpError 404 (behavior: changes.unapprove) */
const unapprove: OperationHandler<MergeRequests['unapprove']> = async (params, call) => {
  const target = await lockApprovable(call, params);
  if (!await removePerson(call.queries, target.noteable.id, 'approver', call.caller.id)) throw recordNotFound();
  return recordApproval(call, target, 'unapproved');
};

const lockApprovable = async (call: Call, path: MergeRequestPath): Promise<Target> => {
  const target = await lockMergeRequest(call, path);
  requirePermission(canApprove(target));
  return target;
};

/** behavior: changes.approve-state, changes.approve-notes, hooks.approvals */
const recordApproval = async (call: Call, target: Target, action: 'approved' | 'unapproved') => {
  await setReviewerState(call.queries, target.noteable.id, call.caller.id, action);
  await addSystemNote(call, target.noteable, `${action} this merge request`);
  call.addEvent({ kind: 'merge_request', action, project: target.project, noteable: target.noteable });
  return approvalsJson(call, target);
};

export const mergeRequestHandlers: HandlersOf<Contract['mergeRequests']> = {
  modify: modifyMergeRequest, approve, unapprove,
};

/** None if it stays a draft, or ready (behavior: changes.draft-note). */
export const draftNote = (before: string, after: string): string[] => isDraftTitle(before) === isDraftTitle(after) ? []
  : [`marked this merge request as **${isDraftTitle(after) ? 'draft' : 'ready'}**`];

/** Puts marks around what changed; returns none if only the prefix of drafts did. */
export const titleNote = (before: string, after: string): string[] => {
  if (draftlessTitle(before) === draftlessTitle(after)) return [];
  const [old, current] = [[...before], [...after]];
  const start = sharedLength(old, current, Math.min(old.length, current.length));
  const end = sharedLength(old.toReversed(), current.toReversed(), Math.min(old.length, current.length) - start);
  return [`changed title from **${marked(old, start, end, '-')}** to **${marked(current, start, end, '+')}**`];
};

const sharedLength = (a: readonly string[], b: readonly string[], most: number): number => {
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
};

const marked = (text: readonly string[], start: number, end: number, sign: '-' | '+'): string => {
  const part = (from: number, to: number) => text.slice(from, to).join('');
  const changed = part(start, text.length - end);
  return part(0, start) + (changed && `{${sign}${changed}${sign}}`) + part(text.length - end, text.length);
};

const verbs = {
  assignee: { added: 'assigned to', removed: 'unassigned' },
  reviewer: { added: 'requested review from', removed: 'removed review request for' },
} as const;

export const peopleNote = (
  role: keyof typeof verbs, added: readonly UserRow[], removed: readonly UserRow[],
): string => {
  const part = (verb: string, users: readonly UserRow[]) => users.length === 0 ? []
    : [`${verb} ${sentence(users.map(({ username }) => `@${username}`))}`];
  return [...part(verbs[role].added, added), ...part(verbs[role].removed, removed)].join(' and ');
};

const sentence = (names: readonly string[]): string => names.length < 3 ? names.join(' and ')
  : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)!}`;
