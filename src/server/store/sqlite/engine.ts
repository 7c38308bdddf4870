import type { Row, Value } from '../database.js';
import { StoreError } from '../errors.js';
import { libsql } from './libsql.js';
import { nodeSqlite } from './node-sqlite.js';

/** How many rows a statement changed, and the id of the last one it added. */
export interface Changed { readonly changes: number; readonly lastInsertRowid: number }

/** A prepared statement of a SQLite engine; it runs to its end in each call. */
export interface Statement {
  get(values: readonly Value[]): Row | undefined;
  all(values: readonly Value[]): Row[];
  run(values: readonly Value[]): Changed;
}

/** One connection to a SQLite file, as both engines can give it. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a file, or `:memory:`. */
export type Engine = (file: string) => Connection;

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
    `no SQLite engine: Node.js ${process.version} has no usable node:sqlite, and libsql is not installed`,
    'use Node.js 22.16 or newer, or install the package libsql',
  );
};
