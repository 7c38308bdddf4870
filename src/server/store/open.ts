import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.js';
import type { Database } from './database.js';
import { engine, type EngineName } from './engine.js';
import { isLocked } from './errors.js';
import { heldFile } from './held-file.js';
import { openInMemory } from './in-memory.js';
import { migrate, plan } from './migrations.js';
import { checkPlace, checkWritable } from './place.js';
import { isPostgresUrl, openPostgres } from './postgres-open.js';
import { sqliteDatabase, sqliteTypes } from './sqlite.js';
import { refusalOf } from './sqlite-errors.js';

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
  try {
    return await onFile(connect(resolve(file)), resolve(file), options.durability);
  } catch (cause) {
    throw refusalOf(file, cause);
  }
};

/**
 * So many pages are written to the journal before they go to the file, 32 MB of them: one that changes often, as the
 * pages of an index do, then goes there once. With SQLite's own 1,000 a note cost half as much again.
 */
const journalPages = 8_000;

/** The tables come first: a file that is refused for what it holds is left as it is, its journal too. */
const onFile = async (
  connection: Connection, file: string, durability: StoreOptions['durability'],
): Promise<Database> => {
  const held = heldFile(connection, file);
  const database = sqliteDatabase({ ...connection, close: held.close }, true, held.check);
  try {
    connection.exec('PRAGMA busy_timeout = 5000');
    await database.write(async (queries) => {
      const found = await queries.all<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`);
      await migrate(queries, found.map(({ name }) => name), plan(sqliteTypes));
    });
    await writeAhead(connection);
    connection.exec(`PRAGMA wal_autocheckpoint = ${journalPages}`);
    connection.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    held.hold();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** Where two processes make one new file, SQLite refuses this to the second without waiting for the first. */
const writeAhead = async (connection: Connection, tries = 100): Promise<void> => {
  try {
    connection.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    if (tries <= 1 || !isLocked(error)) throw error;
    await pause(50);
    await writeAhead(connection, tries - 1);
  }
};
