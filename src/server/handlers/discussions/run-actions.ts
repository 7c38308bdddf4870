import { holdsIn } from '../../../contract/behavior/fact.js';
import { noteFacts } from '../../../contract/behavior/notes.js';
import { type NoteableKind, noteables } from '../../../contract/conventions.js';
import { isObject } from '../../../wire/json.js';
import { canApprove, canChangeIssuable, canSetMetadata, type Target } from '../../api/access.js';
import type { Call } from '../../api/context.js';
import { fullMessages, HttpError, invalidNote } from '../../http/response.js';
import { detailsOf, type LabelRow, labelsOf, labelTitles } from '../../repositories/issuables.js';
import { usersNamed, type UserRow } from '../../repositories/world.js';
import { draftlessTitle, isDraftTitle } from '../../serializers/merge-request.js';
import { changeApproval, changeIssuable, currentTarget, type IssuableChange } from '../issuables/changes.js';
import { inSentence } from '../issuables/system-notes.js';
import { addSystemNote } from '../stored-note.js';
import { type QuickAction, readSpentTime } from './quick-actions.js';

/** The changes of the object by the names that `commands_changes` has (behavior: notes.commands-changes). */
interface Updates {
  readonly state_event?: 'close' | 'reopen';
  readonly title?: string;
  readonly target_branch?: string;
  readonly confidential?: boolean;
  readonly wip_event?: 'draft' | 'ready';
  readonly label_ids?: readonly number[];
  readonly add_label_ids?: readonly number[];
  readonly remove_label_ids?: readonly number[];
  readonly assignee_ids?: readonly number[];
  readonly reviewer_ids?: readonly number[];
  readonly [other: string]: unknown;
}

interface Effect {
  readonly updates?: Updates;
  readonly approval?: 'approved' | 'unapproved';
  readonly systemNote?: string;
  readonly text: string;
}

/** What an action can depend on: the object and the caller as they are before the first one. */
type Subject = Awaited<ReturnType<typeof subjectOf>>;

interface Action {
  readonly kinds: readonly NoteableKind[];
  /** Whether it fits the object, and the caller has the right (behavior: notes.quick-actions-right). */
  readonly canRun: (subject: Subject) => boolean;
  /** Null for an argument that names nothing. @param before by the actions before it */
  readonly effect: (subject: Subject, argument: string, before: Updates) => Effect | null | Promise<Effect | null>;
}

/**
 * Stores nothing until it is applied, which may throw an HttpError 400 (behavior: notes.quick-actions-invalid). The
 * object must be locked. The summary is blank if no action says anything (behavior: notes.quick-actions-summary).
 */
export const planActions = async (call: Call, former: Target, actions: readonly QuickAction[]) => {
  const target = await currentTarget(call, former);
  const subject = await subjectOf(call, target);
  let updates: Updates = {};
  const effects: Effect[] = [];
  for (const action of actions) {
    const effect = await effectOf(subject, action, updates);
    if (!effect) continue;
    updates = { ...updates, ...effect.updates };
    effects.push(effect);
  }
  const summary = [...new Set(effects.map(({ text }) => text))].join(' ');
  return { updates, summary, apply: () => applyEffects(subject, updates, effects) };
};

const subjectOf = async (call: Call, target: Target) => {
  const { kind, noteable, project } = target;
  const { people } = await detailsOf(call.queries, noteable.id);
  return {
    call, target, people, noun: noteables[kind].noun,
    labels: project ? await labelsOf(call.queries, project.id) : [],
    canChange: canChangeIssuable(call, target, people.assignee), canSet: canSetMetadata(target),
  };
};

/** behavior: notes.quick-actions-others, notes.quick-actions-right */
const effectOf = (
  subject: Subject, { name, argument }: QuickAction, before: Updates,
): Effect | null | Promise<Effect | null> => {
  const action = Object.hasOwn(byName, name) ? byName[name]! : null;
  if (!action?.kinds.includes(subject.target.kind)) return reportOnly(subject, { name, argument });
  return action.canRun(subject) ? action.effect(subject, argument, before) : notApplied(name);
};

const applyEffects = async (
  { call, target, labels }: Subject, updates: Updates, effects: readonly Effect[],
): Promise<void> => {
  for (const { approval, systemNote } of effects) {
    if (approval) await changeApproval(call, target, approval);
    if (systemNote !== undefined) await addSystemNote(call, target.noteable, systemNote);
  }
  const change = changeFrom(target, updates, labels);
  if (Object.keys(change).length === 0) return;
  try {
    await changeIssuable(call, target, change);
  } catch (error) {
    throw error instanceof HttpError ? invalidNote({ validation: [reasonIn(error)] }) : error;
  }
};

const reasonIn = ({ body }: HttpError): string => {
  const message: unknown = body && 'message' in body ? body.message : '';
  if (isObject(message)) return fullMessages(message as Readonly<Record<string, readonly string[]>>);
  return Array.isArray(message) ? message.join(', ') : String(message);
};

const changeFrom = (target: Target, updates: Updates, labels: readonly LabelRow[]): IssuableChange => {
  const { state_event, title, target_branch, confidential, wip_event, assignee_ids, reviewer_ids } = updates;
  const titlesOf = (ids: readonly number[]) => labels.filter(({ id }) => ids.includes(id)).map(({ title }) => title);
  const text = draftlessTitle(title ?? target.noteable.title);
  return {
    ...state_event && { state_event }, ...title !== undefined && { title },
    ...wip_event && { title: wip_event === 'draft' ? `Draft: ${text}` : text },
    ...target_branch !== undefined && { target_branch }, ...confidential && { confidential },
    ...updates.label_ids && { labels: titlesOf(updates.label_ids) },
    ...updates.add_label_ids && { add_labels: titlesOf(updates.add_label_ids) },
    ...updates.remove_label_ids && { remove_labels: titlesOf(updates.remove_label_ids) },
    ...assignee_ids && { assignee_ids }, ...reviewer_ids && { reviewer_ids },
  };
};

const reportOnly = ({ call, noun }: Subject, { name, argument }: QuickAction): Effect | null => {
  const isSpending = ['spend', 'spend_time', 'spent'].includes(name);
  if (isSpending && holdsIn(noteFacts['notes.spend'], call.edition)) return spending(call, argument);
  if (name === 'tag') return { text: `Tagged this ${noun} to ${argument}.` };
  return { updates: reportedUpdates[name] ?? {}, text: `Applied /${name}${argument === '' ? '' : ` ${argument}`}.` };
};

const spending = ({ caller, now }: Call, argument: string): Effect | null => {
  const spent = readSpentTime(argument);
  if (!spent) return null;
  const { duration, text, day } = spent;
  const done = `${duration < 0 ? 'subtracted' : 'added'} ${text} spent time`;
  return {
    updates: { spend_time: { duration, user_id: caller.id, spent_at: day ?? now } },
    text: `${done[0]!.toUpperCase()}${done.slice(1)}.`, systemNote: done,
  };
};

const reportedUpdates: Readonly<Record<string, Updates>> = {
  todo: { todo_event: 'add' }, done: { todo_event: 'done' },
  subscribe: { subscription_event: 'subscribe' }, unsubscribe: { subscription_event: 'unsubscribe' },
  lock: { discussion_locked: true }, unlock: { discussion_locked: false },
};

/** behavior: notes.quick-actions-right */
const notApplied = (name: string, reason = ''): Effect =>
  ({ text: `Could not apply ${name} command.${reason && ` ${reason}.`}` });

const onAll: readonly NoteableKind[] = ['issue', 'merge_request', 'epic'];
const onBoth: readonly NoteableKind[] = ['issue', 'merge_request'];
const onMergeRequests: readonly NoteableKind[] = ['merge_request'];

const changing = (kinds: readonly NoteableKind[], effect: Action['effect']): Action =>
  ({ kinds, canRun: ({ canChange }) => canChange, effect });

const stateChange = (state: string, state_event: 'close' | 'reopen', verb: string): Action => ({
  kinds: onAll, canRun: ({ canChange, target }) => canChange && target.noteable.state === state,
  effect: ({ noun }) => ({ updates: { state_event }, text: `${verb} this ${noun}.` }),
});

/** Only labels that the project has (behavior: notes.quick-actions-labels). */
const labelsIn = ({ labels }: Subject, argument: string): readonly LabelRow[] => {
  const named = argument.includes('~') ? /~"([^"]+)"|~([^\s,"~]+)/g : /"([^"]+)"|(\S+)/g;
  const titles = new Set(Array.from(argument.matchAll(named), ([, quoted, word]) => quoted ?? word!));
  return labels.filter(({ title }) => titles.has(title));
};

const labelTexts = (labels: readonly LabelRow[]): string => {
  const names = labels.map(({ id, title }) => title.includes('"') ? `~${id}` : `~"${title}"`);
  return `${names.join(' ')} label${names.length === 1 ? '' : 's'}`;
};

const hasLabels = ({ canSet, target }: Subject): boolean => canSet && labelTitles(target.noteable).length > 0;

const labelEffect = (
  subject: Subject, argument: string, before: Updates, key: 'label_ids' | 'add_label_ids' | 'remove_label_ids',
  text: (labels: string) => string,
): Effect | null => {
  const labels = labelsIn(subject, argument);
  const ids = [...new Set([...before[key] ?? [], ...labels.map(({ id }) => id)])];
  return labels.length === 0 ? null : { updates: { [key]: ids }, text: text(labelTexts(labels)) };
};

const addLabels: Action = {
  kinds: onBoth, canRun: ({ canSet, labels }) => canSet && labels.length > 0,
  effect: (subject, argument, before) =>
    labelEffect(subject, argument, before, 'add_label_ids', (labels) => `Added ${labels}.`),
};

const removeLabels: Action = {
  kinds: onBoth, canRun: hasLabels,
  effect: (subject, argument, before) => argument === ''
    ? { updates: { label_ids: [] }, text: 'Removed all labels.' }
    : labelEffect(subject, argument, before, 'remove_label_ids', (labels) => `Removed ${labels}.`),
};

const replaceLabels: Action = {
  kinds: onBoth, canRun: hasLabels,
  effect: (subject, argument, before) =>
    labelEffect(subject, argument, before, 'label_ids', (labels) => `Replaced all labels with ${labels}.`),
};

const mostNames = 100;

/** behavior: notes.quick-actions-users */
const withUsers = async (
  { call }: Subject, action: string, argument: string, effect: (users: readonly UserRow[]) => Effect,
): Promise<Effect> => {
  const names = new Set(argument.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and'));
  if (names.size > mostNames) {
    const limit = `Quick actions are limited to at most ${mostNames} user references`;
    return notApplied(action, `Too many references. ${limit}`);
  }
  const users: UserRow[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const [user] = name === 'me' ? [call.caller] : await usersNamed(call.queries, name.replace(/^@/, ''));
    if (user) users.push(user);
    else missing.push(`'${name.replace(/^@/, '')}'`);
  }
  return missing.length === 0 ? effect(users)
    : notApplied(action, `Failed to find users for ${inSentence(missing)}`);
};

const idsOf = (users: readonly UserRow[]): number[] => users.map(({ id }) => id);

const atNames = (users: readonly UserRow[]): string => inSentence(users.map(({ username }) => `@${username}`));

const assign: Action = {
  kinds: onBoth, canRun: ({ canSet }) => canSet,
  effect: (subject, argument, { assignee_ids = idsOf(subject.people.assignee) }) =>
    withUsers(subject, 'assign', argument, (users) => users.length === 0
      ? { text: 'Failed to assign a user because no user was found.' }
      : { updates: { assignee_ids: union(assignee_ids, users) }, text: `Assigned ${atNames(users)}.` }),
};

const reassign: Action = {
  kinds: onBoth, canRun: ({ canSet }) => canSet,
  effect: (subject, argument) => argument === '' ? null : withUsers(subject, 'reassign', argument, (users) =>
    ({ updates: { assignee_ids: idsOf(users) }, text: 'Changed assignee(s).' })),
};

const assignReviewer: Action = {
  kinds: onMergeRequests, canRun: ({ canSet }) => canSet,
  effect: (subject, argument, { reviewer_ids = idsOf(subject.people.reviewer) }) =>
    withUsers(subject, 'assign_reviewer', argument, (users) => users.length === 0
      ? { text: 'Failed to assign a reviewer because no user was specified.' }
      : {
        updates: { reviewer_ids: union(reviewer_ids, users) },
        text: `Assigned ${atNames(users)} as reviewer${users.length === 1 ? '' : 's'}.`,
      }),
};

const union = (ids: readonly number[], users: readonly UserRow[]): number[] => [...new Set([...ids, ...idsOf(users)])];

const removePeople = (kinds: readonly NoteableKind[], role: 'assignee' | 'reviewer', name: string): Action => ({
  kinds, canRun: ({ canSet, people }) => canSet && people[role].length > 0,
  effect: (subject, argument, before) => withUsers(subject, name, argument, (named) => {
    const former = subject.people[role];
    const users = named.length === 0 ? former : named;
    const removed = new Set(idsOf(users));
    const left = (before[`${role}_ids`] ?? idsOf(former)).filter((id) => named.length > 0 && !removed.has(id));
    const text = `Removed ${role}${users.length === 1 ? '' : 's'} ${atNames(users)}.`;
    return { updates: { [`${role}_ids`]: left }, text };
  }),
});

const approvalChange = (approval: 'approved' | 'unapproved', text: string): Action => ({
  kinds: onMergeRequests,
  canRun: ({ call, target, people }) => canApprove(target) && target.noteable.state !== 'merged'
    && people.approver.some(({ id }) => id === call.caller.id) === (approval === 'unapproved'),
  effect: () => ({ approval, text }),
});

const draftChange = (wip_event: 'draft' | 'ready', text: string): Action =>
  changing(onMergeRequests, ({ target }) => isDraftTitle(target.noteable.title) === (wip_event === 'draft')
    ? { text: 'No change to this merge request\'s draft status.' } : { updates: { wip_event }, text });

const byName: Readonly<Record<string, Action>> = {
  close: stateChange('opened', 'close', 'Closed'),
  reopen: stateChange('closed', 'reopen', 'Reopened'),
  title: changing(onAll, (_, title) =>
    title === '' ? null : { updates: { title }, text: `Changed the title to "${title}".` }),
  target_branch: changing(onMergeRequests, (_, target_branch) =>
    target_branch === '' ? null : { updates: { target_branch }, text: `Set target branch to ${target_branch}.` }),
  draft: draftChange('draft', 'Marked this merge request as a draft.'),
  ready: draftChange('ready', 'Marked this merge request as ready.'),
  confidential: {
    kinds: ['issue'], canRun: ({ canSet, target }) => canSet && target.noteable.confidential === 0,
    effect: () => ({ updates: { confidential: true }, text: 'Made this issue confidential.' }),
  },
  label: addLabels, labels: addLabels, unlabel: removeLabels, remove_label: removeLabels, relabel: replaceLabels,
  assign, reassign, unassign: removePeople(onBoth, 'assignee', 'unassign'),
  reviewer: assignReviewer, assign_reviewer: assignReviewer,
  unassign_reviewer: removePeople(onMergeRequests, 'reviewer', 'unassign_reviewer'),
  approve: approvalChange('approved', 'Approved the current merge request.'),
  unapprove: approvalChange('unapproved', 'Unapproved the current merge request.'),
};
