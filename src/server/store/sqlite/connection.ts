import type { Row, Value } from '../database.js';

export interface Changed { readonly changes: number; readonly lastInsertRowid: number }

/** Each call runs it to completion. */
export interface Statement {
  get(values: readonly Value[]): Row | undefined;
  all(values: readonly Value[]): Row[];
  run(values: readonly Value[]): Changed;
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** For a file, a `file:` URL, or `:memory:`. */
export type Engine = (file: string) => Connection;
