import { resolve } from 'node:path';
import type { Database } from './database.js';
import { isPostgresUrl, openPostgres } from './postgres/open.js';
import { migrate, plan } from './schema.js';
import { sqliteDatabase, sqliteTypes, statementsOf } from './sqlite/database.js';
import { engine, type Connection, type Engine, type EngineName } from './sqlite/engine.js';
import { defaultLockTimeout, isLocked, openingError, retryWhileLocked } from './sqlite/errors.js';
import { watchedFile } from './sqlite/held-file.js';
import { checkPath, checkWritable, createPrivate } from './sqlite/place.js';

/** A connection to a store in memory of its own, with the present tables and nothing in them. */
interface SpareStore {
  readonly connection: Connection;
  /** The names of its tables, SQLite's own counters among them. */
  readonly tables: readonly string[];
  /** SQLite's number of this schema: another one as soon as anything is changed in it. */
  readonly schema: number;
}

/** What closed stores left, one for each engine. */
const spares = new WeakMap<Engine, SpareStore>();

/**
 * A new store in memory. Where one was closed before, its tables and prepared statements are taken over, emptied:
 * making them is more than half of what a service costs that answers one request and is gone, as in tests.
 */
export const openInMemory = async (connect: Engine): Promise<Database> => {
  const empty = spares.get(connect) ?? createSpare(connect);
  spares.delete(connect);
  const database = sqliteDatabase({ ...empty.connection, close: () => { release(connect, empty); } });
  await database.write((queries) => migrate(queries, [], versionOnlyPlan));
  return database;
};

/** The tables are there; what is not is the row that says of which version they are. */
const versionOnlyPlan = { ...plan(sqliteTypes), create: [] };

const createSpare = (connect: Engine): SpareStore => {
  const opened = connect(':memory:');
  const connection = { ...opened, prepare: statementsOf(opened) };
  connection.exec(plan(sqliteTypes).create.join(';\n'));
  const rows = connection.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all([]);
  return { connection, tables: rows.map(({ name }) => name as string), schema: pragmaValue(connection, 'schema_version') };
};

/** Larger ones are not kept: memory that was taken once stays with the connection. */
const maxSparePages = 256;

const release = (connect: Engine, empty: SpareStore): void => {
  const { connection, tables, schema } = empty;
  const isAsMade = pragmaValue(connection, 'schema_version') === schema && pragmaValue(connection, 'page_count') <= maxSparePages;
  if (spares.has(connect) || !isAsMade) return connection.close();
  connection.exec(tables.map((table) => `DELETE FROM ${table}`).join(';\n'));
  spares.set(connect, empty);
};

const pragmaValue = (connection: Connection, pragma: string): number =>
  Number(connection.prepare(`PRAGMA ${pragma}`).get([])![pragma]);

export interface StoreOptions {
  /** A file, created where it is missing, or the URL of a PostgreSQL database; in memory where none is named. */
  readonly file?: string | undefined;
  /**
   * What acknowledged changes survive: the end of the process, however it comes; or also a loss of power, at about a
   * third of the speed.
   */
  readonly durability?: 'process' | 'power' | undefined;
  /** Takes this engine alone; else the first that loads. */
  readonly engine?: EngineName | undefined;
  /** How long a unit of work waits while another process holds the file, in milliseconds; 5,000 when left out. */
  readonly lockTimeout?: number | undefined;
}

/**
 * Opens a store with the present tables in it. Several processes may open the same file or database.
 * @throws StoreError where the file or database can't be used, or no engine loads
 */
export const openDatabase = async (options: StoreOptions = {}): Promise<Database> => {
  const { file } = options;
  if (file !== undefined && isPostgresUrl(file)) return openPostgres(file);
  const connect = await engine(options.engine);
  if (file === undefined) return openInMemory(connect);
  checkPath(file);
  checkWritable(file);
  createPrivate(file);
  try {
    return await openFile(connect(resolve(file)), resolve(file), options);
  } catch (cause) {
    throw openingError(file, cause);
  }
};

/**
 * So many pages are written to the journal before they go to the file, 32 MB of them: one that changes often, as the
 * pages of an index do, then goes there once. With SQLite's own 1,000 a note cost half as much again.
 */
const journalPages = 8_000;

/** All of each definition is read: libsql ends the process where the name of a column is not UTF-8. */
const tableDefinitions = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`;

/** The tables come first: a file that is refused for what it holds is left as it is, its journal too. */
const openFile = async (
  connection: Connection, file: string, { durability, lockTimeout: patience = defaultLockTimeout }: StoreOptions,
): Promise<Database> => {
  const held = watchedFile(connection, file);
  const database = sqliteDatabase({ ...connection, close: held.close }, { held, lockTimeout: patience });
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    await database.writeExclusively(async (queries) => {
      const found = await queries.all<{ name: string; sql: string }>(tableDefinitions);
      await migrate(queries, found.map(({ name }) => name), plan(sqliteTypes));
    });
    await retryWhileLocked(async () => { connection.exec('PRAGMA journal_mode = WAL'); }, isLocked, patience);
    connection.exec(`PRAGMA wal_autocheckpoint = ${journalPages}`);
    connection.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    await retryWhileLocked(async () => { held.watch(); }, isLocked, patience);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
};
