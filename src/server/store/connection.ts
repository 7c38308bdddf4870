import type { Row, Value } from './database.js';

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
