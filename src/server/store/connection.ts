import type { Row, Value } from './database.js';

/** A prepared statement of a SQLite engine; it runs to its end in each call. */
export interface Statement {
  get(values: readonly Value[]): Row | undefined;
  all(values: readonly Value[]): Row[];
  /** The number of rows changed. */
  run(values: readonly Value[]): number;
}

/** One connection to a SQLite file, as both engines can give it. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a file, or `:memory:`. */
export type Engine = (file: string) => Connection;
