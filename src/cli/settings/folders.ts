import { mkdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';

/** Debian gives it to users without a home, and nothing is ever there. */
const nowhere = '/nonexistent';

/**
 * The home folder: the first absolute path that a source knows; an empty HOME is none. A user that the system does not
 * know, as containers run under a bare number, has no home (a source throws then): nothing is found in the folder that
 * stands for it, and nothing lands in the folder the program happens to be called in.
 */
export const homeFolder = (sources: readonly (() => string)[]): string => {
  for (const source of sources) {
    const home = orEmpty(source);
    if (isAbsolute(home)) return home;
  }
  return nowhere;
};

const orEmpty = (source: () => string): string => {
  try {
    return source();
  } catch {
    return '';
  }
};

/**
 * Creates a folder and those above it that are missing, for this user alone. A folder that exists keeps its mode.
 * Node's own recursive mkdir never returns below /proc, where the kernel reports ENOENT although the parent exists.
 * @throws the system's error with its `code`
 */
export const makeFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
};

/** Another process may have created it meanwhile. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
