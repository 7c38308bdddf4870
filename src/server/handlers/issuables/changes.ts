import { labelLimit, titleLimit } from '../../../contract/conventions.js';
import {
  accessTo, canChangeIssuable, canCreateLabels, canSetMetadata, lockNoteable, requirePermission, type Target,
} from '../../api/access.js';
import type { Call } from '../../api/context.js';
import type { Change, Changes, IssueEvent } from '../../hooks/events.js';
import { unreadParameters } from '../../api/request.js';
import { badParameters, HttpError, invalidFields } from '../../http/response.js';
import {
  addPerson, detailsOf, insertLabels, type IssuableFields, labelsOf, labelTitles, type PersonRole, removePerson,
  setReviewerState, storedLabels, updateIssuable,
} from '../../repositories/issuables.js';
import { noteableById, type NoteableRow } from '../../repositories/noteables.js';
import { touchNoteable } from '../../repositories/notes.js';
import { userByIdOrName, type UserRow, writeEpoch } from '../../repositories/world.js';
import { isDraftTitle, stateIds } from '../../serializers/merge-request.js';
import type { Queries } from '../../store/database.js';
import type { IssuablePath } from '../lookups/issuables.js';
import { addSystemNote, updateSuggestions } from '../stored-note.js';
import { draftNote, peopleNote, titleNote } from './system-notes.js';

/** What stays as it is is undefined. */
export interface IssuableChange {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly state_event?: 'close' | 'reopen' | null | undefined;
  readonly target_branch?: string | null | undefined;
  readonly confidential?: boolean | null | undefined;
  readonly assignee_ids?: readonly number[] | null | undefined;
  readonly assignee_id?: number | null | undefined;
  readonly reviewer_ids?: readonly number[] | null | undefined;
  /** Titles, each of which may be several separated by commas. */
  readonly labels?: readonly string[] | null | undefined;
  readonly add_labels?: readonly string[] | null | undefined;
  readonly remove_labels?: readonly string[] | null | undefined;
}

/** @throws HttpError 400 for a change of nothing that this server reads (behavior: changes.missing) */
export const requireChange = (
  changes: object, given: Readonly<Record<string, unknown>>, { unread }: Pick<Call, 'unread'>,
): void => {
  const names = Object.keys(changes);
  if (names.some((name) => given[name] !== undefined)) return;
  if (unread.length > 0) throw unreadParameters(unread);
  throw badParameters([`${names.join(', ')} are missing, at least one parameter must be provided`]);
};

export const lockIssuable = async (
  call: Call, kind: 'issue' | 'merge_request', { id, iid }: IssuablePath,
): Promise<Target> => currentTarget(call, await lockNoteable(call, kind, { id, noteable_id: iid }));

/** Another change in the same batch of writes may have changed it since the caller's access was cached. */
export const currentTarget = async (call: Call, target: Target): Promise<Target> =>
  ({ ...target, noteable: (await noteableById(call.queries, target.noteable.id))! });

/**
 * First the state, then the rest: each has its own event. @param target as it is now, and locked
 * @throws HttpError 400, 403, 409
 */
export const changeIssuable = async (call: Call, target: Target, given: IssuableChange): Promise<void> => {
  const { people } = await detailsOf(call.queries, target.noteable.id);
  requirePermission(canChangeIssuable(call, target, people.assignee));
  const change = canSetMetadata(target) ? given : withoutMetadata(given);
  const wanted = await wantedPeople(call, target, change);
  checkFields(change, target.noteable);
  const reopened = await changeState(call, target, change.state_event);
  const changed = await changeFields(call, reopened, change);
  const changedPeople = await changePeople(call, changed.target, people, wanted);
  if (Object.keys({ ...changed.changes, ...changedPeople }).length > 0) {
    const changes = { changes: changed.changes, people: changedPeople };
    addChangeEvent(call, reopened, changed.target, { action: 'update', ...changes });
  }
};

/** behavior: changes.metadata-right */
const withoutMetadata = ({ title, description, state_event, target_branch }: IssuableChange): IssuableChange =>
  ({ title, description, state_event, target_branch });

/** @throws HttpError (behavior: changes.title-length, changes.same-branch) */
const checkFields = ({ title, target_branch }: IssuableChange, { source_branch }: NoteableRow): void => {
  checkTitleLength(title);
  if (target_branch && target_branch === source_branch) {
    throw new HttpError(409, { message: ['You can\'t use same project/branch for source and target'] });
  }
};

/** @throws HttpError 400 (behavior: changes.title-length) */
export const checkTitleLength = (title: string | null | undefined): void => {
  if (title && [...title].length > titleLimit) {
    throw invalidFields({ title: [`is too long (maximum is ${titleLimit} characters)`] });
  }
};

/** behavior: hooks.merge-requests, hooks.issues */
const addChangeEvent = (
  call: Call, before: Target, { kind, project, noteable }: Target,
  change: Pick<IssueEvent, 'action' | 'changes' | 'people'>,
): void => {
  if (kind !== 'merge_request' && kind !== 'issue') return;
  call.addEvent({
    kind, ...change, project, noteable: { ...noteable, updated_at: call.now },
    changedBefore: before.noteable.updated_at,
  });
};

const steps = {
  close: { from: 'opened', to: 'closed', note: 'closed' }, reopen: { from: 'closed', to: 'opened', note: 'reopened' },
} as const;

/** behavior: changes.state, changes.notes */
const changeState = async (call: Call, target: Target, event: IssuableChange['state_event']): Promise<Target> => {
  const step = event ? steps[event] : null;
  if (!event || !step || target.noteable.state !== step.from) return target;
  const after = await storeFields(call, target, { state: step.to, updated_at: call.now });
  await updateSuggestions(call, after.noteable);
  await addSystemNote(call, after.noteable, step.note);
  addChangeEvent(call, target, after, {
    action: event, changes: { state_id: { previous: stateIds[step.from], current: stateIds[step.to] } },
  });
  return after;
};

const storeFields = async (call: Call, target: Target, fields: IssuableFields): Promise<Target> => {
  await updateIssuable(call.queries, target.noteable.id, fields);
  await touchNoteable(call.queries, target.noteable.id, call.now);
  await writeEpoch(call.queries);
  const { updated_at: changed_at = target.noteable.changed_at, ...rest } = fields;
  return { ...target, noteable: { ...target.noteable, ...rest, changed_at, updated_at: call.now } };
};

/** behavior: changes.notes, changes.draft-note, changes.nothing, changes.any-branch */
const changeFields = async (
  call: Call, target: Target, given: IssuableChange,
): Promise<{ readonly target: Target; readonly changes: Changes }> => {
  const { noteable } = target;
  const wanted = {
    ...given.title && { title: given.title.trim() },
    ...given.description !== undefined && { description: given.description },
    ...given.target_branch && { target_branch: given.target_branch },
    ...typeof given.confidential === 'boolean' && { confidential: Number(given.confidential) },
    ...changesLabels(given) && { labels: await changedLabels(call, target, given) },
  };
  const fields: IssuableFields = Object.fromEntries(Object.entries(wanted).filter(([name, value]) =>
    value !== noteable[name]));
  if (Object.keys(fields).length === 0) return { target, changes: {} };
  const after = await storeFields(call, target, fields);
  for (const text of fieldNotes(noteable, after.noteable)) await addSystemNote(call, after.noteable, text);
  return { target: after, changes: fieldChanges(noteable, after.noteable, Object.keys(fields)) };
};

const fieldNotes = (before: NoteableRow, after: NoteableRow): string[] => [
  ...before.kind === 'merge_request' ? draftNote(before.title, after.title) : [],
  ...titleNote(before.title, after.title),
  ...before.description === after.description ? [] : ['changed the description'],
  ...before.confidential === after.confidential ? []
    : [after.confidential === 1 ? 'made the issue confidential' : 'made the issue visible to everyone'],
  ...before.target_branch === after.target_branch ? []
    : [`changed target branch from \`${before.target_branch ?? ''}\` to \`${after.target_branch ?? ''}\``],
];

const fieldChanges = (before: NoteableRow, after: NoteableRow, names: readonly string[]): Changes => {
  const isDraft = { previous: isDraftTitle(before.title), current: isDraftTitle(after.title) };
  return {
    ...Object.fromEntries(names.map((name) => [name, { previous: shown(before, name), current: shown(after, name) }])),
    ...isDraft.previous !== isDraft.current && { draft: isDraft },
  };
};

const shown = (row: NoteableRow, name: string): unknown => name === 'labels' ? labelTitles(row) : row[name];

/** False if it is so already (behavior: changes.approve-state, changes.approve-notes, hooks.approvals). */
export const changeApproval = async (
  call: Call, { noteable, project }: Target, action: 'approved' | 'unapproved',
): Promise<boolean> => {
  const { queries, caller, now } = call;
  const isChanged = action === 'approved' ? await addPerson(queries, noteable.id, 'approver', caller.id, now)
    : await removePerson(queries, noteable.id, 'approver', caller.id);
  if (!isChanged) return false;
  await setReviewerState(queries, noteable.id, caller.id, action);
  await addSystemNote(call, noteable, `${action} this merge request`);
  call.addEvent({ kind: 'merge_request', action, project, noteable });
  return true;
};

type ChangedRole = Exclude<PersonRole, 'approver'>;

const roles = { assignee: 'assignee_ids', reviewer: 'reviewer_ids' } as const;
const mostPeople = 200;

type Wanted = Partial<Record<ChangedRole, readonly UserRow[]>>;

/** behavior: changes.people, changes.assignee-id, changes.several-people, changes.people-limit @throws HttpError 400 */
export const wantedPeople = async (call: Call, { project }: Target, params: IssuableChange): Promise<Wanted> => {
  const wanted: Partial<Record<ChangedRole, UserRow[]>> = {};
  for (const role of ['assignee', 'reviewer'] as const) {
    const only = role === 'assignee' ? params.assignee_id ?? null : null;
    const given = only === null ? params[roles[role]] : [only];
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
): Promise<NonNullable<IssueEvent['people']>> => {
  const changes: Record<string, Change<readonly UserRow[]>> = {};
  for (const role of ['assignee', 'reviewer'] as const) {
    const [former, users] = [before[role], wanted[role]];
    if (!users) continue;
    const added = without(users, former);
    const removed = without(former, users);
    if (added.length + removed.length === 0) continue;
    for (const { id } of added) await addPerson(call.queries, noteable.id, role, id, call.now);
    for (const { id } of removed) await removePerson(call.queries, noteable.id, role, id);
    await writeEpoch(call.queries);
    await addSystemNote(call, noteable, peopleNote(role, added, removed));
    changes[`${role}s`] = { previous: former, current: users };
  }
  return changes;
};

const without = (users: readonly UserRow[], others: readonly UserRow[]): UserRow[] => {
  const ids = new Set(others.map(({ id }) => id));
  return users.filter(({ id }) => !ids.has(id));
};

export const changesLabels = ({ labels, add_labels, remove_labels }: IssuableChange): boolean =>
  [labels, add_labels, remove_labels].some((titles) => titles !== undefined);

/** The labels after the change, as they are stored (behavior: changes.labels, changes.labels-note). */
export const changedLabels = async (
  { queries }: Call, target: Target, { labels, add_labels, remove_labels }: IssuableChange,
): Promise<string> => {
  const removed = new Set(titlesIn(remove_labels));
  const former = labels === undefined ? labelTitles(target.noteable) : titlesIn(labels);
  const titles = [...former, ...titlesIn(add_labels)].filter((title) => !removed.has(title));
  return storedLabels(lastOfEachScope(await existingLabels(queries, target, titles)));
};

/** Creates those that are missing, or leaves them out (behavior: changes.new-labels). */
const existingLabels = async (queries: Queries, target: Target, titles: readonly string[]): Promise<string[]> => {
  const project = target.project!.id;
  if (canCreateLabels(target)) await insertLabels(queries, project, titles);
  const known = new Set((await labelsOf(queries, project)).map(({ title }) => title));
  return titles.filter((title) => known.has(title));
};

const titlesIn = (given: readonly string[] | null | undefined): string[] =>
  (given ?? []).flatMap((titles) => titles.split(',')).map((title) => title.trim())
    .filter((title) => title !== '' && title.length <= labelLimit);

/** `status::done` replaces `status::doing` (behavior: changes.scoped-labels). */
const lastOfEachScope = (titles: readonly string[]): string[] =>
  [...new Map(titles.map((title) => [/^(.+)::/.exec(title)?.[1] ?? `:${title}`, title])).values()];
