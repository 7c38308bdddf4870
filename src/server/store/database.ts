/** A column value. Booleans are 0 or 1, times are ISO 8601 text in UTC. */
export type Value = string | number | null | Uint8Array;

/** A row by column name. */
export type Row = Readonly<Record<string, Value>>;

/** A result that SQLite returns at once and PostgreSQL later. */
export type Awaitable<T> = T | Promise<T>;

/** Queries inside one transaction. Placeholders are `?`; statements are prepared once. */
export interface Queries {
  /** Identifies the transaction if several writes share it. */
  readonly batch?: object;
  /** The first row, or undefined. */
  get<R extends Row>(sql: string, ...values: Value[]): Awaitable<R | undefined>;
  all<R extends Row>(sql: string, ...values: Value[]): Awaitable<R[]>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: Value[]): Awaitable<number>;
  /** Runs an INSERT of one row and returns the generated id. */
  insert(sql: string, ...values: Value[]): Awaitable<number>;
  /** Runs statements without parameters, in order and unprepared. */
  script(statements: readonly string[]): Awaitable<void>;
  /** Blocks other writers of the same name until the transaction ends; does nothing where there is only one writer. */
  lock(name: string): Awaitable<void>;
  /** Sets the next generated id of a table to one above its largest id. */
  resetIds(table: string): Awaitable<void>;
}

/** All rows of a store at one time, held in memory by this process. */
export interface RowCopy {
  /** Identifies the copy to the engine. */
  readonly name: string;
  readonly bytes: number;
  /** Frees its memory. */
  close(): void;
}

/** Copies of the rows of a store. */
export interface RowCopies {
  /** Copies all rows; null if they take more than so many bytes. */
  save(maxBytes: number): Promise<RowCopy | null>;
  /**
   * Replaces all rows, also those of another store, in one transaction that `work` completes. Generated ids continue as
   * they did when the copy was made.
   */
  restore(copy: RowCopy, work: (queries: Queries) => Awaitable<void>): Promise<void>;
}

/** A database driver. The SQL of the server is portable and written once. */
export interface Database {
  /** Runs one query outside a transaction. */
  all<R extends Row>(sql: string, ...values: Value[]): Promise<R[]>;
  /** Runs a read-only transaction on one snapshot. */
  read<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /**
   * Runs a transaction; resolves after the commit. Each statement sees what is committed when it runs, so a transaction
   * locks what it decides on before it reads it. May run `work` again.
   * @throws RequestAborted if the signal is aborted before the transaction begins
   */
  write<T>(work: (queries: Queries) => Awaitable<T>, signal?: AbortSignal): Promise<T>;
  /** Runs a transaction while no other process or transaction writes. */
  writeExclusively<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /** A number that changes with every commit of any process; null if it is not known synchronously. */
  revision(): number | null;
  /** Null if the engine has no copies. */
  readonly copies: RowCopies | null;
  close(): Promise<void>;
}
