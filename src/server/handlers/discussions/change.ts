import { holdsIn } from '../../../contract/behavior/fact.js';
import { noteFacts } from '../../../contract/behavior/notes.js';
import type { Contract } from '../../../contract/operations.js';
import type { NoteableKind } from '../../../contract/conventions.js';
import type { Note } from '../../../contract/shapes/note.js';
import { readInstant } from '../../../wire/time-text.js';
import {
  canEditNote, canResolveNote, canResolveThread, lockNoteable, requirePermission, type Target,
} from '../../api/access.js';
import type { AcceptedActions, Call, OperationHandler } from '../../api/context.js';
import { badRequest, forbidden, httpError, type Json } from '../../http/response.js';
import { hasOpenThread, type ShownNoteRow } from '../../repositories/notes.js';
import { discussionJson, isResolvable, withFragment, withId, type ThreadPart } from '../../serializers/note.js';
import { addSystemNote, changeNote, readNoteView, removeNote } from '../stored-note.js';
import { storeText } from './add.js';
import { noteInPath, noteResponse, notesOfThread, type NotePath } from './read.js';

/**
 * The note is found by its own id; the thread in the path is not checked (behavior: notes.thread-unchecked). Null is as
 * if `resolved` was not given (behavior: notes.edit-resolved-null). Responds with the note (behavior:
 * notes.edit-response).
 */
export const modifyNote = (kind: NoteableKind) => async (
  params: NotePath & { readonly body?: string | null | undefined; readonly resolved?: boolean | null | undefined },
  call: Call,
): Promise<Json<Note> | AcceptedActions> => {
  const { target, note } = await noteInPath(call, kind, params, lockNoteable);
  return params.resolved === undefined || params.resolved === null
    ? editNote(call, target, note, params.body)
    : resolveNote(call, target, note, params.resolved);
};

/** behavior: notes.edit-null, notes.edit-time, notes.edit-actions */
const editNote = async (
  call: Call, target: Target, note: ShownNoteRow, body: string | null | undefined,
): Promise<Json<Note> | AcceptedActions> => {
  requirePermission(canEditNote(call, target, note));
  if (body === null || body === undefined) return noteResponse(call, target.noteable, note);
  const before = holdsIn(noteFacts['notes.edit-blank'], call.edition) ? 'Failed to save note' : undefined;
  const changed = await storeText(call, target, body, { before }, async (text) => {
    const changes = { body: text, updated_at: call.now };
    const stored = await changeNote(call, target, note, changes);
    const { noteable, project } = target;
    call.addEvent({ kind: 'note', action: 'update', project, noteable, note: { ...note, ...changes } });
    return stored;
  });
  if (!('accepted' in changed)) return withId(changed.id, changed.fragment);
  await removeNote(call, target, note);
  return changed;
};

/** behavior: resolving.note-order, resolving.keeps-time */
const resolveNote = async (call: Call, target: Target, note: ShownNoteRow, resolved: boolean): Promise<Json<Note>> => {
  requirePermission(canResolveNote(call, target, note));
  const view = { noteable: target.noteable, edition: call.edition };
  if (!isResolvable(view, note)) throw badRequest('Note is not resolvable');
  if (resolved === (note.resolved_at !== null)) return noteResponse(call, target.noteable, note);
  const changes = { ...resolution(call, resolved), updated_at: call.now };
  const { id, fragment } = await reportingLastThread(call, target, () => changeNote(call, target, note, changes));
  return withId(id, fragment);
};

const resolution = ({ caller, now }: Call, resolved: boolean) =>
  ({ resolved_by: resolved ? caller.id : null, resolved_at: resolved ? now : null });

/**
 * Resolved notes keep their resolver, and `updated_at` does not change (behavior: resolving.all-notes,
 * resolving.unresolve-all, resolving.again, resolving.keeps-time, resolving.response). A blank value is null and
 * unresolves (behavior: resolving.blank). An unknown thread is 404, where the real service fails with 500 (behavior:
 * resolving.unknown).
 */
export const resolveThread = (
  kind: NoteableKind,
): OperationHandler<Contract['discussions']['issue']['resolve']> => async (params, call) => {
  const target = await lockNoteable(call, kind, params);
  const thread = await notesOfThread(call, target, params);
  requirePermission(canResolveThread(call, target));
  if (!isResolvableThread(call, target, thread)) throw forbidden();
  const changed = await reportingLastThread(call, target, () =>
    setResolved(call, target, thread, Boolean(params.resolved)));
  return discussionJson({ noteable: target.noteable, edition: call.edition }, changed);
};

/** Makes a change that may resolve the last open thread (behavior: resolving.all-threads, hooks.all-resolved). */
export const reportingLastThread = async <T>(call: Call, target: Target, change: () => Promise<T>): Promise<T> => {
  const { kind, noteable, project } = target;
  const wasOpen = kind === 'merge_request' && await hasOpenThread(call.queries, noteable.id);
  const result = await change();
  if (wasOpen && !await hasOpenThread(call.queries, noteable.id)) {
    await addSystemNote(call, noteable, 'resolved all threads');
    const after = { ...noteable, updated_at: call.now };
    call.addEvent({ kind: 'merge_request', action: 'update', project, noteable: after });
  }
  return result;
};

export const isResolvableThread = (call: Call, target: Target, thread: readonly ShownNoteRow[]): boolean =>
  thread.some((note) => isResolvable({ noteable: target.noteable, edition: call.edition }, note));

/** Returns all notes of the thread, in order. The noteable must be locked. */
export const setResolved = async (
  call: Call, target: Target, thread: readonly ShownNoteRow[], resolved: boolean,
): Promise<readonly ThreadPart[]> => {
  const changes = resolution(call, resolved);
  const view = await readNoteView(call, target.noteable, thread);
  const shown: ThreadPart[] = [];
  for (const note of thread) {
    const isToChange = isResolvable(view, note) && (note.resolved_at !== null) !== resolved;
    shown.push(isToChange ? await changeNote(call, target, note, changes) : withFragment(view, note));
  }
  return shown;
};

export const deleteNote = (kind: NoteableKind) => async (path: NotePath, call: Call): Promise<void> => {
  const { target, note } = await noteInPath(call, kind, path, lockNoteable);
  requirePermission(canEditNote(call, target, note));
  checkUnmodified(call, note.updated_at);
  await removeNote(call, target, note);
};

/** behavior: notes.unmodified-since, notes.unmodified-since-iso @throws HttpError 412 */
export const checkUnmodified = (call: Call, updatedAt: string): void => {
  const given = call.headers['if-unmodified-since'] ?? '';
  const known = Date.parse(readInstant(given)?.iso ?? given);
  if (!Number.isNaN(known) && Math.floor(Date.parse(updatedAt) / 1000) * 1000 > known) {
    throw httpError(412, '412 Precondition Failed');
  }
};
