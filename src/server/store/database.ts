/** A value that a column holds. Truth is 0 or 1, an instant is ISO 8601 text in UTC. */
export type Value = string | number | null | Uint8Array;

/** A row by column name. */
export type Row = Readonly<Record<string, Value>>;

/** SQLite answers at once, PostgreSQL later; whoever asks awaits either. */
export type Awaitable<T> = T | Promise<T>;

/** SQL inside one unit of work. Placeholders are `?`; statements are prepared once and kept. */
export interface Queries {
  /** The first row, or undefined. */
  get<R extends Row>(sql: string, ...values: Value[]): Awaitable<R | undefined>;
  all<R extends Row>(sql: string, ...values: Value[]): Awaitable<R[]>;
  /** Changes rows and tells how many. */
  run(sql: string, ...values: Value[]): Awaitable<number>;
  /** Adds the one row of an INSERT to a table that numbers itself, and gives its id. */
  insert(sql: string, ...values: Value[]): Awaitable<number>;
  /** Runs statements without values, one after another, and keeps none of them. */
  script(statements: readonly string[]): Awaitable<void>;
  /** Holds off other writers of the same thing until this unit of work ends; nothing to do where only one can write. */
  lock(name: string): Awaitable<void>;
  /** After rows were given ids, or all are gone: the next id that a table gives by itself is one above its largest. */
  resetIds(table: string): Awaitable<void>;
}

/** The driver port: what a store needs of a database (design: portable SQL, written once). */
export interface Database {
  /** The rows of one question outside any unit of work: what is committed when it is asked. */
  all<R extends Row>(sql: string, ...values: Value[]): Promise<R[]>;
  /** A unit of work that only reads, and sees one state from beginning to end. */
  read<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /**
   * A unit of work that is kept whole or not at all. Its promise resolves when it is committed: what is answered after
   * that survives the end of the process. Where others write at the same time, each statement sees what is committed
   * when it runs: a unit locks what it decides on before it reads it. It may be run again from the start.
   */
  write<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /** The same for a unit that fills or replaces the store: no other one writes meanwhile, in any process. */
  writeExclusively<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /** Another number after every committed write, whichever process made it; null where that can't be told at once. */
  revision(): number | null;
  close(): Promise<void>;
}
