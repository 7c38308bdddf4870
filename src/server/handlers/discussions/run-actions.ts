import { holdsIn } from '../../../contract/behavior/fact.js';
import { noteFacts } from '../../../contract/behavior/notes.js';
import { noteables } from '../../../contract/conventions.js';
import { canChangeIssuable, canSetMetadata, type Target } from '../../api/access.js';
import type { Call } from '../../api/context.js';
import { isObject } from '../../../wire/json.js';
import { fullMessages, HttpError, invalidNote } from '../../http/response.js';
import { type LabelRow, labelsOf } from '../../repositories/labels.js';
import { detailsOf } from '../../repositories/merge-requests.js';
import { draftlessTitle } from '../../serializers/merge-request.js';
import { changeApproval, changeIssuable, currentTarget, type IssuableChange } from '../issuables/changes.js';
import { addSystemNote } from '../stored-note.js';
import { actionOn, type Effect, notApplied, type Subject, type Updates } from './action-effects.js';
import { type QuickAction, readSpentTime } from './quick-actions.js';

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

const subjectOf = async (call: Call, target: Target): Promise<Subject> => {
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
  const action = actionOn(subject.target.kind, name);
  if (!action) return reportOnly(subject, { name, argument });
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
