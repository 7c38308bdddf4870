import type { NoteRow } from '../records/notes.js';
import type { Queries } from '../store/database.js';
import type { WorldDiscussion, WorldNote, WorldPosition } from './shape.js';

interface NamedNoteRow extends NoteRow { readonly author: string; readonly resolver: string | null }

const everything = `SELECT notes.*, author.username AS author, resolver.username AS resolver
  FROM notes JOIN users AS author ON author.id = notes.author_id
  LEFT JOIN users AS resolver ON resolver.id = notes.resolved_by
  ORDER BY notes.noteable, notes.created_at, notes.id`;

/** Reads all threads of a store; gives those of a noteable in the order of their earliest notes. */
export const threadsBy = async (queries: Queries): Promise<(noteable: number) => WorldDiscussion[]> => {
  const threads = new Map<number, Map<string, NamedNoteRow[]>>();
  for (const note of await queries.all<NamedNoteRow>(everything)) {
    const ofNoteable = threads.get(note.noteable) ?? new Map<string, NamedNoteRow[]>();
    threads.set(note.noteable, ofNoteable);
    const ofThread = ofNoteable.get(note.discussion_id);
    if (ofThread) ofThread.push(note);
    else ofNoteable.set(note.discussion_id, [note]);
  }
  return (noteable) => [...threads.get(noteable) ?? []].map(([id, notes]) => threadFrom(id, notes));
};

/** A thread names its position once, on its first note. */
const threadFrom = (id: string, rows: readonly NamedNoteRow[]): WorldDiscussion => {
  const [first, ...others] = rows.map(noteFrom);
  const { position } = rows[0]!;
  const placed = position === null ? first! : { ...first!, position: positionFrom(position) };
  return { id, individual_note: rows[0]!.type === null, notes: [placed, ...others] };
};

const noteFrom = (row: NamedNoteRow): WorldNote => ({
  id: row.id, author: row.author, body: row.body, system: row.system === 1, created_at: row.created_at,
  updated_at: row.updated_at,
  ...(row.attachment !== null && { attachment: row.attachment }),
  ...(row.commit_id !== null && { commit_id: row.commit_id }),
  ...(row.resolver !== null && { resolved_by: row.resolver }),
  ...(row.resolver !== null && row.resolved_at !== null && { resolved_at: row.resolved_at }),
});

const positionFrom = (text: string): WorldPosition =>
  Object.fromEntries(Object.entries(JSON.parse(text) as object).filter(([, value]) => value !== null));
