import type { Awaitable, Database, Queries, Row, Value } from '../database.js';
import { StoreError } from '../errors.js';
import type { ColumnTypes } from '../schema.js';
import type { Connection, Statement } from './engine.js';
import { isLocked, unitError, retryWhileLocked } from './errors.js';
import type { WatchedFile } from './held-file.js';
import { createMutex, writeQueue } from './write-queue.js';

/** How SQLite spells column types. Numbers of deleted rows are never given again. */
export const sqliteTypes: ColumnTypes = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT', integer: 'INTEGER', bytes: 'BLOB',
};

/** A file that other processes may use at the same time. */
export interface SharedFile {
  readonly held: WatchedFile;
  /** How long a unit of work waits while another process holds the file, in milliseconds. */
  readonly lockTimeout: number;
}

/** Milliseconds between looks at the files where nothing is written: what was acknowledged may have to be saved. */
const checkInterval = 1_000;

type Work<T> = (queries: Queries) => Awaitable<T>;

/**
 * The driver port on one SQLite connection. Units of work run one after another; a unit that waits for another one
 * of the same database waits for ever. On a file a reading unit sees one state of it from beginning to end, and a
 * writing one waits until it is the only one in any process; while it waits, others have their turn.
 */
export const sqliteDatabase = (connection: Connection, shared?: SharedFile): Database => {
  const mutex = createMutex();
  const queries = queriesOf(connection);
  const held = shared?.held;
  const patience = shared?.lockTimeout ?? 0;
  const toUnitError = (error: unknown): Error => (held ? unitError(held.file, error) : error) as Error;
  const otherCommits = shared ? countOtherCommits(connection) : () => 0;
  let closed = false;
  let writes = 0;

  const transaction = async <T>(begin: string, work: Work<T>): Promise<T> => {
    connection.exec(begin);
    try {
      const result = work(queries);
      const settled = result instanceof Promise ? await result : result;
      connection.exec('COMMIT');
      return settled;
    } catch (error) {
      rollback(connection);
      throw error;
    }
  };
  const open = <T>(unit: () => Awaitable<T>) => (): Awaitable<T> => {
    if (closed) throw new StoreError('the store is closed', 'open it again');
    return unit();
  };
  const waitWhileLocked = <T>(unit: () => Promise<T>): Promise<T> =>
    retryWhileLocked(unit, isLocked, patience).catch((error: unknown) => { throw toUnitError(error); });
  const reading = <T>(unit: () => Awaitable<T>): Promise<T> => {
    const checked = open(() => {
      held?.checkReadable();
      return unit();
    });
    return held ? waitWhileLocked(() => mutex(checked)) : mutex(checked);
  };
  const writeTransaction = <T>(work: Work<T>, isLong = false): Promise<T> => mutex(open(async () => {
    held?.check();
    const result = await transaction('BEGIN IMMEDIATE', work);
    writes++;
    held?.checkCommitted(isLong);
    return result;
  }));
  const queue = writeQueue({ runAlone: writeTransaction, isLocked, lockTimeout: patience, toUnitError: toUnitError });
  const checkTimer = held && setInterval(() => { mutex(open(held.check)).catch(() => undefined); }, checkInterval).unref();
  return {
    all: <R extends Row>(sql: string, ...values: Value[]) => reading(() => queries.all<R>(sql, ...values)),
    read: (work) => reading(() => shared ? transaction('BEGIN', work) : work(queries)),
    write: queue.write,
    writeExclusively: (work) => waitWhileLocked(() => writeTransaction(work, true)),
    revision: () => {
      const others = otherCommits();
      return others === null ? null : writes + others;
    },
    close: async () => {
      clearInterval(checkTimer);
      await queue.settled();
      await mutex(() => {
        if (!closed) connection.close();
        closed = true;
      });
    },
  };
};

/** Counts the commits of other connections to the same file; null where the file cannot be read just now. */
const countOtherCommits = (connection: Connection): (() => number | null) => {
  const statement = connection.prepare('PRAGMA data_version');
  return () => {
    try {
      return Number(statement.get([])!['data_version']);
    } catch {
      return null;
    }
  };
};

/** The queries of one connection. */
const queriesOf = (connection: Connection): Queries => {
  const statement = statementsOf(connection);
  return {
    get: <R extends Row>(sql: string, ...values: R[string][]) => statement(sql).get(values) as R | undefined,
    all: <R extends Row>(sql: string, ...values: R[string][]) => statement(sql).all(values) as R[],
    run: (sql, ...values) => statement(sql).run(values).changes,
    insert: (sql, ...values) => statement(sql).run(values).lastInsertRowid,
    script: (statements) => connection.exec(statements.join(';\n')),
    lock: () => undefined,
    resetIds: (table) => {
      const largest = `SELECT coalesce(max(id), 0) FROM ${table}`;
      connection.exec(`UPDATE sqlite_sequence SET seq = (${largest}) WHERE name = '${table}'`);
    },
  };
};

/** After some errors (a full disk) SQLite has undone the transaction by itself, and refuses to do it again. */
const rollback = (connection: Connection): void => {
  try {
    connection.exec('ROLLBACK');
  } catch { /* nothing left to undo */ }
};

/** More than all the statements the service has; what is asked for less often than these is prepared anew. */
export const maxPrepared = 256;

/**
 * Prepares each statement once and keeps the ones last used: libsql never gives back the memory of a statement while
 * its connection is open, so preparing per call grows without end.
 */
export const statementsOf = (connection: Connection, kept = maxPrepared): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined && statements.size < kept) return known;
    const statement = known ?? connection.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > kept) statements.delete(statements.keys().next().value!);
    return statement;
  };
};
