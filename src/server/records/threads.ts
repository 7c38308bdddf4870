import type { Queries, Row } from '../store/database.js';

interface ThreadRow extends Row { readonly discussion_id: string }
interface CountRow extends Row { readonly count: number }

/** The ids of a noteable's threads, by their earliest note (wire-facts 4.3.8). */
export const threadIds = async (queries: Queries, noteable: number, limit: number, offset: number): Promise<string[]> =>
  (await queries.all<ThreadRow>(
    'SELECT discussion_id FROM notes WHERE noteable = ? AND starts = 1 ORDER BY created_at, id LIMIT ? OFFSET ?',
    noteable, limit, offset,
  )).map((row) => row.discussion_id);

export const countThreads = async (queries: Queries, noteable: number): Promise<number> =>
  (await queries.get<CountRow>(
    'SELECT count(*) AS count FROM notes WHERE noteable = ? AND starts = 1', noteable))!.count;

/** Of the notes of a thread that can be resolved there is one, and none that isn't (wire-facts 4.9.10). */
export const isThreadResolved = async (queries: Queries, noteable: number, thread: string): Promise<boolean> => {
  const one = 'SELECT id FROM notes WHERE noteable = ? AND discussion_id = ? AND type IS NOT NULL AND system = 0';
  const unresolved = await queries.get(`${one} AND resolved_at IS NULL LIMIT 1`, noteable, thread);
  return unresolved === undefined && await queries.get(`${one} LIMIT 1`, noteable, thread) !== undefined;
};

/** After the note that started a thread is gone, the next one does; with its last note the thread is gone. */
export const startAnew = (queries: Queries, noteable: number, thread: string) => queries.run(
  `UPDATE notes SET starts = 1 WHERE id = (
     SELECT id FROM notes WHERE noteable = ? AND discussion_id = ? ORDER BY created_at, id LIMIT 1)`,
  noteable, thread);
