import type { Queries, Value } from '../store/database.js';

/** What a column is written from: truth is 0 or 1, what is absent is null. */
export type Cell = Value | boolean | undefined;

/** Adds one row. */
export const insert = async (queries: Queries, table: string, cells: Readonly<Record<string, Cell>>): Promise<void> => {
  const names = Object.keys(cells);
  const values = Object.values(cells).map((cell) => typeof cell === 'boolean' ? Number(cell) : cell ?? null);
  await queries.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, ...values);
};
