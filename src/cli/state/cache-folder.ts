import { lstatSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheFolder } from '../app.js';
import { makeFolder } from './folders.js';

/** Only this user can read the files. @param now sets the modification time of unchanged files */
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

/** More than the program ever writes: larger files are not its own. */
const maxBytes = 1_000_000;

const textOf = (path: string): string => {
  const found = statSync(path);
  return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8') : '';
};

const read = (path: string): string | null => attempt(() => textOf(path)) ?? null;

/** Half a second; then the change is dropped. */
const maxAttempts = 25;

/** An unchanged text needs no lock; only its modification time is set. */
const change = async (
  folder: string, path: string, to: (text: string | null) => string, now: () => Date,
): Promise<void> => {
  const before = read(path);
  if (to(before) === before) return utimesSync(path, now(), now());
  makeFolder(folder);
  const { withLock: locked } = await import('./lock.js');
  const { writeWhole } = await import('../terminal/io/files.js');
  await locked(`${path}.lock`, () => writeWhole(path, to(read(path))), maxAttempts);
};

const namesIn = (folder: string): string[] => readdirSync(folder)
  .map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }))
  .toSorted((a, b) => b.at - a.at).map(({ name }) => name);

/** Undefined on any error: a cache that fails counts as empty. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
