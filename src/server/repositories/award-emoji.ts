import type { Queries, Row } from '../store/database.js';
import type { UserRow } from './world.js';

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

const shown = `SELECT award_emoji.*, username AS user_username, users.name AS user_name, state AS user_state
  FROM award_emoji JOIN users ON users.id = user_id WHERE note_id = ?`;

/** Oldest first. */
export const awardsOf = (queries: Queries, note: number) =>
  queries.all<AwardRow>(`${shown} ORDER BY award_emoji.id`, note);

export const awardOf = (queries: Queries, note: number, id: number) =>
  queries.get<AwardRow>(`${shown} AND award_emoji.id = ?`, note, id);

/** Null if the user awarded it before. */
export const insertAward = async (
  queries: Queries, note: number, { id: user }: Pick<UserRow, 'id'>, name: string, created_at: string,
): Promise<number | null> => {
  const known = await queries.get(
    'SELECT id FROM award_emoji WHERE note_id = ? AND user_id = ? AND name = ?', note, user, name);
  return known ? null : queries.insert(
    'INSERT INTO award_emoji (note_id, user_id, name, created_at) VALUES (?, ?, ?, ?)', note, user, name, created_at);
};

export const deleteAward = (queries: Queries, id: number) => queries.run('DELETE FROM award_emoji WHERE id = ?', id);
