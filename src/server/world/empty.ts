import type { Queries } from '../store/database.js';

const filled = [
  'users', 'tokens', 'groups', 'projects', 'members', 'noteables', 'activity', 'epics', 'notes', 'appearance',
  'uploads',
];

/** Takes everything out of the store but its tables, inside a unit of work; a world can be written then. */
export const emptyDatabase = async (queries: Queries): Promise<void> => {
  for (const table of filled) await queries.run(`DELETE FROM ${table}`);
  await queries.run(`DELETE FROM meta WHERE name <> 'schemaVersion'`);
};

/** Whether a world can be written: there is nobody in the store. */
export const isEmpty = async (queries: Queries): Promise<boolean> =>
  await queries.get('SELECT id FROM users LIMIT 1') === undefined;
