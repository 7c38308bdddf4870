import { holdsIn } from '../../../contract/behavior/fact.js';
import { noteFacts } from '../../../contract/behavior/notes.js';
import type { Contract } from '../../../contract/operations.js';
import { bodyLimit, noteables, type NoteableKind } from '../../../contract/conventions.js';
import type { Note, WholeDiscussion } from '../../../contract/shapes/note.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import { countCharacters } from '../../../wire/note-text.js';
import { readInstant } from '../../../wire/time-text.js';
import {
  canComment, canSetTime, lockNoteable, requirePermission, seesInternal, type Target,
} from '../../api/access.js';
import type { AcceptedActions, Call, HandlerParams, OperationHandler } from '../../api/context.js';
import { badRequest, invalidNote, json, type Json } from '../../http/response.js';
import { isThreadResolved, noteById, type ShownNoteRow } from '../../repositories/notes.js';
import { discussionJson, fragmentWith, isResolvableKind, withId, type ThreadPart } from '../../serializers/note.js';
import { addNote, changeNote } from '../stored-note.js';
import { extractQuickActions } from './quick-actions.js';
import { validPosition } from './position.js';
import { threadStart } from './read.js';
import { planActions } from './run-actions.js';

type Discussions = Contract['discussions'];
type NewThread = HandlerParams<Discussions['issue']['create']>
  & Partial<Pick<HandlerParams<Discussions['merge_request']['create']>, 'position' | 'commit_id'>>;

export const createThread = (kind: NoteableKind) =>
  async (params: NewThread, call: Call): Promise<Json<WholeDiscussion> | AcceptedActions> => {
    const target = await lockNoteable(call, kind, params);
    requirePermission(canComment(target));
    const started = await startThread(call, target, params);
    return 'accepted' in started ? started
      : discussionJson({ noteable: target.noteable, edition: call.edition }, [started]);
  };

interface NoteContent {
  readonly body: string | null;
  readonly created_at?: string | null | undefined;
  readonly position?: PartialPosition | null | undefined;
  readonly commit_id?: string | null | undefined;
}

/**
 * With a position a diff note, else a discussion note; never an individual note (behavior: threads.never-individual).
 * `commit_id` has an effect only with a position (behavior: positions.commit-id-alone). The noteable must be locked.
 * @throws HttpError 400
 */
export const startThread = (
  call: Call, target: Target, { body, created_at, position: given, commit_id }: NoteContent,
): Promise<ThreadPart | AcceptedActions> => storeText(call, target, body, {}, async (text) => {
  const position = given ? await validPosition(call, target, given, commit_id) : null;
  return addNote(call, target, {
    type: position ? 'DiffNote' : 'DiscussionNote',
    body: text,
    created_at: creationTime(target, created_at, call.now),
    position: position && JSON.stringify(position),
    commit_id: position && commit_id ? commit_id : null,
  });
});

/** Responds with the note (behavior: replies.note). */
export const addNoteToThread = (
  kind: NoteableKind,
): OperationHandler<Discussions['issue']['addNote']> => async (params, call) => {
  const target = await lockNoteable(call, kind, params);
  const first = await threadStart(call, target, params);
  requirePermission(canComment(target));
  const added = await addReply(call, target, first, params);
  return 'accepted' in added ? added : withId(added.id, added.fragment);
};

/**
 * In a diff thread the reply inherits the position (behavior: replies.keep-position), in a resolved one it is resolved
 * (behavior: replies.resolved); an individual note or system note becomes a thread, on the kinds that allow it
 * (behavior: replies.to-comment, replies.to-system-note, replies.comment-type), and an internal one stays internal
 * (behavior: replies.internal). The noteable must be locked.
 * @throws HttpError 400
 */
export const addReply = async (
  call: Call, target: Target, first: ShownNoteRow, { body, created_at }: Pick<NoteContent, 'body' | 'created_at'>,
): Promise<ThreadPart | AcceptedActions> => {
  const { kind } = target;
  const isComment = first.type === null;
  if (isComment && !noteables[kind].threadsFromComments) throw badRequest('Discussion can not be replied to.');
  return storeText(call, target, body, {}, async (text) => {
    const note = await addNote(call, target, {
      type: first.type === 'DiffNote' ? 'DiffNote' : 'DiscussionNote',
      body: text,
      created_at: creationTime(target, created_at, call.now),
      position: first.position,
      commit_id: first.commit_id,
      internal: first.internal,
      resolved: isResolvableKind(kind, call.edition)
        && await isThreadResolved(call.queries, target.noteable.id, first.discussion_id),
    }, first);
    if (isComment) await changeNote(call, target, first, { type: 'DiscussionNote' });
    return note;
  });
};

type NewComment = HandlerParams<Contract['notes']['snippet']['create']>
  & Partial<Pick<HandlerParams<Contract['notes']['merge_request']['create']>,
    'internal' | 'confidential' | 'merge_request_diff_head_sha'>>;

/** behavior: notes.single-comments, threads.individual-id, notes.quick-actions-comment */
export const createFlatNote = (kind: NoteableKind) => async (
  params: NewComment, call: Call,
): Promise<Json<Note> | AcceptedActions> => {
  const target = await lockNoteable(call, kind, params);
  requirePermission(canComment(target));
  checkMerge(call, target, params);
  const added = await addComment(call, target, params);
  return 'accepted' in added ? added : withId(added.id, added.fragment);
};

/**
 * The noteable must be locked (behavior: notes.internal-create, notes.confidential-create, notes.internal-right).
 * @throws HttpError 400
 */
export const addComment = (
  call: Call, target: Target,
  comment: Pick<NewComment, 'internal' | 'confidential'> & Pick<NoteContent, 'body' | 'created_at'>,
): Promise<ThreadPart | AcceptedActions> =>
  storeText(call, target, comment.body, { isComment: true }, (body) => addNote(call, target, {
    type: null,
    body,
    created_at: creationTime(target, comment.created_at, call.now),
    internal: Number(Boolean(comment.internal || comment.confidential) && seesInternal(target)),
  }));

/** @throws HttpError 400 (behavior: notes.merge-head) */
const checkMerge = (
  { quickActions }: Call, { kind, noteable: { head_sha } }: Target,
  { body, merge_request_diff_head_sha: seen }: NewComment,
): void => {
  if (kind !== 'merge_request' || !quickActions || body === null) return;
  if (!extractQuickActions(kind, body).actions.some(({ name }) => name === 'merge')) return;
  if (!seen) throw badRequest('The `/merge` quick action requires the SHA of the head of the branch.');
  if (seen !== head_sha) throw badRequest('Branch has been updated since the merge was requested.');
};

/**
 * Times without permission (behavior: notes.created-at-ignored) and invalid ones (behavior: notes.created-at-form,
 * notes.created-at-invalid) are silently ignored.
 * @throws HttpError 400 for a time before 1970 (behavior: notes.created-at-old), but not for one in the future
 * (behavior: notes.created-at-future)
 */
const creationTime = (target: Target, given: string | null | undefined, now: string): string => {
  const instant = given && canSetTime(target) ? readInstant(given)?.iso : undefined;
  if (instant === undefined) return now;
  if (instant < '1970') throw invalidNote({ created_at: ['The created date provided is too far in the past.'] });
  return instant;
};

/**
 * Runs the quick actions after the rest of the text is stored, if they are on and there is a rest (behavior:
 * notes.quick-actions, notes.quick-actions-run); the note then has their changes.
 * @param options the prefix of the message (behavior: errors.model, notes.edit-blank, notes.edit-blank-newer), and
 * whether quick actions alone are accepted in all versions (behavior: notes.quick-actions-comment)
 * @throws HttpError 400 for a blank text, one over the limit, and quick actions alone of which none says anything
 * (behavior: notes.spend-invalid)
 */
export const storeText = async (
  call: Call, target: Target, given: string | null,
  { before, isComment = false }: { readonly before?: string | undefined; readonly isComment?: boolean },
  store: (body: string) => Promise<ThreadPart>,
): Promise<ThreadPart | AcceptedActions> => {
  const { kind } = target;
  const problem = textProblem(given);
  if (problem !== null) throw invalidNote({ note: [problem] }, before);
  const whole = storedBody(kind, given!);
  const { body, actions } = call.quickActions ? extractQuickActions(kind, whole) : { body: whole, actions: [] };
  if (actions.length === 0) return store(body);
  const isAlone = body.trim() === '';
  if (isAlone && !isComment && holdsIn(noteFacts['notes.quick-actions-blank'], call.edition)) throw blank(before);
  const { updates, summary, apply } = await planActions(call, target, actions);
  if (isAlone && summary === '') throw badRequest('Failed to apply commands.');
  const note = isAlone ? null : await store(body);
  await apply();
  if (!note) return { accepted: json({ commands_changes: updates, summary: [summary] }) };
  const { fragment } = (await noteById(call.queries, note.id))!;
  return { ...note, fragment: fragmentWith(fragment!, updates) };
};

/**
 * Except on snippets, carriage returns and trailing white space are removed, a side effect of quick actions (behavior:
 * notes.trimmed), even where they are text.
 */
const storedBody = (kind: NoteableKind, body: string): string =>
  kind === 'snippet' ? body : body.replaceAll('\r', '').trimEnd();

const blankProblem = "can't be blank";

const blank = (before?: string) => invalidNote({ note: [blankProblem] }, before);

/** Null if the text can be stored (behavior: notes.blank, limits.body). */
export const textProblem = (body: string | null): string | null => {
  if (body === null || body.trim() === '') return blankProblem;
  // Few texts have so many units of UTF-16 that their characters have to be counted.
  const isLong = body.length > bodyLimit && countCharacters(body) > bodyLimit;
  return isLong ? `is too long (maximum is ${bodyLimit} characters)` : null;
};
