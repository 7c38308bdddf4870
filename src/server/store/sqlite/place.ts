import { accessSync, closeSync, constants, openSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../errors.js';

const useFile = 'use a file or a postgres:// URL';

/**
 * SQLite's own words do not tell apart what a name can lead to instead of a file.
 * @throws StoreError where it can't lead to a store, whatever that may hold
 */
export const checkPath = (file: string): void => {
  if (file === '') throw new StoreError('the name of the store is empty', useFile);
  const scheme = /^[a-z][a-z\d+.-]+:\/\//i.exec(file)?.[0];
  if (scheme !== undefined) throw new StoreError(`unsupported store URL ${scheme}`, useFile);
  const found = statOf(file);
  if (found?.isDirectory()) throw new StoreError(`${file} is a folder`, 'use a file in it');
  if (found && !found.isFile()) throw new StoreError(`${file} is not a regular file`, 'use another file');
  const folder = dirname(resolve(file));
  if (statOf(folder)?.isDirectory() !== true) {
    throw new StoreError(`${file} cannot be created: there is no folder ${folder}`, 'create the folder first');
  }
};

/**
 * SQLite opens a file that it can't write to, and says so only when it is to be written.
 * @throws StoreError where a file, or the folder that its journal is to stand in, can't be written
 */
export const checkWritable = (file: string): void => {
  const places = [file, dirname(resolve(file))].filter((place) => statOf(place));
  for (const place of places) {
    withAccessErrors(place, `${file} cannot be written`, () => accessSync(place, constants.W_OK));
  }
};

/**
 * Makes a file that is missing, for its owner alone; SQLite gives the files beside it the same rights. A file that is
 * there is not even opened: closing it would end the locks that this process may have on it.
 * @throws StoreError where the file is empty and its journal is not: SQLite would remove the journal
 */
export const createPrivate = (file: string): void => {
  const found = statOf(file);
  if (found === undefined) {
    withAccessErrors(file, `${file} cannot be created`, () => closeSync(openSync(file, 'a', 0o600)));
  } else if (found.size === 0 && statOf(journalOf(file))?.size) {
    throw new StoreError(`${file} is empty, but its journal ${journalOf(file)} is not`,
      'restore a backup of both, or remove the journal to start a new store');
  }
};

/** The journal of a file; it stands beside the file itself, not beside a link to it. */
export const journalOf = (file: string): string => `${realpathSync(file)}-wal`;

const statOf = (path: string): Stats | undefined =>
  withAccessErrors(path, `${path} cannot be accessed`, () => statSync(path, { throwIfNoEntry: false }));

/** A file where there should be a folder leads nowhere, as what is missing does. */
const withAccessErrors = <T>(path: string, what: string, reach: () => T): T | undefined => {
  try {
    return reach();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return undefined;
    const why = message.replace(/, \w+ '.*$/s, '');
    throw new StoreError(`${what}: ${why}`, `check the permissions of ${path} and of the folders above it`, { cause });
  }
};
