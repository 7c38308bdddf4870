import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StateFolder } from '../app.js';
import { Problem } from '../command-line/failure.js';
import { appendDurably, createDurably, readLimitedFile, writeDurably } from '../terminal/io/files.js';
import { largestInput } from '../terminal/io/streams.js';
import { makeFolder } from './folders.js';
import { withLock } from './lock.js';

/** The folder is created with the first file. */
export const stateFiles = (folder: string): StateFolder => {
  const pathOf = (name: string) => join(folder, ...name.split('/'));
  return {
    pathOf,
    read: (name) => orIfMissing(readLimitedFile(pathOf(name), largestInput), null),
    create: async (name, content) => {
      makeFolder(dirname(pathOf(name)));
      await createDurably(pathOf(name), content);
    },
    write: async (name, content) => {
      makeFolder(dirname(pathOf(name)));
      await writeDurably(pathOf(name), content);
    },
    append: (name, text) => appendDurably(pathOf(name), text),
    remove: (name) => rm(pathOf(name), { force: true }),
    names: async (name) => {
      const names = await orIfMissing(readdir(pathOf(name)), []);
      return names.filter((one) => !/\.(part|lock[~.\d]*)$/.test(one));
    },
    locked: (name, work, ifUnwritable) => lockedIn(pathOf(name), work, ifUnwritable),
  };
};

const lockedIn = async <T>(
  folder: string, work: () => Promise<T>, ifUnwritable?: (error: NodeJS.ErrnoException) => Promise<T>,
): Promise<T> => {
  let isLocked = false;
  try {
    makeFolder(folder);
    return await withLock(join(folder, 'folder.lock'), () => {
      isLocked = true;
      return work();
    });
  } catch (error) {
    if (isLocked || error instanceof Problem || !ifUnwritable) throw error;
    return ifUnwritable(error as NodeJS.ErrnoException);
  }
};

const orIfMissing = async <T, M>(work: Promise<T>, missing: M): Promise<T | M> => {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return missing;
    throw error;
  }
};
