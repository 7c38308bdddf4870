import {
  insertion, insertRow, type NewRow, placeholders, type Queries, type Row, updateRow,
} from '../store/database.js';

export interface NoteRow extends Row {
  readonly id: number;
  readonly noteable: number;
  readonly discussion_id: string;
  /** `DiscussionNote`, `DiffNote`, or null for an individual note. */
  readonly type: string | null;
  readonly body: string;
  readonly attachment: string | null;
  readonly author_id: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly system: number;
  /** 1 for all notes of an internal thread (behavior: replies.internal). */
  readonly internal: number;
  readonly commit_id: string | null;
  readonly position: string | null;
  readonly resolved_by: number | null;
  readonly resolved_at: string | null;
  /** JSON of the lines that the suggestions in the text replace; null if it has none, or nobody knows. */
  readonly suggestions: string | null;
  /** The JSON text after the id; null if it was never serialized. */
  readonly fragment: string | null;
  readonly dialect: string | null;
  /** 1 for the first note of its thread, which determines the thread's position in the list. */
  readonly starts: number;
}

export interface ShownNoteRow extends NoteRow {
  readonly author_username: string;
  readonly author_name: string;
  readonly author_state: string;
  readonly resolver_username: string | null;
  readonly resolver_name: string | null;
  readonly resolver_state: string | null;
  readonly system_text: string | null;
}

export type NewNote = NewRow<NoteRow>;

const systemText = 'CASE WHEN system = 1 THEN body END AS system_text';

const shown = `SELECT notes.*, ${systemText},
    author.username AS author_username, author.name AS author_name, author.state AS author_state,
    resolver.username AS resolver_username, resolver.name AS resolver_name, resolver.state AS resolver_state
  FROM notes JOIN users AS author ON author.id = notes.author_id
  LEFT JOIN users AS resolver ON resolver.id = notes.resolved_by`;

/** Oldest first (behavior: threads.oldest-first). */
export const notesOfThreads = (queries: Queries, noteable: number, discussions: readonly string[]) =>
  discussions.length === 0 ? [] : queries.all<ShownNoteRow>(
    `${shown} WHERE noteable = ? AND discussion_id IN (${placeholders(discussions.length)})
     ORDER BY created_at, notes.id`,
    noteable, ...discussions);

export const diffNotesOf = (queries: Queries, noteable: number) => queries.all<ShownNoteRow>(
  `${shown} WHERE noteable = ? AND type = 'DiffNote' AND position IS NOT NULL ORDER BY created_at, notes.id`, noteable);

export interface FragmentRow extends Row, Pick<ShownNoteRow,
  'id' | 'discussion_id' | 'type' | 'fragment' | 'dialect' | 'internal' | 'system' | 'resolved_at' | 'system_text'> {}

export const fragmentsOfThreads = (queries: Queries, noteable: number, discussions: readonly string[]) =>
  discussions.length === 0 ? [] : queries.all<FragmentRow>(
    `SELECT id, discussion_id, type, fragment, dialect, internal, system, resolved_at, ${systemText} FROM notes
     WHERE noteable = ? AND discussion_id IN (${placeholders(discussions.length)}) ORDER BY created_at, id`,
    noteable, ...discussions);

/** Whatever its thread (behavior: notes.thread-unchecked). */
export const noteOf = (queries: Queries, noteable: number, id: number) =>
  queries.get<ShownNoteRow>(`${shown} WHERE noteable = ? AND notes.id = ?`, noteable, id);

export const noteById = (queries: Queries, id: number) =>
  queries.get<ShownNoteRow>(`${shown} WHERE notes.id = ?`, id);

export const newestNoteOf = (queries: Queries, project: number) => queries.get<NoteRow>(
  `SELECT notes.* FROM notes JOIN noteables ON noteables.id = notes.noteable
   WHERE project_id = ? AND system = 0 ORDER BY notes.id DESC LIMIT 1`, project);

export const firstNoteOf = (queries: Queries, noteable: number, discussion: string) =>
  queries.get<ShownNoteRow>(
    `${shown} WHERE noteable = ? AND discussion_id = ? AND starts = 1 LIMIT 1`, noteable, discussion);

export interface NoteOrder { readonly by: 'created_at' | 'updated_at'; readonly direction: 'ASC' | 'DESC' }

/** Whose lists leave out internal notes (behavior: access.internal-notes), and what they list. */
interface Reader {
  readonly seesInternal: boolean;
  readonly filter?: 'all_notes' | 'only_comments' | 'only_activity';
}

const filters = { all_notes: '', only_comments: ' AND system = 0', only_activity: ' AND system = 1' } as const;

const among = ({ seesInternal, filter = 'all_notes' }: Reader): string =>
  `${seesInternal ? '' : ' AND internal = 0'}${filters[filter]}`;

export const notesOfNoteable = (
  queries: Queries, noteable: number, reader: Reader, limit: number, offset: number, { by, direction }: NoteOrder,
) => queries.all<ShownNoteRow>(
  `${shown} WHERE noteable = ?${among(reader)}
   ORDER BY notes.${by} ${direction}, notes.id ${direction} LIMIT ? OFFSET ?`,
  noteable, limit, offset);

const countOf = async (queries: Queries, noteable: number, condition: string): Promise<number> =>
  (await queries.get<{ count: number }>(
    `SELECT count(*) AS count FROM notes WHERE noteable = ?${condition}`, noteable))!.count;

export const countNotes = (queries: Queries, noteable: number, reader: Reader): Promise<number> =>
  countOf(queries, noteable, among(reader));

const columns = [
  'noteable', 'discussion_id', 'type', 'body', 'attachment', 'author_id', 'created_at', 'updated_at', 'system',
  'internal', 'commit_id', 'position', 'resolved_by', 'resolved_at', 'suggestions', 'fragment', 'dialect',
  'starts',
] as const satisfies readonly (keyof NewNote)[];

const noteInsertion = insertion('notes', columns);

export const insertNote = (queries: Queries, note: NewNote) =>
  queries.insert(noteInsertion, ...columns.map((name) => note[name]));

export const updateNote = (queries: Queries, id: number, changes: Partial<NewNote>) =>
  updateRow(queries, 'notes', id, changes);

/** With its award emoji (behavior: awards.with-note). */
export const deleteNote = async (queries: Queries, id: number): Promise<void> => {
  await queries.run('DELETE FROM award_emoji WHERE note_id = ?', id);
  await queries.run('DELETE FROM notes WHERE id = ?', id);
};

/** behavior: threads.order */
export const threadIds = async (
  queries: Queries, noteable: number, reader: Reader, limit: number, offset: number,
): Promise<string[]> =>
  (await queries.all<{ discussion_id: string }>(
    `SELECT discussion_id FROM notes WHERE noteable = ? AND starts = 1${among(reader)}
     ORDER BY created_at, id LIMIT ? OFFSET ?`,
    noteable, limit, offset,
  )).map((row) => row.discussion_id);

export const countThreads = (queries: Queries, noteable: number, reader: Reader): Promise<number> =>
  countOf(queries, noteable, ` AND starts = 1${among(reader)}`);

/** It has resolvable notes and all of them are resolved (behavior: resolving.counts). */
export const isThreadResolved = async (queries: Queries, noteable: number, thread: string): Promise<boolean> => {
  const one = 'SELECT id FROM notes WHERE noteable = ? AND discussion_id = ? AND type IS NOT NULL AND system = 0';
  const unresolved = await queries.get(`${one} AND resolved_at IS NULL LIMIT 1`, noteable, thread);
  return unresolved === undefined && await queries.get(`${one} LIMIT 1`, noteable, thread) !== undefined;
};

/** Behavior: resolving.counts. */
export const hasOpenThread = async (queries: Queries, noteable: number): Promise<boolean> => await queries.get(
  `SELECT id FROM notes WHERE noteable = ? AND type IS NOT NULL AND system = 0 AND resolved_at IS NULL LIMIT 1`,
  noteable) !== undefined;

export const markFirstNote = (queries: Queries, noteable: number, thread: string) => queries.run(
  `UPDATE notes SET starts = 1 WHERE id = (
     SELECT id FROM notes WHERE noteable = ? AND discussion_id = ? ORDER BY created_at, id LIMIT 1)`,
  noteable, thread);

/** Call after a change of the threads of a noteable. @param at if it also updates the noteable */
export const touchNoteable = (queries: Queries, noteable: number, at?: string) => at === undefined
  ? queries.run('UPDATE activity SET version = version + 1 WHERE noteable = ?', noteable)
  : queries.run('UPDATE activity SET version = version + 1, updated_at = ? WHERE noteable = ?', at, noteable);

/** Returns false if the noteable has the maximum number (behavior: limits.notes). */
export const addComment = async (queries: Queries, noteable: number, most: number, at: string): Promise<boolean> =>
  await queries.run(
    `UPDATE activity SET version = version + 1, comments = comments + 1, updated_at = ?
     WHERE noteable = ? AND comments < ?`,
    at, noteable, most) === 1;

export const removeComment = (queries: Queries, noteable: number) =>
  queries.run('UPDATE activity SET version = version + 1, comments = comments - 1 WHERE noteable = ?', noteable);

/** Call after seeding; system notes are not comments. */
export const insertAllActivity = (queries: Queries) => queries.run(
  `INSERT INTO activity (noteable, version, comments)
   SELECT id, 1, (SELECT count(*) FROM notes WHERE noteable = noteables.id AND system = 0) FROM noteables`);

export interface DraftNoteRow extends Row {
  readonly id: number;
  readonly noteable: number;
  readonly author_id: number;
  readonly discussion_id: string | null;
  readonly note: string;
  readonly commit_id: string | null;
  readonly line_code: string | null;
  readonly position: string | null;
  readonly resolve_discussion: number;
}

export const draftNotesOf = (queries: Queries, noteable: number, author: number) => queries.all<DraftNoteRow>(
  'SELECT * FROM draft_notes WHERE noteable = ? AND author_id = ? ORDER BY id', noteable, author);

/** Returns undefined for one of another author too. */
export const draftNoteOf = (queries: Queries, noteable: number, author: number, id: number) =>
  queries.get<DraftNoteRow>(
    'SELECT * FROM draft_notes WHERE noteable = ? AND author_id = ? AND id = ?', noteable, author, id);

export const hasDraftReply = async (
  queries: Queries, noteable: number, author: number, thread: string,
): Promise<boolean> => await queries.get(
  'SELECT id FROM draft_notes WHERE noteable = ? AND author_id = ? AND discussion_id = ?', noteable, author, thread,
) !== undefined;

export const insertDraftNote = (queries: Queries, draft: NewRow<DraftNoteRow>) =>
  insertRow(queries, 'draft_notes', draft);

export const updateDraftNote = (queries: Queries, { id, note, line_code, position }: DraftNoteRow) =>
  updateRow(queries, 'draft_notes', id, { note, line_code, position });

export const removeDraftNote = (queries: Queries, id: number) =>
  queries.run('DELETE FROM draft_notes WHERE id = ?', id);

export interface AwardRow extends Row {
  readonly id: number;
  readonly note_id: number;
  readonly user_id: number;
  readonly name: string;
  readonly created_at: string;
  readonly user_username: string;
  readonly user_name: string;
  readonly user_state: string;
}

const shownAwards = `SELECT award_emoji.*, username AS user_username, users.name AS user_name, state AS user_state
  FROM award_emoji JOIN users ON users.id = user_id WHERE note_id = ?`;

export const awardsOf = (queries: Queries, note: number) =>
  queries.all<AwardRow>(`${shownAwards} ORDER BY award_emoji.id`, note);

export const awardOf = (queries: Queries, note: number, id: number) =>
  queries.get<AwardRow>(`${shownAwards} AND award_emoji.id = ?`, note, id);

export const insertAward = async (
  queries: Queries, note: number, user: number, name: string, created_at: string,
): Promise<number | null> => {
  const known = await queries.get(
    'SELECT id FROM award_emoji WHERE note_id = ? AND user_id = ? AND name = ?', note, user, name);
  return known ? null : queries.insert(
    'INSERT INTO award_emoji (note_id, user_id, name, created_at) VALUES (?, ?, ?, ?)', note, user, name, created_at);
};

export const deleteAward = (queries: Queries, id: number) => queries.run('DELETE FROM award_emoji WHERE id = ?', id);
