import type { Queries, Row, Value } from '../store/database.js';

export interface DraftNoteRow extends Row {
  readonly id: number;
  readonly noteable: number;
  readonly author_id: number;
  /** The thread it replies to; null for a new thread. */
  readonly discussion_id: string | null;
  readonly note: string;
  readonly commit_id: string | null;
  readonly line_code: string | null;
  readonly position: string | null;
  readonly resolve_discussion: number;
}

/** In the order in which they were created. */
export const draftNotesOf = (queries: Queries, noteable: number, author: number) => queries.all<DraftNoteRow>(
  'SELECT * FROM draft_notes WHERE noteable = ? AND author_id = ? ORDER BY id', noteable, author);

/** Undefined, even for one of another author. */
export const draftNoteOf = (queries: Queries, noteable: number, author: number, id: number) =>
  queries.get<DraftNoteRow>(
    'SELECT * FROM draft_notes WHERE noteable = ? AND author_id = ? AND id = ?', noteable, author, id);

export const hasDraftReply = async (
  queries: Queries, noteable: number, author: number, thread: string,
): Promise<boolean> => await queries.get(
  'SELECT id FROM draft_notes WHERE noteable = ? AND author_id = ? AND discussion_id = ?', noteable, author, thread,
) !== undefined;

const columns = [
  'noteable', 'author_id', 'discussion_id', 'note', 'commit_id', 'line_code', 'position', 'resolve_discussion',
] as const;

type NewDraftNote = Readonly<Record<(typeof columns)[number], Value>>;

export const insertDraftNote = (queries: Queries, draft: NewDraftNote): Promise<number> | number => queries.insert(
  `INSERT INTO draft_notes (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  ...columns.map((name) => draft[name]));

export const updateDraftNote = (queries: Queries, { id, note, line_code, position }: DraftNoteRow) => queries.run(
  'UPDATE draft_notes SET note = ?, line_code = ?, position = ? WHERE id = ?', note, line_code, position, id);

export const deleteDraftNote = (queries: Queries, id: number) =>
  queries.run('DELETE FROM draft_notes WHERE id = ?', id);
