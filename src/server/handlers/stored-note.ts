import { notesLimit } from '../../contract/conventions.js';
import type { Target } from '../api/access.js';
import type { Call } from '../api/context.js';
import { invalidNote } from '../http/response.js';
import { drawUnused } from '../random.js';
import { storedDiff } from '../repositories/diffs.js';
import type { NoteableRow } from '../repositories/noteables.js';
import {
  addComment, deleteNote, diffNotesOf, firstNoteOf, insertNote, markFirstNote, type NewNote, type NoteRow,
  removeComment, type ShownNoteRow, touchNoteable, updateNote,
} from '../repositories/notes.js';
import {
  fragmentFormat, fragmentOf, isCurrent, isSuggestion, type NotedRow, type NoteView, peopleOf, suggestionsFor,
  type ThreadPart,
} from '../serializers/note.js';

/** What the JSON of these notes depends on. The diff is read only if one of them needs it. */
export const readNoteView = async (
  call: Call, noteable: NoteableRow, notes: readonly Pick<ShownNoteRow, 'type' | 'body' | 'fragment' | 'dialect'>[],
): Promise<NoteView> => {
  const { edition } = call;
  const view = { noteable, edition };
  const needsDiff = notes.some((note) => isSuggestion(view, note) && !isCurrent(note, edition));
  return { ...view, diff: needsDiff ? await storedDiff(call.queries, noteable.id) : null };
};

interface NoteFields extends Pick<NoteRow, 'type' | 'body' | 'created_at'>,
  Partial<Pick<NoteRow, 'position' | 'commit_id' | 'internal' | 'system'>> {
  /** The thread is resolved, so the note is too (behavior: replies.resolved). */
  readonly resolved?: boolean;
}

/**
 * The noteable must be locked. @param first the first note of the thread; undefined for a new thread
 * @throws HttpError 400 if the noteable has the maximum number of notes (behavior: limits.notes)
 */
export const addNote = async (
  call: Call, { noteable, project }: Target, fields: NoteFields,
  first?: Pick<NoteRow, 'id' | 'created_at' | 'discussion_id'>,
): Promise<ThreadPart> => {
  const { queries, now, caller } = call;
  if (!await addComment(queries, noteable.id, notesLimit, now)) {
    throw invalidNote({ base: ['Maximum number of comments exceeded'] });
  }
  const isFirst = !first || fields.created_at < first.created_at;
  if (first && isFirst) await updateNote(queries, first.id, { starts: 0 });
  const thread = first?.discussion_id ?? await newThreadId(call, noteable);
  const plain = noteRow(call, noteable, { ...fields, discussion_id: thread }, isFirst);
  const view = await readNoteView(call, noteable, [{ ...plain, fragment: null }]);
  const row = { ...plain, suggestions: suggestionsFor(view, plain) };
  const people = { author: caller, resolver: fields.resolved ? caller : null };
  const withoutId = fragmentOf(view, { ...row, id: null }, people);
  const id = await insertNote(queries, { ...row, fragment: withoutId });
  const fragment = isSuggestion(view, row) ? fragmentOf(view, { ...row, id }, people) : withoutId;
  if (fragment !== withoutId) await updateNote(queries, id, { fragment });
  call.addEvent({ kind: 'note', action: 'create', project, noteable, note: { ...row, id } });
  const { discussion_id, type, system, resolved_at } = row;
  return { id, discussion_id, type, system, resolved_at, fragment };
};

/** What a change needs of a call, so that the service itself can make one too. */
export type WriteContext = Pick<Call, 'queries' | 'caller' | 'now' | 'edition' | 'hex'>;

const newThreadId = async ({ queries, hex }: WriteContext, { id }: Pick<NoteableRow, 'id'>): Promise<string> =>
  hex.isSeeded ? drawUnused(hex, (thread) => firstNoteOf(queries, id, thread)) : hex(40);

/** `updated_at` of a new note equals `created_at`, even if that was given (behavior: notes.created-at-updated). */
const noteRow = (
  { caller, now, edition }: WriteContext, noteable: Pick<NoteableRow, 'id'>,
  fields: NoteFields & Pick<NoteRow, 'discussion_id'>, isFirst: boolean,
): Omit<NewNote, 'fragment'> => {
  const { discussion_id, type, body, created_at, system = 0, internal = 0, commit_id = null, position = null } = fields;
  const resolver = fields.resolved ? caller : null;
  return {
    noteable: noteable.id, discussion_id, type, body, attachment: null, author_id: caller.id, created_at,
    updated_at: created_at, system, internal, commit_id, position, resolved_by: resolver && caller.id,
    resolved_at: resolver && now, suggestions: null, dialect: fragmentFormat(edition), starts: Number(isFirst),
  };
};

/** behavior: threads.system-notes, notes.system @param thread that the note joins; by default it stands alone */
export const addSystemNote = async (
  context: WriteContext, noteable: NotedRow & Pick<NoteableRow, 'id'>, body: string,
  thread?: Pick<NoteRow, 'discussion_id' | 'type' | 'position' | 'internal'>,
): Promise<void> => {
  const { queries, now, caller, edition } = context;
  const { discussion_id, type, position, internal } = thread
    ?? { discussion_id: await newThreadId(context, noteable), type: null, position: null, internal: 0 };
  const fields = { discussion_id, type, body, created_at: now, position, internal, system: 1 };
  const row = noteRow(context, noteable, fields, !thread);
  const view = { noteable, edition, diff: null };
  const fragment = fragmentOf(view, { ...row, id: null }, { author: caller, resolver: null });
  await insertNote(queries, { ...row, fragment });
  await touchNoteable(queries, noteable.id, now);
};

/** Also changes the stored JSON, which it returns; the caller becomes the resolver. The noteable must be locked. */
export const changeNote = async (
  call: Call, { noteable }: Target, note: ShownNoteRow,
  changes: Partial<Pick<NewNote, 'type' | 'body' | 'updated_at' | 'resolved_by' | 'resolved_at'>>,
): Promise<ThreadPart> => {
  const { queries, now, caller, edition } = call;
  const { author, resolver } = peopleOf(note);
  const edited = { ...note, ...changes };
  const view = await readNoteView(call, noteable, [{ ...edited, fragment: null }]);
  const all = changes.body === undefined ? changes : { ...changes, suggestions: suggestionsFor(view, edited) };
  const changed = { ...note, ...all };
  const people = { author, resolver: changed.resolved_by === note.resolved_by ? resolver
    : changed.resolved_by === null ? null : caller };
  const fragment = fragmentOf(view, changed, people);
  await updateNote(queries, note.id, { ...all, fragment, dialect: fragmentFormat(edition) });
  await touchNoteable(queries, noteable.id, now);
  return { ...changed, fragment };
};

/** Call after a change of the state (behavior: notes.suggestion-appliable). */
export const updateSuggestions = async ({ queries, edition }: Call, noteable: NoteableRow): Promise<void> => {
  const view = { noteable, edition, diff: await storedDiff(queries, noteable.id) };
  const dialect = fragmentFormat(edition);
  for (const note of await diffNotesOf(queries, noteable.id)) {
    if (!isSuggestion(view, note)) continue;
    await updateNote(queries, note.id, { fragment: fragmentOf(view, note, peopleOf(note)), dialect });
  }
};

/** The rest of the thread stays; a thread without notes is gone (behavior: threads.first-note, threads.last-note). */
export const removeNote = async ({ queries }: Call, { noteable }: Target, note: ShownNoteRow): Promise<void> => {
  await deleteNote(queries, note.id);
  if (note.starts === 1) await markFirstNote(queries, noteable.id, note.discussion_id);
  await removeComment(queries, noteable.id);
};
