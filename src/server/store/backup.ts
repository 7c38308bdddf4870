import { closeSync, fsyncSync, linkSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkOptions, kinds, oneOf, type OptionKind } from '../../wire/options.js';
import { randomHex } from '../random.js';
import { isPostgresUrl } from './database.js';
import { StoreError } from './errors.js';
import { type Connection, type EngineName, loadEngine } from './sqlite/engine.js';
import { isFull, openingError } from './sqlite/errors.js';
import { checkPath, checkWritable } from './sqlite/file-path.js';

/** What to back up, and where to. */
export interface BackupOptions {
  /** The SQLite file; servers may be writing to it. */
  readonly file: string;
  /** The path of the copy; no file may exist there. */
  readonly target: string;
  /** The library that copies the file; default: the first available one. */
  readonly engine?: EngineName | undefined;
}

/**
 * The target appears when the copy is complete and on disk; only its owner can read it. Leftovers of killed backups in
 * its folder are removed.
 * @throws TypeError for an invalid option, StoreError if the store or the target cannot be used; then there is no new
 * file
 */
export const backupStore = async (options: BackupOptions): Promise<void> => {
  checkOptions(options, {
    file: kinds.text, target: kinds.text, engine: oneOf('node:sqlite', 'libsql'),
  } satisfies Record<keyof Required<BackupOptions>, OptionKind>, ['file', 'target']);
  const { file, target, engine: name } = options;
  if (isPostgresUrl(file)) {
    throw new StoreError('cannot back up a PostgreSQL database', 'use pg_dump; servers can keep running');
  }
  checkPath(file);
  checkPath(target);
  if (!exists(file)) throw new StoreError(`${file} does not exist`, 'use the data file of a server');
  if (exists(target)) throw alreadyExists(target);
  checkWritable(target);
  const connect = await loadEngine(name);
  const unfinished = `${resolve(target)}.${process.pid}-${randomHex(16)}.colloquy-part`;
  try {
    copy(() => connect(resolve(file)), file, target, unfinished);
    publish(unfinished, target);
  } finally {
    rmSync(unfinished, { force: true });
  }
};

/** A process on another machine that shares the folder has written to its copy within the last minute. */
const removeAbandoned = (folder: string, now: number): void => {
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d+)-[\da-f]{16}\.colloquy-part(-journal)?$/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() && now - found.mtimeMs > 60_000) rmSync(path, { force: true });
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

const exists = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

const alreadyExists = (target: string, cause?: unknown): StoreError =>
  new StoreError(`${target} already exists`, 'choose another file name', { cause });

/** The existing file is private: nobody else can read the unfinished copy. */
const copy = (connect: () => Connection, file: string, target: string, unfinished: string): void => {
  closeSync(openSync(unfinished, 'wx', 0o600));
  removeAbandoned(dirname(unfinished), statSync(unfinished).mtimeMs);
  let connection: Connection | undefined;
  try {
    connection = connect();
    connection.exec('PRAGMA busy_timeout = 5000');
    checkIsStore(connection);
    connection.prepare('VACUUM INTO ?').run([unfinished]);
  } catch (cause) {
    throw openingError(isFull(cause) ? target : file, cause);
  } finally {
    connection?.close();
  }
};

const checkIsStore = (connection: Connection): void => {
  const table = connection.prepare(`SELECT name FROM sqlite_master WHERE name = 'meta'`).get([]);
  const version = table && connection.prepare(`SELECT value FROM meta WHERE name = 'schemaVersion'`).get([]);
  if (!version) throw new StoreError('it contains no data of Colloquy', 'use the data file of a server');
};

/** Links instead of renaming: a file created there in the meantime is not overwritten. */
const publish = (unfinished: string, target: string): void => {
  flush(unfinished);
  try {
    linkSync(unfinished, target);
  } catch (cause) {
    throw exists(target) ? alreadyExists(target, cause) : cause;
  }
  flush(dirname(resolve(target)));
};

const flush = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
