import { collectionOf, noteableKinds } from '../../contract/noteables.js';
import type { Database, Row } from '../store/database.js';

/** The number of records by kind, named as in world files: `users`, `merge_requests`, `threads`. */
export type WorldCounts = Readonly<Record<string, number>>;

interface CountRow extends Row { readonly name: string; readonly count: number }

const containers = ['users', 'groups', 'projects'];

const sql = [
  ...containers.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`),
  ...noteableKinds.map((kind) =>
    `SELECT '${collectionOf(kind)}' AS name, count(*) AS count FROM noteables WHERE kind = '${kind}'`),
  `SELECT 'threads' AS name, count(*) AS count FROM notes WHERE starts = 1`,
].join(' UNION ALL ');

const order = [...containers, 'merge_requests', 'issues', 'snippets', 'commits', 'epics', 'threads'];

export const countRecords = async (database: Database): Promise<WorldCounts> => {
  const counts = new Map((await database.all<CountRow>(sql)).map(({ name, count }) => [name, count]));
  return Object.fromEntries(order.map((name) => [name, counts.get(name) ?? 0]));
};
