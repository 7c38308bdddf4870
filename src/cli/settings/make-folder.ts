import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

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
