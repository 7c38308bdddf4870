import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.js';
import type { Database } from './database.js';
import { engine, type EngineName } from './engine.js';
import { isLocked, StoreError } from './errors.js';
import { openInMemory } from './in-memory.js';
import { migrate, plan } from './migrations.js';
import { isPostgresUrl, openPostgres } from './postgres-open.js';
import { sqliteDatabase, sqliteTypes } from './sqlite.js';

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
  try {
    return await onFile(connect(resolve(file)), options);
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
const onFile = async (connection: Connection, { durability }: StoreOptions): Promise<Database> => {
  let isOpen = false;
  const close = (): void => {
    if (isOpen) putJournalAway(connection);
    connection.close();
  };
  const database = sqliteDatabase({ ...connection, close }, true);
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
    isOpen = true;
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

/**
 * A closed store is its file alone, to be copied, moved or replaced. libsql holds on to a closed file until its
 * statements are collected, and removes then the journal that goes by its name, whosever that is; so it is left with
 * none. Where others have the file open it stays theirs, but empty if they leave it alone for a moment.
 */
const putJournalAway = (connection: Connection): void => {
  const pragmas = ['busy_timeout = 0', 'wal_checkpoint(TRUNCATE)', 'journal_mode = DELETE', 'journal_mode = WAL'];
  try {
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma}`).join(';'));
  } catch { /* others have the file open */ }
};

/**
 * SQLite's own words do not tell a missing folder from a file that is one.
 * @throws StoreError
 */
export const checkPlace = (file: string): void => {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StoreError(`${file} is a folder`, 'Name a file in it.');
  }
  const folder = dirname(resolve(file));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StoreError(`${file} can't be created: there is no folder ${folder}`, 'Create the folder first.');
  }
};

/** What an engine's error about a file says to people. */
export const refusalOf = (file: string, cause: unknown): unknown => {
  if (cause instanceof StoreError) {
    return new StoreError(`${file} can't be used: ${cause.message}`, cause.hint, { cause });
  }
  const words = cause instanceof Error ? cause.message : String(cause);
  if (isLocked(cause)) {
    const hint = 'Try again when that process is done with it.';
    return new StoreError(`${file} is locked by another process`, hint, { cause });
  }
  if (/not a database/i.test(words)) {
    return new StoreError(`${file} is not a SQLite file`, 'Name another file; this one is left as it is.', { cause });
  }
  if (/readonly|read-only/i.test(words)) {
    return new StoreError(`${file} can't be written`, 'Check the rights of the file and its folder.', { cause });
  }
  return new StoreError(`${file} can't be opened: ${words}`, 'Check the rights of the file and its folder.', { cause });
};
