import type { Row, Value } from '../database.js';

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
