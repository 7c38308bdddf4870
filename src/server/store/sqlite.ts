import type { Connection } from './connection.js';
import type { Awaitable, Database, Queries, Row, Value } from './database.js';
import { isLocked, StoreError, StoreUnavailable } from './errors.js';
import { gate } from './gate.js';
import { mostAtOnce, runTogether, type WaitingWrite } from './group-commit.js';
import type { ColumnTypes } from './schema.js';
import { statementsOf } from './statements.js';

/** How SQLite spells column types. Numbers of deleted rows are never given again. */
export const sqliteTypes: ColumnTypes = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT', integer: 'INTEGER', bytes: 'BLOB',
};

/**
 * The driver port on one SQLite connection. Units of work run one after another; a unit that waits for another one
 * of the same database waits for ever. With `shared`, other processes may use the same file: a reading unit then sees
 * one state of it from beginning to end, and a writing one waits until it is the only one. Writes that come in the same
 * turn of the event loop are committed together, for committing is what a write costs most.
 * @param beforeWriting what it throws is thrown in place of a write
 */
export const sqliteDatabase = (
  connection: Connection, shared: boolean, beforeWriting: () => void = () => undefined,
): Database => {
  const inTurn = gate();
  const queries = queriesOf(connection);
  const othersWrites = shared ? othersWritesOf(connection) : () => 0;
  const transaction = async <T>(begin: string, work: (queries: Queries) => Awaitable<T>): Promise<T> => {
    enter(connection, begin);
    try {
      const result = work(queries);
      const settled = result instanceof Promise ? await result : result;
      connection.exec('COMMIT');
      return settled;
    } catch (error) {
      undo(connection);
      throw error;
    }
  };
  let closed = false;
  let writes = 0;
  const counted = async <T>(work: (queries: Queries) => Awaitable<T>): Promise<T> => {
    beforeWriting();
    const result = await transaction('BEGIN IMMEDIATE', work);
    writes++;
    return result;
  };
  const open = <T>(unit: () => Awaitable<T>) => (): Awaitable<T> => {
    if (closed) throw new StoreError('the store is closed', 'Open it again to go on.');
    return unit();
  };
  const alone = <T>(work: (queries: Queries) => Awaitable<T>): Promise<T> => inTurn(open(() => counted(work)));
  const singly = ({ work, resolve, reject }: WaitingWrite): void => { alone(work).then(resolve, reject); };
  const together = (units: readonly WaitingWrite[]): void => {
    alone((inside) => runTogether(inside, units)).then(
      (outcomes) => { for (const tell of outcomes) tell(); },
      () => { for (const unit of units) singly(unit); });
  };
  const waiting: WaitingWrite[] = [];
  const begin = (): void => {
    const units = waiting.splice(0, mostAtOnce);
    const [first, ...others] = units;
    if (waiting.length > 0) setImmediate(begin);
    if (first && others.length === 0) singly(first);
    else if (first) together(units);
  };
  const write = <T>(work: (queries: Queries) => Awaitable<T>): Promise<T> => new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(begin);
    waiting.push({ work, resolve: resolve as (result: unknown) => void, reject });
  });
  return {
    all: <R extends Row>(sql: string, ...values: Value[]) => inTurn(open(() => queries.all<R>(sql, ...values))),
    read: (work) => inTurn(open(() => shared ? transaction('BEGIN', work) : work(queries))),
    write,
    writeAlone: alone,
    stamp: () => writes + othersWrites(),
    close: () => {
      while (waiting.length > 0) begin();
      return inTurn(() => {
        if (!closed) connection.close();
        closed = true;
      });
    },
  };
};

/** Counts the commits of other connections to the same file. */
const othersWritesOf = (connection: Connection): (() => number) => {
  const statement = connection.prepare('PRAGMA data_version');
  return () => Number(statement.get([])!['data_version']);
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
    numberOn: (table) => {
      const largest = `SELECT coalesce(max(id), 0) FROM ${table}`;
      connection.exec(`UPDATE sqlite_sequence SET seq = (${largest}) WHERE name = '${table}'`);
    },
  };
};

const enter = (connection: Connection, begin: string): void => {
  try {
    connection.exec(begin);
  } catch (cause) {
    if (!isLocked(cause)) throw cause;
    throw new StoreUnavailable('the store is locked by another process', 'refused', { cause });
  }
};

/** After some errors (a full disk) SQLite has undone the transaction by itself, and refuses to do it again. */
const undo = (connection: Connection): void => {
  try {
    connection.exec('ROLLBACK');
  } catch { /* nothing left to undo */ }
};
