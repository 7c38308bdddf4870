/** Booleans are 0 or 1, times are ISO 8601 text in UTC. */
export type Value = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, Value>>;

export const isPostgresUrl = (name: string): boolean => /^postgres(ql)?:/i.test(name);

/** A result that SQLite returns at once and PostgreSQL later. */
export type Awaitable<T> = T | Promise<T>;

/** Placeholders are `?`; statements are prepared once. */
export interface Queries {
  /** Identifies the transaction if several writes share it. */
  readonly batch?: object;
  get<R extends Row>(sql: string, ...values: Value[]): Awaitable<R | undefined>;
  all<R extends Row>(sql: string, ...values: Value[]): Awaitable<R[]>;
  run(sql: string, ...values: Value[]): Awaitable<number>;
  /** Inserts one row and returns the generated id. */
  insert(sql: string, ...values: Value[]): Awaitable<number>;
  /** Runs statements without parameters in order, unprepared. */
  script(statements: readonly string[]): Awaitable<void>;
  /** Locks until the transaction ends; does nothing where there is only one writer. */
  lock(name: string): Awaitable<void>;
  /** Continues with one above the largest id of the table. */
  resetIds(table: string): Awaitable<void>;
}

export type Work<T> = (queries: Queries) => Awaitable<T>;

export interface RowCopy {
  readonly name: string;
  readonly bytes: number;
  close(): void;
}

export interface RowCopies {
  /** Null if the rows take more than so many bytes. */
  save(maxBytes: number): Promise<RowCopy | null>;
  /**
   * Replaces all rows, even of another store, in one transaction that `work` completes. Generated ids continue as
   * they did when the copy was made.
   */
  restore(copy: RowCopy, work: Work<void>): Promise<void>;
}

/** The columns of a row whose id the store gives. */
export type NewRow<R> = { readonly [K in keyof R as string extends K ? never : Exclude<K, 'id'>]: R[K] };

/** The SQL of the server is portable and written once. */
export interface Database {
  all<R extends Row>(sql: string, ...values: Value[]): Promise<R[]>;
  /** Reads one snapshot. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Resolves after the commit. Each statement sees what is committed when it runs, so a transaction locks what it
   * decides on before it reads it. May run `work` again.
   * @throws RequestAborted if aborted before the transaction begins
   */
  write<T>(work: Work<T>, signal?: AbortSignal): Promise<T>;
  /** No other process or transaction writes in the meantime. */
  writeExclusively<T>(work: Work<T>): Promise<T>;
  /** Changes with every commit of any process; null if it is not known synchronously. */
  revision(): number | null;
  /** Null if the engine has no copies. */
  readonly copies: RowCopies | null;
  close(): Promise<void>;
}

export const placeholders = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

export const insertion = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(columns.length)})`;

export const insertRow = (queries: Queries, table: string, cells: Readonly<Record<string, Value>>) =>
  queries.insert(insertion(table, Object.keys(cells)), ...Object.values(cells));

export const updateRow = (queries: Queries, table: string, id: number, changes: Readonly<Record<string, Value>>) =>
  queries.run(`UPDATE ${table} SET ${Object.keys(changes).map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...Object.values(changes), id);

const maxPending = 500;

/** Does not wait for responses: `run` returns 0. Statements keep their order; the first error rejects. */
export const inPipeline = async (queries: Queries, work: Work<void>): Promise<void> => {
  const pending: Promise<unknown>[] = [];
  const settle = async (): Promise<number> => {
    for (const one of pending.splice(0)) await one;
    return 0;
  };
  const run: Queries['run'] = (sql, ...values) => {
    const running = queries.run(sql, ...values);
    if (!(running instanceof Promise)) return running;
    running.catch(() => undefined);
    return pending.push(running) < maxPending ? 0 : settle();
  };
  try {
    await work({ ...queries, run });
  } finally {
    await settle();
  }
};
