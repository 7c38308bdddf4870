import {
  closeSync, existsSync, linkSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../command-line/failure.js';

/** The id of a process alone is not unique over time, or across machines that share a folder. */
export interface Holder {
  readonly machine: string;
  readonly pid: number;
  /** In the unit of the system; null if not reported. */
  readonly started: string | null;
}

/** In milliseconds. */
const pause = 20;

const maxAttempts = 500;

/** Removes the lock of an ended process. @throws Problem if another process keeps it, or the system's error */
export const withLock = async <T>(
  path: string, work: () => T | Promise<T>, attempts: number = maxAttempts,
): Promise<T> => {
  await acquire(path, attempts);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
};

/** Only one process at a time removes an abandoned lock: a second one could remove the new lock of the first. */
const acquire = async (path: string, attempts: number): Promise<void> => {
  for (let left = attempts; !tryCreate(path); left--) {
    if (left <= 1) throw lockedError(path);
    if (isAbandoned(path)) {
      await withLock(`${path}~`, () => { if (isAbandoned(path)) rmSync(path, { force: true }); }, left);
    } else await wait(pause);
  }
};

/** Links a finished file: an empty one could be that of a killed process, or one that is being written. */
const tryCreate = (path: string): boolean => {
  if (existsSync(path)) return false;
  const finished = `${path}.${process.pid}`;
  const text = JSON.stringify(ownHolder());
  if (!tryWrite(finished, text)) return tryWrite(path, text);
  try {
    linkSync(finished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return tryWrite(path, text);
  } finally {
    rmSync(finished, { force: true });
  }
};

export const ownHolder = (): Holder => {
  const { pid } = process;
  return { machine: machineName(), pid, started: statusOf(pid)?.started ?? null };
};

const tryWrite = (path: string, text: string): boolean => {
  const file = openNew(path);
  if (file === null) return false;
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
};

/** Null if the file exists. Windows reports EPERM for a file that is being removed. */
const openNew = (path: string): number | null => {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return null;
    throw error;
  }
};

const isAbandoned = (path: string): boolean => {
  const holder = holderOf(path);
  return holder?.machine === machineName() && !isRunning(holder);
};

const holderOf = (path: string): Holder | null => {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return typeof holder.machine === 'string' && Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
};

export const isRunning = ({ pid, started }: Pick<Holder, 'pid' | 'started'>): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const status = statusOf(pid);
  return status === null || (!status.hasEnded && (started === null || status.started === started));
};

/** Null except on Linux, which lists an ended process until its parent waits for it. */
const statusOf = (pid: number): { readonly hasEnded: boolean; readonly started: string } | null => {
  const line = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const [state, ...others] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return others.length < 19 ? null : { hasEnded: /^[ZX]$/.test(state!), started: others[18]! };
};

/** Containers can share the host name and a folder but have separate processes, so the PID namespace is included. */
const machineName = (): string => `${hostname()} ${orEmpty(() => readlinkSync('/proc/self/ns/pid'))}`.trim();

const orEmpty = (source: () => string): string => {
  try {
    return source();
  } catch {
    return '';
  }
};

const lockedError = (path: string): Problem => {
  const holder = holderOf(path);
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.machine.split(' ')[0]}`;
  return new Problem('failure', `${who} holds the lock ${path}`,
    'try again; if no other colloquy is running, remove that file');
};
