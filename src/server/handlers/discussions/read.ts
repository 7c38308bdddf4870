import { holdsIn } from '../../../contract/behavior/fact.js';
import { accessFacts } from '../../../contract/behavior/requests.js';
import type { NoteableKind } from '../../../contract/conventions.js';
import type { Contract } from '../../../contract/operations.js';
import type { Note } from '../../../contract/shapes/note.js';
import {
  accessTo, canReadEpic, readableNoteable, seesInternal, unlessHidden, type NoteablePath, type Target,
} from '../../api/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { type Json, jsonArray, notFound, recordNotFound } from '../../http/response.js';
import { epicByIid } from '../../repositories/epics.js';
import { noteableIn, type NoteableRow } from '../../repositories/noteables.js';
import {
  countNotes, countThreads, firstNoteOf, fragmentsOfThreads, noteOf, notesOfNoteable, notesOfThreads, threadIds,
  type FragmentRow, type NoteOrder, type ShownNoteRow,
} from '../../repositories/notes.js';
import { groupBy, parentPath, projectBy, type ContainerRow } from '../../repositories/world.js';
import { discussionJson, isCurrent, withFragment, withId, type ThreadPart } from '../../serializers/note.js';
import { DamagedRow } from '../../store/errors.js';
import { readNoteView } from '../stored-note.js';

type Discussions = Contract['discussions']['issue'];
type ThreadNotes = Contract['discussionNotes']['issue'];

interface ThreadPath extends NoteablePath { readonly discussion_id: string | null }

export interface NotePath extends NoteablePath { readonly note_id: number | null }

/** Selects a page of threads, then their notes (behavior: pages.short, pages.internal-notes). */
export const listThreads = (kind: NoteableKind): OperationHandler<Discussions['list']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  const { noteable } = target;
  const reader = { seesInternal: seesInternal(target) };
  const ids = await threadIds(call.queries, noteable.id, reader, call.page.limit, call.page.offset);
  const notes = await threadParts(call, noteable, ids);
  if (new Set(notes.map(({ discussion_id }) => discussion_id)).size < ids.length) {
    throw new DamagedRow('a thread has no notes');
  }
  const threads = new Map<string, ThreadPart[]>(ids.map((id) => [id, []]));
  for (const note of await withoutHidden(call, target, notes)) threads.get(note.discussion_id)?.push(note);
  const shown = [...threads.values()].filter(({ length }) => length > 0);
  const view = { noteable, edition: call.edition };
  const items = shown.map((thread) => discussionJson(view, thread));
  return { items, rows: await countThreads(call.queries, noteable.id, reader) };
};

type StoredPart = ThreadPart & Pick<FragmentRow, 'system_text' | 'internal'>;

const threadParts = async (
  call: Call, noteable: NoteableRow, ids: readonly string[],
): Promise<readonly StoredPart[]> => {
  const stored = await fragmentsOfThreads(call.queries, noteable.id, ids);
  if (stored.every((note) => isCurrent(note, call.edition))) return stored as readonly StoredPart[];
  return withFragments(call, noteable, await notesOfThreads(call.queries, noteable.id, ids));
};

export const getThread = (kind: NoteableKind): OperationHandler<Discussions['get']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  const notes = await withFragments(call, target.noteable, await notesOfThread(call, target, params));
  return discussionJson({ noteable: target.noteable, edition: call.edition }, notes);
};

/** Not paginated; an unknown thread has its own message (behavior: errors.thread, pages.unpaged). */
export const listThreadNotes = (kind: NoteableKind): OperationHandler<ThreadNotes['list']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  return jsonArray(await notesJson(call, target.noteable, await notesOfThread(call, target, params, 'Notes')));
};

/** behavior: threads.one-note, errors.note-of-thread */
export const getThreadNote = (kind: NoteableKind): OperationHandler<ThreadNotes['get']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  const { discussion_id } = await threadStart(call, target, params);
  const note = params.note_id === null ? undefined : await noteOf(call.queries, target.noteable.id, params.note_id);
  if (!note) throw recordNotFound();
  if (note.discussion_id !== discussion_id || await isHidden(call, target, note)) throw notFound('Note');
  return noteResponse(call, target.noteable, note);
};

type Flat = Contract['notes']['issue'];

/** behavior: notes.newest-first, notes.activity-filter */
export const listFlatNotes = (kind: NoteableKind): OperationHandler<Flat['list']> => async (params, call) => {
  const target = await readableNoteable(call, kind, params);
  const { noteable } = target;
  const order: NoteOrder = { by: params.order_by ?? 'created_at', direction: params.sort === 'asc' ? 'ASC' : 'DESC' };
  const reader = { seesInternal: seesInternal(target), filter: params.activity_filter ?? 'all_notes' };
  const stored = await notesOfNoteable(call.queries, noteable.id, reader, call.page.limit, call.page.offset, order);
  const items = await notesJson(call, noteable, await withoutHidden(call, target, stored));
  return { items, rows: await countNotes(call.queries, noteable.id, reader) };
};

export const getFlatNote = (kind: NoteableKind): OperationHandler<Flat['get']> => async (params, call) => {
  const { target, note } = await noteInPath(call, kind, params, readableNoteable, () => notFound('Note'));
  return noteResponse(call, target.noteable, note);
};

/** Returns the notes oldest first, at least one. @throws HttpError 404 */
export const notesOfThread = async (
  call: Call, target: Target, path: ThreadPath, thing = 'Discussion',
): Promise<readonly ShownNoteRow[]> => {
  const notes = await threadIfReadable(call, target, path.discussion_id ?? '');
  if (notes.length === 0) throw notFound(thing);
  return notes;
};

export const threadIfReadable = async (call: Call, target: Target, id: string): Promise<readonly ShownNoteRow[]> =>
  withoutHidden(call, target, await notesOfThreads(call.queries, target.noteable.id, [id]));

export const threadStart = async (call: Call, target: Target, path: ThreadPath): Promise<ShownNoteRow> => {
  const first = await firstNoteOf(call.queries, target.noteable.id, path.discussion_id ?? '');
  if (first && !await isHidden(call, target, first)) return first;
  const [shown] = await notesOfThread(call, target, path);
  return shown!;
};

/**
 * @param noteableOf locks the noteable for changes @param hidden the error about a note that the caller cannot see
 * @throws HttpError 404 if the noteable has no such note
 */
export const noteInPath = async (
  call: Call, kind: NoteableKind, path: NotePath, noteableOf = readableNoteable, hidden = recordNotFound,
) => {
  const target = await noteableOf(call, kind, path);
  const note = path.note_id === null ? undefined : await noteOf(call.queries, target.noteable.id, path.note_id);
  if (!note) throw recordNotFound();
  if (await isHidden(call, target, note)) throw hidden();
  return { target, note };
};

const isHidden = async (call: Call, target: Target, note: ShownNoteRow): Promise<boolean> =>
  (await withoutHidden(call, target, [note])).length === 0;

export const noteResponse = async (call: Call, noteable: NoteableRow, note: ShownNoteRow): Promise<Json<Note>> =>
  (await notesJson(call, noteable, [note]))[0]!;

const notesJson = async (call: Call, noteable: NoteableRow, notes: readonly ShownNoteRow[]): Promise<Json<Note>[]> =>
  (await withFragments(call, noteable, notes)).map(({ id, fragment }) => withId(id, fragment));

const withFragments = async (call: Call, noteable: NoteableRow, notes: readonly ShownNoteRow[]) => {
  const view = await readNoteView(call, noteable, notes);
  return notes.map((note) => withFragment(view, note));
};

/** behavior: access.internal-notes, access.references */
const withoutHidden = async <N extends { readonly internal: number; readonly system_text: string | null }>(
  call: Call, target: Target, all: readonly N[],
): Promise<readonly N[]> => {
  const notes = seesInternal(target) ? all : all.filter(({ internal }) => internal === 0);
  if (!notes.some(({ system_text }) => system_text !== null)) return notes;
  if (!holdsIn(accessFacts['access.references'], call.edition)) return notes;
  const shown: N[] = [];
  for (const note of notes) if (await mayRead(call, target, note.system_text ?? '')) shown.push(note);
  return shown;
};

const mayRead = async (call: Call, target: Target, text: string): Promise<boolean> => {
  for (const reference of referencesIn(text)) if (await isReferenceHidden(call, target, reference)) return false;
  return true;
};

interface Reference { readonly path: string; readonly sign: string; readonly iid: number }

const referencesIn = (text: string): Reference[] =>
  [...text.matchAll(/(?<![\w./-])([\w./-]*)([#!&])(\d{1,16})(?!\w)/g)]
    .map(([, path, sign, iid]) => ({ path: path!, sign: sign!, iid: Number(iid) }));

/** In the group of a project, `&3` is one of its epics and `app#4` an issue of another of its projects. */
const placeOf = ({ project, container }: Target, { path, sign }: Reference): string => {
  const group = project ? parentPath(project.path) : container.path;
  if (sign === '&') return path || group;
  if (path === '') return container.path;
  return path.includes('/') ? path : `${group}/${path}`;
};

const isReferenceHidden = async (call: Call, target: Target, reference: Reference): Promise<boolean> => {
  const { sign, iid } = reference;
  const isEpic = sign === '&';
  const place = placeOf(target, reference);
  const container: ContainerRow | undefined = isEpic ? await groupBy(call.queries, place)
    : await projectBy(call.queries, place);
  if (!container) return false;
  const seen = await accessTo(call, container);
  if (isEpic) {
    const epic = await epicByIid(call.queries, container.id, iid);
    return epic !== undefined && (!seen || !canReadEpic(seen, epic));
  }
  const kind = sign === '#' ? 'issue' : 'merge_request';
  const noteable = await noteableIn(call.queries, kind, container.id, iid);
  return noteable !== undefined && (!seen || !await unlessHidden(call, seen, noteable));
};
