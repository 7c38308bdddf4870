import { resolve } from 'node:path';
import type { Database } from './database.js';
import { isPostgresUrl, openPostgres } from './postgres/open.js';
import { migrate, plan } from './schema/migrations.js';
import { sqliteDatabase, sqliteTypes } from './sqlite/database.js';
import { engine, type Connection, type EngineName } from './sqlite/engine.js';
import { defaultPatience, isLocked, refusalOf, whileLocked } from './sqlite/errors.js';
import { heldFile } from './sqlite/held-file.js';
import { openInMemory } from './sqlite/in-memory.js';
import { checkPlace, checkWritable, createPrivate } from './sqlite/place.js';

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
  readonly patience?: number | undefined;
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
  checkPlace(file);
  checkWritable(file);
  createPrivate(file);
  try {
    return await onFile(connect(resolve(file)), resolve(file), options);
  } catch (cause) {
    throw refusalOf(file, cause);
  }
};

/**
 * So many pages are written to the journal before they go to the file, 32 MB of them: one that changes often, as the
 * pages of an index do, then goes there once. With SQLite's own 1,000 a note cost half as much again.
 */
const journalPages = 8_000;

/** All of each definition is read: libsql ends the process where the name of a column is not UTF-8. */
const definitions = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`;

/** The tables come first: a file that is refused for what it holds is left as it is, its journal too. */
const onFile = async (
  connection: Connection, file: string, { durability, patience = defaultPatience }: StoreOptions,
): Promise<Database> => {
  const held = heldFile(connection, file);
  const database = sqliteDatabase({ ...connection, close: held.close }, { held, patience });
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    await database.writeAlone(async (queries) => {
      const found = await queries.all<{ name: string; sql: string }>(definitions);
      await migrate(queries, found.map(({ name }) => name), plan(sqliteTypes));
    });
    await whileLocked(async () => { connection.exec('PRAGMA journal_mode = WAL'); }, isLocked, patience);
    connection.exec(`PRAGMA wal_autocheckpoint = ${journalPages}`);
    connection.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    await whileLocked(async () => { held.hold(); }, isLocked, patience);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
};
