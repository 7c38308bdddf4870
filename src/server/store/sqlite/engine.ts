import { StoreError } from '../errors.js';
import type { ColumnTypes } from '../schema.js';
import type { Engine } from './connection.js';
import { libsql } from './libsql.js';
import { nodeSqlite } from './node-sqlite.js';

/** AUTOINCREMENT never reuses the ids of deleted rows. */
export const sqliteTypes: ColumnTypes = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT', integer: 'INTEGER', bytes: 'BLOB',
};

/** A library for SQLite: the one of Node.js, or the optional dependency. */
export type EngineName = 'node:sqlite' | 'libsql';

/** The first available one without a name. @throws StoreError if none is available */
export const engine = async (name?: EngineName): Promise<Engine> => {
  const builtin = name === 'libsql' ? undefined : nodeSqlite();
  if (builtin !== undefined) return builtin;
  const found = name === 'node:sqlite' ? undefined : await libsql().catch(() => undefined);
  if (found !== undefined) return found;
  throw new StoreError(
    `no SQLite engine: Node.js ${process.version} has no usable node:sqlite, and libsql is not installed`,
    'use Node.js 22.16 or newer, or install the package libsql',
  );
};
