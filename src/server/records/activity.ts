import type { Queries } from '../store/database.js';

/** Counts a change of what a noteable's threads show. */
export const touchNoteable = (queries: Queries, noteable: number) =>
  queries.run('UPDATE activity SET version = version + 1 WHERE noteable = ?', noteable);

/** The same for a comment that comes. Tells whether there was room: a noteable takes so many (wire-facts 4.5.5). */
export const addComment = async (queries: Queries, noteable: number, most: number): Promise<boolean> =>
  await queries.run(
    'UPDATE activity SET version = version + 1, comments = comments + 1 WHERE noteable = ? AND comments < ?',
    noteable, most) === 1;

/** The same for a comment that goes. */
export const dropComment = (queries: Queries, noteable: number) =>
  queries.run('UPDATE activity SET version = version + 1, comments = comments - 1 WHERE noteable = ?', noteable);

/** Begins to count for a noteable that has no comment yet. */
export const beginActivity = (queries: Queries, noteable: number) =>
  queries.run('INSERT INTO activity (noteable, version, comments) VALUES (?, 1, 0)', noteable);

/** Begins to count for all noteables, after a world was written; what the service wrote by itself is no comment. */
export const beginAllActivity = (queries: Queries) => queries.run(
  `INSERT INTO activity (noteable, version, comments)
   SELECT id, 1, (SELECT count(*) FROM notes WHERE noteable = noteables.id AND system = 0) FROM noteables`);
