import type { Queries, Row, Value } from '../store/database.js';
import { beginActivity } from './activity.js';

/** What a new epic needs; its ids are the store's to give. */
export interface NewEpic {
  readonly group_id: number;
  readonly title: string;
  readonly confidential: boolean;
  readonly author_id: number;
  readonly now: string;
}

interface IdRow extends Row { readonly id: number }

/** Adds an epic without a parent and gives its global id. Its ids are the next ones, globally and in its group. */
export const insertEpic = async (queries: Queries, { now, ...given }: NewEpic): Promise<number> => {
  const global_id = await nextId(queries);
  const cells: Readonly<Record<string, Value>> = {
    ...given, kind: 'epic', iid: await nextIid(queries, given.group_id), global_id, state: 'opened',
    confidential: Number(given.confidential), locked: 0, created_at: now, updated_at: now,
  };
  const names = Object.keys(cells);
  const noteable = await queries.insert(
    `INSERT INTO noteables (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, ...Object.values(cells));
  await beginActivity(queries, noteable);
  await queries.run(
    `INSERT INTO epics (noteable, position, start_date_is_fixed, due_date_is_fixed, labels) VALUES (?, 0, 0, 0, '[]')`,
    noteable);
  return global_id;
};

const nextId = async (queries: Queries): Promise<number> => (await queries.get<IdRow>(
  `SELECT coalesce(max(global_id), 0) + 1 AS id FROM noteables WHERE kind = 'epic'`))!.id;

const nextIid = async (queries: Queries, group: number): Promise<number> => (await queries.get<IdRow>(
  `SELECT coalesce(max(iid), 0) + 1 AS id FROM noteables WHERE kind = 'epic' AND group_id = ?`, group))!.id;
