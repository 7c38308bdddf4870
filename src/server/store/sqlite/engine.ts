import type { Row, Value } from '../database.js';
import { StoreError } from '../errors.js';
import type { ColumnTypes } from '../schema.js';
import { libsql } from './libsql.js';
import { nodeSqlite } from './node-sqlite.js';

/** The column types of SQLite. AUTOINCREMENT never reuses the ids of deleted rows. */
export const sqliteTypes: ColumnTypes = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT', integer: 'INTEGER', bytes: 'BLOB',
};

/** The number of changed rows, and the id of the last inserted one. */
export interface Changed { readonly changes: number; readonly lastInsertRowid: number }

/** A prepared statement; each call runs it to completion. */
export interface Statement {
  get(values: readonly Value[]): Row | undefined;
  all(values: readonly Value[]): Row[];
  run(values: readonly Value[]): Changed;
}

/** A connection to a SQLite file. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a file, a `file:` URL, or `:memory:`. */
export type Engine = (file: string) => Connection;

/** The supported SQLite engines. */
export type EngineName = 'node:sqlite' | 'libsql';

/**
 * Loads the named engine, or the first available one.
 * @throws StoreError if none is available
 */
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
