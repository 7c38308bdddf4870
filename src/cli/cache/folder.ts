import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheFolder } from '../app.js';
import { makeFolder } from '../settings/folders.js';

/**
 * A cache in files that nobody else can read, in a folder that is created for this user alone.
 * @param now the time that is marked on what was written again, and had not changed
 */
export const cacheFolder = (state: string, now: () => Date): CacheFolder => {
  const folder = join(state, 'cache');
  const at = (name: string) => join(folder, name);
  return {
    read: (name) => read(at(name)),
    change: (name, to) => change(folder, at(name), to, now).catch(() => undefined),
    names: () => attempt(() => namesIn(folder)) ?? [],
    remove: (name) => { attempt(() => rmSync(at(name), { force: true })); },
  };
};

/** Far more than is ever written. What is larger, or no file, is not ours. */
const mostBytes = 1_000_000;

const textOf = (path: string): string => {
  const found = statSync(path);
  return found.isFile() && found.size <= mostBytes ? readFileSync(path, 'utf8') : '';
};

const read = (path: string): string | null => attempt(() => textOf(path)) ?? null;

/** So often a lock is tried before the change is given up: for half a second. */
const mostAttempts = 25;

/** A text that stays as it is needs no lock; it is marked as written now. */
const change = async (
  folder: string, path: string, to: (text: string | null) => string, now: () => Date,
): Promise<void> => {
  const before = read(path);
  if (to(before) === before) return utimesSync(path, now(), now());
  makeFolder(folder);
  const { locked } = await import('../settings/lock.js');
  await locked(`${path}.lock`, () => write(path, to(read(path))), mostAttempts);
};

/** Whole or not at all: another call may read at the same time. */
const write = (path: string, text: string): void => {
  const before = `${path}.${process.pid}`;
  writeFileSync(before, text, { mode: 0o600, flag: 'wx' });
  renameSync(before, path);
};

const namesIn = (folder: string): string[] => readdirSync(folder)
  .map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }))
  .toSorted((a, b) => b.at - a.at).map(({ name }) => name);

/** A cache that does not work is a cache that is empty. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
