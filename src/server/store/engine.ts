import type { Engine } from './connection.js';
import { StoreError } from './errors.js';
import { libsql } from './libsql.js';
import { nodeSqlite } from './node-sqlite.js';

/** The SQLite engines a store can run on. */
export type EngineName = 'node:sqlite' | 'libsql';

/**
 * The named engine; where none is named the first that loads.
 * @throws StoreError where none loads
 */
export const engine = async (name?: EngineName): Promise<Engine> => {
  const builtin = name === 'libsql' ? undefined : nodeSqlite();
  if (builtin !== undefined) return builtin;
  const found = name === 'node:sqlite' ? undefined : await libsql().catch(() => undefined);
  if (found !== undefined) return found;
  throw new StoreError(
    `no SQLite engine loads: this Node (${process.version}) has no usable node:sqlite, and libsql is not installed`,
    'Use Node 22.16 or newer, or install the package libsql.',
  );
};
