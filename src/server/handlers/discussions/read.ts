import type { Contract } from '../../../contract/operations.js';
import type { NoteableKind } from '../../../contract/noteables.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import { readableNoteable, type NoteablePath, type Target } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { notFound, recordNotFound } from '../../http/errors.js';
import { jsonArray, type Json } from '../../http/json.js';
import type { NoteableRow } from '../../repositories/noteables.js';
import {
  countNotes, countThreads, firstNoteOf, fragmentsOfThreads, noteOf, notesOfNoteable, notesOfThreads, threadIds,
  type NoteOrder, type ShownNoteRow,
} from '../../repositories/notes.js';
import { discussionJson, isCurrent, noteJson, withFragment, type ThreadPart } from '../../serializers/note.js';
import { DamagedRow } from '../../store/errors.js';

type Discussions = Contract['discussions']['issue'];
type ThreadNotes = Contract['discussionNotes']['issue'];

interface ThreadPath extends NoteablePath { readonly discussion_id: string | null }

export interface NotePath extends NoteablePath { readonly note_id: number | null }

/** Selects a page of threads, then their notes (behavior: pages.short). */
export const listThreads = (kind: NoteableKind): OperationHandler<Discussions['list']> => async (params, call) => {
  const { noteable } = await readableNoteable(call, kind, params);
  const ids = await threadIds(call.queries, noteable.id, call.page.limit, call.page.offset);
  const threads = new Map<string, ThreadPart[]>(ids.map((id) => [id, []]));
  for (const note of await partsOf(call, noteable, ids)) threads.get(note.discussion_id)?.push(note);
  if ([...threads.values()].some(({ length }) => length === 0)) throw new DamagedRow('a thread has no notes');
  return { items: [...threads.values()].map(discussionJson), rows: await countThreads(call.queries, noteable.id) };
};

/** The stored JSON, or serialized where that is not current. */
const partsOf = async (call: Call, noteable: NoteableRow, ids: readonly string[]): Promise<readonly ThreadPart[]> => {
  const stored = await fragmentsOfThreads(call.queries, noteable.id, ids);
  if (stored.every((note) => isCurrent(note, call.dialect))) return stored as readonly ThreadPart[];
  const notes = await notesOfThreads(call.queries, noteable.id, ids);
  return notes.map((note) => withFragment(noteable, note, call.dialect));
};

export const getThread = (kind: NoteableKind): OperationHandler<Discussions['get']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  return threadJson(call, target, await notesOfThread(call, target, params));
};

/** Not paginated; an unknown thread has its own message (behavior: errors.thread, pages.unpaged). */
export const listThreadNotes = (kind: NoteableKind): OperationHandler<ThreadNotes['list']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  const notes = await notesOfThread(call, target, params, 'Notes');
  return jsonArray(notes.map((note) => noteJson(target.noteable, note, call.dialect)));
};

/** behavior: threads.one-note, errors.note-of-thread */
export const getThreadNote = (kind: NoteableKind): OperationHandler<ThreadNotes['get']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  const { discussion_id } = await threadStart(call, target, params);
  const note = params.note_id === null ? undefined : await noteOf(call.queries, target.noteable.id, params.note_id);
  if (!note) throw recordNotFound();
  if (note.discussion_id !== discussion_id) throw notFound('Note');
  return noteJson(target.noteable, note, call.dialect);
};

/** Oldest first, at least one. @throws HttpError 404 */
export const notesOfThread = async (
  call: Call, target: Target, path: ThreadPath, thing = 'Discussion',
): Promise<readonly ShownNoteRow[]> => {
  const notes = await notesOfThreads(call.queries, target.noteable.id, [path.discussion_id ?? '']);
  if (notes.length === 0) throw notFound(thing);
  return notes;
};

/** @throws HttpError 404 */
export const threadStart = async (call: Call, target: Target, path: ThreadPath): Promise<ShownNoteRow> => {
  const first = await firstNoteOf(call.queries, target.noteable.id, path.discussion_id ?? '');
  if (!first) throw notFound('Discussion');
  return first;
};

/** @param noteableOf locks the noteable for changes @throws HttpError 404 if the noteable has no such note */
export const noteInPath = async (call: Call, kind: NoteableKind, path: NotePath, noteableOf = readableNoteable) => {
  const target = await noteableOf(call, kind, path);
  const note = path.note_id === null ? undefined : await noteOf(call.queries, target.noteable.id, path.note_id);
  if (!note) throw recordNotFound();
  return { target, note };
};

const threadJson = (call: Call, target: Target, notes: readonly ShownNoteRow[]): Json<Discussion> =>
  discussionJson(notes.map((note) => withFragment(target.noteable, note, call.dialect)));

type Flat = Contract['notes']['issue'];

/** behavior: notes.newest-first */
export const listFlatNotes = (kind: NoteableKind): OperationHandler<Flat['list']> => async (params, call) => {
  const { noteable } = await readableNoteable(call, kind, params);
  const order: NoteOrder = { by: params.order_by ?? 'created_at', direction: params.sort === 'asc' ? 'ASC' : 'DESC' };
  const notes = await notesOfNoteable(call.queries, noteable.id, call.page.limit, call.page.offset, order);
  const items = notes.map((note) => noteJson(noteable, note, call.dialect));
  return { items, rows: await countNotes(call.queries, noteable.id) };
};

export const getFlatNote = (kind: NoteableKind): OperationHandler<Flat['get']> => async (params, call) => {
  const { target, note } = await noteInPath(call, kind, params);
  return noteJson(target.noteable, note, call.dialect);
};
