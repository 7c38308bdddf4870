import { holdsIn } from '../../../contract/behavior/fact.js';
import { noteFacts } from '../../../contract/behavior/notes.js';
import type { Contract } from '../../../contract/operations.js';
import type { NoteableKind } from '../../../contract/noteables.js';
import type { Note } from '../../../contract/shapes/note.js';
import {
  canEditNote, canResolveNote, canResolveThread, lockedNoteable, requirePermission, type Target,
} from '../../api/access.js';
import {
  isAccepted, type AcceptedActions, type Call, type HandlerParams, type OperationHandler,
} from '../../api/context.js';
import { readInstant } from '../../../wire/time-text.js';
import { badRequest, forbidden, httpError } from '../../http/errors.js';
import type { Json } from '../../http/response.js';
import { removeComment, touchNoteable } from '../../repositories/noteables.js';
import {
  deleteNote as deleteRow, markFirstNote, updateNote, type NewNote, type ShownNoteRow,
} from '../../repositories/notes.js';
import {
  discussionJson, fragmentFormat, fragmentOf, isResolvable, peopleOf, suggestionsFor, withChanges,
  withFragment, withId,
  type ThreadPart,
} from '../../serializers/note.js';
import { noteText } from './note-text.js';
import { noteInPath, notesOfThread, shownNote, type NotePath } from './read.js';
import { viewOf } from './stored-note.js';

type NoteChange = HandlerParams<Contract['discussions']['merge_request']['modifyNote']>;

type FlatModify = Contract['notes']['issue']['modify'];

/**
 * The note is found by its own id; the thread in the path is not checked (behavior: notes.thread-unchecked). Null is as
 * if `resolved` was not given (behavior: notes.edit-resolved-null). Responds with the note (behavior:
 * notes.edit-response).
 */
export const modifyNote = (kind: NoteableKind) => async (
  params: NoteChange, call: Call,
): Promise<Json<Note> | AcceptedActions> => {
  const { target, note } = await noteInPath(call, kind, params, lockedNoteable);
  return params.resolved === undefined || params.resolved === null
    ? edit(call, target, note, params.body)
    : resolve(call, target, note, params.resolved);
};

export const modifyFlatNote = (kind: NoteableKind): OperationHandler<FlatModify> => async (params, call) => {
  const { target, note } = await noteInPath(call, kind, params, lockedNoteable);
  return edit(call, target, note, params.body);
};

/** behavior: notes.edit-null, notes.edit-time, notes.edit-actions */
const edit = async (
  call: Call, target: Target, note: ShownNoteRow, body: string | null | undefined,
): Promise<Json<Note> | AcceptedActions> => {
  requirePermission(canEditNote(call, target, note));
  if (body === null || body === undefined) return shownNote(call, target.noteable, note);
  const before = holdsIn(noteFacts['notes.edit-blank'], call.edition) ? 'Failed to save note' : undefined;
  const text = await noteText(call, target, body, { before });
  if (isAccepted(text)) {
    await deleteFrom(call, target, note);
    return text;
  }
  const changes = { body: text.body, updated_at: call.now };
  const changed = await changeNote(call, target, note, changes);
  const { noteable, project } = target;
  call.happened({ kind: 'note', action: 'update', project, noteable, note: { ...note, ...changes } });
  return withChanges(changed.id, changed.fragment, text.changes);
};

/**
 * Checks the right first (behavior: resolving.note-order). Resolving one note updates `updated_at`; resolving a thread
 * does not (behavior: resolving.keeps-time).
 */
const resolve = async (call: Call, target: Target, note: ShownNoteRow, resolved: boolean): Promise<Json<Note>> => {
  requirePermission(canResolveNote(call, target, note));
  const view = { noteable: target.noteable, edition: call.edition };
  if (!isResolvable(view, note)) throw badRequest('Note is not resolvable');
  if (resolved === (note.resolved_at !== null)) return shownNote(call, target.noteable, note);
  return change(call, target, note, {
    resolved_by: resolved ? call.caller.id : null, resolved_at: resolved ? call.now : null, updated_at: call.now,
  });
};

const change = async (
  call: Call, target: Target, note: ShownNoteRow, changes: NoteChanges,
): Promise<Json<Note>> => {
  const changed = await changeNote(call, target, note, changes);
  return withId(changed.id, changed.fragment);
};

type Resolve = Contract['discussions']['merge_request']['resolve'];

/**
 * Resolved notes keep their resolver, and `updated_at` does not change (behavior: resolving.all-notes,
 * resolving.unresolve-all, resolving.again, resolving.keeps-time, resolving.response). A blank value is null and
 * unresolves (behavior: resolving.blank). An unknown thread is 404, where the real service fails with 500 (behavior:
 * resolving.unknown).
 */
export const resolveThread = (kind: NoteableKind): OperationHandler<Resolve> => async (params, call) => {
  const target = await lockedNoteable(call, kind, params);
  const thread = await notesOfThread(call, target, params);
  requirePermission(canResolveThread(call, target));
  if (!isResolvableThread(call, target, thread)) throw forbidden();
  return discussionJson(await setResolved(call, target, thread, Boolean(params.resolved)));
};

export const isResolvableThread = (call: Call, target: Target, thread: readonly ShownNoteRow[]): boolean =>
  thread.some((note) => isResolvable({ noteable: target.noteable, edition: call.edition }, note));

/** Returns all notes of the thread, in order. The noteable must be locked. */
export const setResolved = async (
  call: Call, target: Target, thread: readonly ShownNoteRow[], resolved: boolean,
): Promise<readonly ThreadPart[]> => {
  const changes = resolved
    ? { resolved_by: call.caller.id, resolved_at: call.now }
    : { resolved_by: null, resolved_at: null };
  const view = await viewOf(call, target.noteable, thread);
  const shown: ThreadPart[] = [];
  for (const note of thread) {
    const isToChange = isResolvable(view, note) && (note.resolved_at !== null) !== resolved;
    shown.push(isToChange ? await changeNote(call, target, note, changes) : withFragment(view, note));
  }
  return shown;
};

type DeleteNote = Contract['discussions']['issue']['deleteNote'];

/** The rest of the thread stays; a thread without notes is gone (behavior: threads.first-note, threads.last-note). */
export const deleteNote = (kind: NoteableKind): OperationHandler<DeleteNote> =>
  (params, call) => remove(call, kind, params);

export const deleteFlatNote = (kind: NoteableKind): OperationHandler<Contract['notes']['issue']['delete']> =>
  (params, call) => remove(call, kind, params);

const remove = async (call: Call, kind: NoteableKind, path: NotePath): Promise<void> => {
  const { target, note } = await noteInPath(call, kind, path, lockedNoteable);
  requirePermission(canEditNote(call, target, note));
  checkUnmodified(call, note.updated_at);
  await deleteFrom(call, target, note);
};

const deleteFrom = async (call: Call, target: Target, note: ShownNoteRow): Promise<void> => {
  await deleteRow(call.queries, note.id);
  if (note.starts === 1) await markFirstNote(call.queries, target.noteable.id, note.discussion_id);
  await removeComment(call.queries, target.noteable.id);
};

/**
 * @throws HttpError 412 if the note changed after the given time (behavior: notes.unmodified-since,
 * notes.unmodified-since-iso)
 */
const checkUnmodified = (call: Call, updatedAt: string): void => {
  const given = call.headers['if-unmodified-since'] ?? '';
  const known = Date.parse(readInstant(given)?.iso ?? given);
  if (!Number.isNaN(known) && Math.floor(Date.parse(updatedAt) / 1000) * 1000 > known) {
    throw httpError(412, '412 Precondition Failed');
  }
};

type NoteChanges = Partial<Pick<NewNote, 'type' | 'body' | 'updated_at' | 'resolved_by' | 'resolved_at'>>;

/** Also changes the stored JSON, which it returns; the caller becomes the resolver. */
export const changeNote = async (
  call: Call, target: Target, note: ShownNoteRow, changes: NoteChanges,
): Promise<ThreadPart> => {
  const { author, resolver } = peopleOf(note);
  const edited = { ...note, ...changes };
  const view = await viewOf(call, target.noteable, [{ ...edited, fragment: null }]);
  const all = changes.body === undefined ? changes : { ...changes, suggestions: suggestionsFor(view, edited) };
  const changed = { ...note, ...all };
  const people = { author, resolver: changed.resolved_by === note.resolved_by ? resolver
    : changed.resolved_by === null ? null : call.caller };
  const fragment = fragmentOf(view, changed, people);
  await updateNote(call.queries, note.id, { ...all, fragment, dialect: fragmentFormat(call.edition) });
  await touchNoteable(call.queries, target.noteable.id, call.now);
  return { ...changed, fragment };
};
