import { closeSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../errors/failure.js';

/** The process that holds a lock. Process ids are reused, and machines that share a folder have the same ones. */
interface Holder {
  readonly machine: string;
  readonly pid: number;
  /** When the process started, in the system's own unit; null where the system does not report it. */
  readonly started: string | null;
}

const pause = 20;

/** So often a lock is tried before it is an error: for about ten seconds. */
const maxAttempts = 500;

/**
 * Does some work while no other process works under the same lock file. A lock whose process has ended counts as free.
 * @param path of the lock file, in a folder that exists
 * @throws Problem when another process holds the lock all the time, and the system's error when the file cannot be
 *   created
 */
export const locked = async <T>(
  path: string, work: () => T | Promise<T>, attempts: number = maxAttempts,
): Promise<T> => {
  await take(path, attempts);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
};

/** One process at a time removes an abandoned lock: a second could remove the new one of the first. */
const take = async (path: string, attempts: number): Promise<void> => {
  for (let left = attempts; !created(path); left--) {
    if (left <= 1) throw busy(path);
    if (isAbandoned(path)) await locked(`${path}~`, () => removeAbandoned(path), left);
    else await wait(pause);
  }
};

const removeAbandoned = (path: string): void => {
  if (isAbandoned(path)) rmSync(path, { force: true });
};

const created = (path: string): boolean => {
  const file = opened(path);
  if (file === null) return false;
  try {
    const { pid } = process;
    const holder: Holder = { machine: machine(), pid, started: statusOf(pid)?.started ?? null };
    writeFileSync(file, JSON.stringify(holder));
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
};

/** The lock file, created; null where there is one. Windows reports one that is being removed as EPERM. */
const opened = (path: string): number | null => {
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
  return holder?.machine === machine() && !isRunning(holder);
};

/** Null while the file is being written or removed. */
const holderOf = (path: string): Holder | null => {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return typeof holder.machine === 'string' && Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
};

const isRunning = ({ pid, started }: Holder): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const status = statusOf(pid);
  return status === null || (!status.hasEnded && (started === null || status.started === started));
};

/** What Linux reports of a process; null elsewhere. One that has ended is listed until its parent looks at it. */
const statusOf = (pid: number): { readonly hasEnded: boolean; readonly started: string } | null => {
  const line = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const [state, ...others] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return others.length < 19 ? null : { hasEnded: /^[ZX]$/.test(state!), started: others[18]! };
};

/** Containers on one machine may share its name and a folder, but not their processes. */
const machine = (): string => `${hostname()} ${orEmpty(() => readlinkSync('/proc/self/ns/pid'))}`.trim();

const orEmpty = (source: () => string): string => {
  try {
    return source();
  } catch {
    return '';
  }
};

const busy = (path: string): Problem => {
  const holder = holderOf(path);
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.machine.split(' ')[0]}`;
  return new Problem('failure', `${who} holds the lock ${path}`,
    'try again; if no other colloquy is running, remove that file');
};
