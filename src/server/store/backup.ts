import { closeSync, fsyncSync, linkSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { randomHex } from '../random.js';
import { StoreError } from './errors.js';
import { isPostgresUrl } from './postgres/open.js';
import { engine, type Connection, type EngineName } from './sqlite/engine.js';
import { openingError } from './sqlite/errors.js';
import { checkPath, checkWritable } from './sqlite/place.js';

/** What is copied, and where to. */
export interface BackupOptions {
  /** A SQLite file that holds a store; servers may be writing to it. */
  readonly file: string;
  /** A file that is not there yet. */
  readonly target: string;
  readonly engine?: EngineName | undefined;
}

/**
 * Copies a store as it is at one moment, with all that was acknowledged before. The copy has its name only when it is
 * whole and on the disk, and only its owner may read it. What killed backups left in the same folder is removed.
 * @throws StoreError where the store or the target can't be used; then there is no new file
 */
export const backupStore = async ({ file, target, engine: name }: BackupOptions): Promise<void> => {
  if (isPostgresUrl(file)) {
    throw new StoreError('cannot back up a PostgreSQL database', 'use pg_dump; servers can keep running');
  }
  checkPath(file);
  checkPath(target);
  if (!exists(file)) throw new StoreError(`${file} does not exist`, 'use the data file of a server');
  if (exists(target)) throw alreadyExists(target);
  checkWritable(target);
  const connect = await engine(name);
  const unfinished = `${resolve(target)}.${process.pid}-${randomHex(16)}.colloquy-part`;
  try {
    copy(() => connect(resolve(file)), file, unfinished);
    publish(unfinished, target);
  } finally {
    rmSync(unfinished, { force: true });
  }
};

/**
 * Removes the unfinished copies in a folder that nobody goes on with. The process that a name tells may run on another
 * machine that shares the folder; then its copy has grown in the last minute.
 */
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

/** The copy is made into a file that is there and empty, so that nobody else can read it while it grows. */
const copy = (connect: () => Connection, file: string, unfinished: string): void => {
  closeSync(openSync(unfinished, 'wx', 0o600));
  removeAbandoned(dirname(unfinished), statSync(unfinished).mtimeMs);
  let connection: Connection | undefined;
  try {
    connection = connect();
    connection.exec('PRAGMA busy_timeout = 5000');
    checkIsStore(connection);
    connection.prepare('VACUUM INTO ?').run([unfinished]);
  } catch (cause) {
    throw openingError(file, cause);
  } finally {
    connection?.close();
  }
};

const checkIsStore = (connection: Connection): void => {
  const table = connection.prepare(`SELECT name FROM sqlite_master WHERE name = 'meta'`).get([]);
  const version = table && connection.prepare(`SELECT value FROM meta WHERE name = 'schemaVersion'`).get([]);
  if (!version) throw new StoreError('it contains no data of Colloquy', 'use the data file of a server');
};

/** A link, not a renaming: it does not replace what has come to stand there meanwhile. */
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
