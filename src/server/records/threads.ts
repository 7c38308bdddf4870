import type { Queries, Row } from '../store/database.js';

interface ThreadRow extends Row { readonly id: string }
interface CountRow extends Row { readonly count: number }
interface FirstRow extends Row { readonly id: number; readonly created_at: string }

/** The ids of a noteable's threads, by their earliest note (wire-facts 4.3.8). */
export const threadIds = async (queries: Queries, noteable: number, limit: number, offset: number): Promise<string[]> =>
  (await queries.all<ThreadRow>(
    'SELECT id FROM discussions WHERE noteable = ? ORDER BY first_at, first_note LIMIT ? OFFSET ?',
    noteable, limit, offset,
  )).map((row) => row.id);

export const countThreads = async (queries: Queries, noteable: number): Promise<number> =>
  (await queries.get<CountRow>('SELECT count(*) AS count FROM discussions WHERE noteable = ?', noteable))!.count;

/** Makes room for a new note: the thread begins with it, or keeps its place where an earlier one is there. */
export const placeNote = (queries: Queries, noteable: number, thread: string, note: number, createdAt: string) =>
  queries.run(
    `INSERT INTO discussions (noteable, id, first_at, first_note) VALUES (?, ?, ?, ?)
     ON CONFLICT (noteable, id) DO UPDATE SET first_at = excluded.first_at, first_note = excluded.first_note
     WHERE excluded.first_at < discussions.first_at`,
    noteable, thread, createdAt, note);

/** Puts a thread in the place its notes give it; a thread without notes is gone (wire-facts 4.3.6). */
export const placeThread = async (queries: Queries, noteable: number, id: string): Promise<void> => {
  const first = await queries.get<FirstRow>(
    'SELECT id, created_at FROM notes WHERE noteable = ? AND discussion_id = ? ORDER BY created_at, id LIMIT 1',
    noteable, id);
  if (!first) {
    await queries.run('DELETE FROM discussions WHERE noteable = ? AND id = ?', noteable, id);
    return;
  }
  await queries.run(
    `INSERT INTO discussions (noteable, id, first_at, first_note) VALUES (?, ?, ?, ?)
     ON CONFLICT (noteable, id) DO UPDATE SET first_at = excluded.first_at, first_note = excluded.first_note`,
    noteable, id, first.created_at, first.id);
};
