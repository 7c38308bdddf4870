import { clearInterval, setInterval } from '../../../wire/time.js';
import { randomHex } from '../../random.js';
import type { Awaitable, Database, Queries, Row, RowCopies, RowCopy, Value, Work } from '../database.js';
import { StoreError } from '../errors.js';
import { exceptVersion, plan, tableNames } from '../schema.js';
import { type Connection, type Engine, sqliteTypes, type Statement } from './engine.js';
import { retryWhileLocked, unitError } from './errors.js';
import type { WatchedFile } from './watched-file.js';
import { createMutex, writeQueue } from './write-queue.js';

type EmptyCopy = Omit<RowCopy, 'bytes'>;

/** Other connections of this process can attach the copy by its name, as long as one of them is open. */
const createCopy = (connect: Engine): EmptyCopy => {
  const name = `file:/colloquy-${randomHex(32)}?vfs=memdb`;
  const connection = connect(name);
  connection.exec(plan(sqliteTypes).create.join(';\n'));
  return { name, close: () => { connection.close(); } };
};

/** SQLite keeps the last ids in a table of its own. */
export const storedTables = [...tableNames, 'sqlite_sequence'];

const usedBytes = async (queries: Queries): Promise<number> => (await queries.get<{ bytes: number }>(
  `SELECT (page_count - freelist_count) * page_size AS bytes
   FROM pragma_page_count, pragma_freelist_count, pragma_page_size`))!.bytes;

/** Call outside of transactions only. */
const withAttached = async <T>(connection: Connection, copy: EmptyCopy, work: () => Promise<T>): Promise<T> => {
  connection.exec(`ATTACH '${copy.name}' AS copy`);
  try {
    return await work();
  } finally {
    connection.exec('DETACH copy');
  }
};

/** SQLite copies tables without decoding rows (insert.c, xferOptimization): 10,000 notes in 10 ms instead of 700. */
const copyRows = (queries: Queries, { from, to }: { readonly from: string; readonly to: string }) =>
  queries.script(storedTables.flatMap((table) => {
    const rows = exceptVersion(table);
    return [`DELETE FROM ${to}.${table} ${rows}`, `INSERT INTO ${to}.${table} SELECT * FROM ${from}.${table} ${rows}`];
  }));

interface SharedFile { readonly watched: WatchedFile; readonly lockTimeout: number }

/** Milliseconds between checks while nothing is written: acknowledged changes may have to be saved. */
const checkInterval = 1_000;

/**
 * Transactions run one after another; one that waits for another deadlocks. On a file, readers see one snapshot, and
 * writers wait until no other process writes.
 */
export const sqliteDatabase = (connection: Connection, connect: Engine, shared?: SharedFile): Database => {
  const mutex = createMutex();
  const queries = queriesOf(connection);
  const watched = shared?.watched;
  const lockTimeout = shared?.lockTimeout ?? 0;
  const toUnitError = (error: unknown): Error => (watched ? unitError(watched.file, error) : error) as Error;
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
    retryWhileLocked(unit, lockTimeout).catch((error: unknown) => { throw toUnitError(error); });
  const reading = <T>(unit: () => Awaitable<T>): Promise<T> => {
    const checked = open(() => {
      watched?.checkReadable();
      return unit();
    });
    return watched ? waitWhileLocked(() => mutex(checked)) : mutex(checked);
  };
  const writeTransaction = <T>(work: Work<T>, isLong = false, copy?: RowCopy): Promise<T> => mutex(open(async () => {
    watched?.check();
    const write = () => transaction('BEGIN IMMEDIATE', work);
    const result = await (copy ? withAttached(connection, copy, write) : write());
    writes++;
    watched?.checkCommitted(isLong);
    return result;
  }));
  const copies: RowCopies = {
    save: async (maxBytes) => {
      const copy = createCopy(connect);
      let saved: RowCopy | null = null;
      const save: Work<void> = async (copying) => {
        const bytes = await usedBytes(copying);
        if (bytes > maxBytes) return;
        await copyRows(copying, { from: 'main', to: 'copy' });
        saved = { ...copy, bytes };
      };
      try {
        await reading(() => withAttached(connection, copy, () => transaction('BEGIN', save)));
        return saved;
      } finally {
        if (!saved) copy.close();
      }
    },
    restore: (copy, work) => waitWhileLocked(() => writeTransaction(async (copying) => {
      await copyRows(copying, { from: 'copy', to: 'main' });
      await work(copying);
    }, true, copy)),
  };
  const queue = writeQueue({ runAlone: writeTransaction, lockTimeout, toUnitError });
  const checkTimer = watched && setInterval(() => {
    mutex(open(watched.check)).catch(() => undefined);
  }, checkInterval).unref();
  return {
    all: <R extends Row>(sql: string, ...values: Value[]) => reading(() => queries.all<R>(sql, ...values)),
    read: (work) => reading(() => shared ? transaction('BEGIN', work) : work(queries)),
    write: queue.write,
    writeExclusively: (work) => waitWhileLocked(() => writeTransaction(work, true)),
    revision: () => {
      const others = otherCommits();
      return others === null ? null : writes + others;
    },
    copies,
    close: async () => {
      clearInterval(checkTimer);
      await queue.whenSettled();
      await mutex(() => {
        if (!closed) connection.close();
        closed = true;
      });
    },
  };
};

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

/** After some errors, such as a full disk, SQLite has rolled back by itself and rejects a ROLLBACK. */
const rollback = (connection: Connection): void => {
  try {
    connection.exec('ROLLBACK');
  } catch { /* nothing left to undo */ }
};

const maxPrepared = 256;

/** libsql frees the memory of a statement only when its connection closes. */
export const statementsOf = (connection: Connection, limit = maxPrepared): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined && statements.size < limit) return known;
    const statement = known ?? connection.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > limit) statements.delete(statements.keys().next().value!);
    return statement;
  };
};
