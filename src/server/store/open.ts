import { resolve } from 'node:path';
import { type Database, isPostgresUrl } from './database.js';
import { exceptVersion, migrate, newStore, plan } from './schema.js';
import { sqliteDatabase, statementsOf, storedTables } from './sqlite/database.js';
import { type Connection, type Engine, type EngineName, loadEngine, sqliteTypes } from './sqlite/engine.js';
import { defaultLockTimeout, openingError, retryWhileLocked } from './sqlite/errors.js';
import { checkPath, checkWritable, createPrivate } from './sqlite/file-path.js';
import { watchedFile } from './sqlite/watched-file.js';

interface SpareStore {
  readonly connection: Connection;
  /** SQLite counts the changes of a schema. */
  readonly schema: number;
}

const spares = new WeakMap<Engine, SpareStore[]>();
const mostSpares = 4;

/**
 * Reuses the emptied tables and prepared statements of a closed store: creating them takes more than half the time of a
 * service that handles one request, as in tests. The first statement does so, since a health check needs no data.
 */
const openInMemory = (connect: Engine): Database => {
  let used: SpareStore | undefined;
  const open = (): Connection => {
    used = spares.get(connect)?.pop() ?? createSpare(connect);
    const { exec, prepare } = used.connection;
    return Object.assign(connection, { exec, prepare });
  };
  const connection: Connection = {
    exec: (sql) => open().exec(sql), prepare: (sql) => open().prepare(sql),
    close: () => { if (used) release(connect, used); },
  };
  return sqliteDatabase(connection, connect);
};

const createSpare = (connect: Engine): SpareStore => {
  const opened = connect(':memory:');
  const connection = { ...opened, prepare: statementsOf(opened) };
  connection.exec(['BEGIN', ...newStore(plan(sqliteTypes)), 'COMMIT'].join(';\n'));
  return { connection, schema: pragmaValue(connection, 'schema_version') };
};

/** Larger databases are not reused, because SQLite keeps their memory. */
const maxSparePages = 256;

const release = (connect: Engine, spare: SpareStore): void => {
  const { connection, schema } = spare;
  const isReusable = pragmaValue(connection, 'schema_version') === schema
    && pragmaValue(connection, 'page_count') <= maxSparePages;
  const others = spares.get(connect) ?? [];
  if (others.length === mostSpares || !isReusable || !tryToEmpty(connection)) return connection.close();
  others.push(spare);
  spares.set(connect, others);
};

/** False if a statement is still in progress on the connection, which then commits nothing. */
const tryToEmpty = (connection: Connection): boolean => {
  try {
    const deletions = storedTables.map((table) => `DELETE FROM ${table} ${exceptVersion(table)}`);
    connection.exec(['BEGIN IMMEDIATE', ...deletions, 'COMMIT'].join(';\n'));
    return true;
  } catch {
    return false;
  }
};

const pragmaValue = (connection: Connection, pragma: string): number =>
  Number(connection.prepare(`PRAGMA ${pragma}`).get([])![pragma]);

interface StoreOptions {
  /** A file, which is created if it is missing, or a PostgreSQL URL; in memory if undefined. */
  readonly file?: string | undefined;
  /** What acknowledged changes survive; `power` takes about three times as long. */
  readonly durability?: 'process' | 'power' | undefined;
  readonly engine?: EngineName | undefined;
  /** Milliseconds to wait for a lock of another process; default 5,000. */
  readonly lockTimeout?: number | undefined;
}

/** Several processes may open the same store. @throws StoreError if it cannot be used, or no engine is available */
export const openDatabase = async (options: StoreOptions = {}): Promise<Database> => {
  const { file } = options;
  if (file !== undefined && isPostgresUrl(file)) return (await import('./postgres/open.js')).openPostgres(file);
  const connect = await loadEngine(options.engine);
  if (file === undefined) return openInMemory(connect);
  checkPath(file);
  checkWritable(file);
  createPrivate(file);
  try {
    return await openFile(connect, resolve(file), options);
  } catch (cause) {
    throw openingError(file, cause);
  }
};

/**
 * In pages (32 MB): pages that change often, such as index pages, are then copied once. With SQLite's default of 1,000
 * a note took half as long again.
 */
const journalPages = 8_000;

/** Reads whole definitions: libsql aborts the process if the name of a column is not UTF-8. */
const tableDefinitions = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`;

/** Checks the tables before it changes the journal mode, so that a rejected file is not modified. */
const openFile = async (
  connect: Engine, file: string, { durability, lockTimeout = defaultLockTimeout }: StoreOptions,
): Promise<Database> => {
  const connection = connect(file);
  const watched = watchedFile(connection, file);
  const database = sqliteDatabase({ ...connection, close: watched.close }, connect, { watched, lockTimeout });
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    await database.writeExclusively(async (queries) => {
      const found = await queries.all<{ name: string; sql: string }>(tableDefinitions);
      await migrate(queries, found.map(({ name }) => name), plan(sqliteTypes));
    });
    await retryWhileLocked(async () => { connection.exec('PRAGMA journal_mode = WAL'); }, lockTimeout);
    connection.exec(`PRAGMA wal_autocheckpoint = ${journalPages}`);
    connection.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    await retryWhileLocked(async () => { watched.watch(); }, lockTimeout);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
};
