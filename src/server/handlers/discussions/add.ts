import type { Contract } from '../../../contract/operations.js';
import { notesLimit } from '../../../contract/conventions.js';
import { noteables, type NoteableKind } from '../../../contract/noteables.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import { readInstant } from '../../../wire/time-text.js';
import {
  canComment, canSetTime, lockedNoteable, requirePermission, seesInternal, type Target,
} from '../../api/access.js';
import {
  isAccepted, type AcceptedActions, type Call, type HandlerParams, type OperationHandler,
} from '../../api/context.js';
import { badRequest, invalidNote } from '../../http/errors.js';
import type { Json } from '../../http/response.js';
import { addComment } from '../../repositories/noteables.js';
import {
  insertNote, isThreadResolved, updateNote, type NewNote, type NoteRow, type ShownNoteRow,
} from '../../repositories/notes.js';
import {
  discussionJson, fragmentFormat, fragmentOf, fragmentWith, isResolvableKind, isSuggestion, suggestionsFor,
  withChanges,
  withId, type ThreadPart,
} from '../../serializers/note.js';
import { changeNote } from './change.js';
import { noteText } from './note-text.js';
import { validPosition } from './position.js';
import { threadStart } from './read.js';
import { viewOf } from './stored-note.js';

type Issue = Contract['discussions']['issue']['create'];
type MergeRequest = Contract['discussions']['merge_request']['create'];
type NewThread = HandlerParams<Issue> & Partial<Pick<HandlerParams<MergeRequest>, 'position' | 'commit_id'>>;

export const createThread = (kind: NoteableKind) =>
  async (params: NewThread, call: Call): Promise<Json<Discussion> | AcceptedActions> => {
    const target = await lockedNoteable(call, kind, params);
    requirePermission(canComment(target));
    const started = await startThread(call, target, params);
    return isAccepted(started) ? started : discussionJson([started]);
  };

/** What a note is made of. */
interface Content {
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
export const startThread = async (
  call: Call, target: Target, { body, created_at, position: given, commit_id }: Content,
): Promise<ThreadPart | AcceptedActions> => {
  const text = await noteText(call, target, body);
  if (isAccepted(text)) return text;
  const position = given ? await validPosition(call, target, given, commit_id) : null;
  const note = await addNote(call, target, {
    discussion_id: call.hex(40),
    type: position ? 'DiffNote' : 'DiscussionNote',
    body: text.body,
    created_at: creationTime(target, created_at, call.now),
    position: position && JSON.stringify(position),
    commit_id: position && commit_id ? commit_id : null,
  });
  return { ...note, fragment: fragmentWith(note.fragment, text.changes) };
};

type AddNote = Contract['discussions']['issue']['addNote'];

/** Responds with the note (behavior: replies.note). */
export const addNoteToThread = (kind: NoteableKind): OperationHandler<AddNote> => async (params, call) => {
  const target = await lockedNoteable(call, kind, params);
  const first = await threadStart(call, target, params);
  requirePermission(canComment(target));
  const added = await addReply(call, target, first, params);
  return isAccepted(added) ? added : withId(added.id, added.fragment);
};

/**
 * In a diff thread the reply inherits the position (behavior: replies.keep-position), in a resolved one it is resolved
 * (behavior: replies.resolved); an individual note or system note becomes a thread, on the kinds that allow it
 * (behavior: replies.to-comment, replies.to-system-note, replies.comment-type), and an internal one stays internal
 * (behavior: replies.internal). The noteable must be locked.
 * @throws HttpError 400
 */
export const addReply = async (
  call: Call, target: Target, first: ShownNoteRow, { body, created_at }: Pick<Content, 'body' | 'created_at'>,
): Promise<ThreadPart | AcceptedActions> => {
  const { kind } = target;
  const isComment = first.type === null;
  if (isComment && !noteables[kind].threadsFromComments) throw badRequest('Discussion can not be replied to.');
  const text = await noteText(call, target, body);
  if (isAccepted(text)) return text;
  const note = await addNote(call, target, {
    discussion_id: first.discussion_id,
    first,
    type: first.type === 'DiffNote' ? 'DiffNote' : 'DiscussionNote',
    body: text.body,
    created_at: creationTime(target, created_at, call.now),
    position: first.position,
    commit_id: first.commit_id,
    internal: first.internal,
    resolved: isResolvableKind(kind, call.edition)
      && await isThreadResolved(call.queries, target.noteable.id, first.discussion_id),
  });
  if (isComment) await changeNote(call, target, first, { type: 'DiscussionNote' });
  return { ...note, fragment: fragmentWith(note.fragment, text.changes) };
};

/** Snippets have no internal notes. */
type NewComment = HandlerParams<Contract['notes']['snippet']['create']>
  & Partial<Pick<HandlerParams<Contract['notes']['issue']['create']>, 'internal' | 'confidential'>>;

/**
 * The note has no type (behavior: notes.single-comments, threads.individual-id). Quick actions alone are accepted
 * (behavior: notes.quick-actions-comment).
 */
export const createFlatNote = (kind: NoteableKind) => async (
  params: NewComment, call: Call,
): Promise<Json<Note> | AcceptedActions> => {
  const target = await lockedNoteable(call, kind, params);
  requirePermission(canComment(target));
  const text = await noteText(call, target, params.body, { isComment: true });
  if (isAccepted(text)) return text;
  const note = await addNote(call, target, {
    discussion_id: call.hex(40),
    type: null,
    body: text.body,
    created_at: creationTime(target, params.created_at, call.now),
    internal: Number(isInternal(target, params)),
  });
  return withChanges(note.id, note.fragment, text.changes);
};

/** behavior: notes.internal-create, notes.confidential-create, notes.internal-right */
const isInternal = (target: Target, { internal, confidential }: NewComment): boolean =>
  Boolean(internal || confidential) && seesInternal(target);

interface Draft {
  readonly discussion_id: string;
  readonly type: 'DiscussionNote' | 'DiffNote' | null;
  readonly body: string;
  readonly created_at: string;
  readonly position?: string | null;
  readonly commit_id?: string | null;
  readonly internal?: number;
  /** In a resolved thread (behavior: replies.resolved). */
  readonly resolved?: boolean;
  /** Undefined in a new thread. */
  readonly first?: Pick<NoteRow, 'id' | 'created_at'>;
}

/** The noteable must be locked. @throws HttpError 400 if it has the maximum number of notes (behavior: limits.notes) */
const addNote = async (call: Call, target: Target, draft: Draft): Promise<ThreadPart> => {
  if (!await addComment(call.queries, target.noteable.id, notesLimit, call.now)) {
    throw invalidNote({ base: ['Maximum number of comments exceeded'] });
  }
  const written = rowOf(call, target.noteable.id, draft);
  if (draft.first && written.starts === 1) await updateNote(call.queries, draft.first.id, { starts: 0 });
  const people = { author: call.caller, resolver: draft.resolved ? call.caller : null };
  const { type, body, dialect } = written;
  const view = await viewOf(call, target.noteable, [{ type, body, dialect, fragment: null }]);
  const suggestions = suggestionsFor(view, written);
  const row = suggestions === null ? written : { ...written, suggestions };
  const first = fragmentOf(view, { ...row, id: null }, people);
  const id = await insertNote(call.queries, { ...row, fragment: first });
  const fragment = isSuggestion(view, row) ? fragmentOf(view, { ...row, id }, people) : first;
  if (fragment !== first) await updateNote(call.queries, id, { fragment });
  const { noteable, project } = target;
  call.happened({ kind: 'note', action: 'create', project, noteable, note: { ...row, id } });
  return { id, discussion_id: row.discussion_id, type: row.type, fragment };
};

/** `updated_at` of a new note equals `created_at`, even if that was given (behavior: notes.created-at-updated). */
const rowOf = (call: Call, noteable: number, draft: Draft): Omit<NewNote, 'fragment'> => ({
  noteable,
  discussion_id: draft.discussion_id,
  type: draft.type,
  body: draft.body,
  attachment: null,
  author_id: call.caller.id,
  created_at: draft.created_at,
  updated_at: draft.created_at,
  system: 0,
  internal: draft.internal ?? 0,
  commit_id: draft.commit_id ?? null,
  position: draft.position ?? null,
  resolved_by: draft.resolved ? call.caller.id : null,
  resolved_at: draft.resolved ? call.now : null,
  suggestions: null,
  dialect: fragmentFormat(call.edition),
  starts: Number(!draft.first || draft.created_at < draft.first.created_at),
});

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
