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
  /** Holds off other writers of the same thing until this unit of work ends; nothing to do where only one can write. */
  lock(name: string): Awaitable<void>;
  /** After rows were given ids, or all are gone: the next id that a table gives by itself is one above its largest. */
  numberOn(table: string): Awaitable<void>;
}

/** The driver port: what a store needs of a database (design: portable SQL, written once). */
export interface Database {
  /** A unit of work that only reads. */
  read<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /**
   * A unit of work that is kept whole or not at all. Its promise resolves when it is committed: what is answered after
   * that survives the end of the process.
   */
  write<T>(work: (queries: Queries) => Awaitable<T>): Promise<T>;
  /** Another number after every committed write, whichever process made it; null where that can't be told at once. */
  stamp(): number | null;
  close(): Promise<void>;
}
