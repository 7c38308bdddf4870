import { accessSync, closeSync, constants, openSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../errors.js';

const useFile = 'use a file or a postgres:// URL';

/** The errors of SQLite are less specific. @throws StoreError if the path cannot lead to a store */
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

/** SQLite reports a read-only file only on the first write. @throws StoreError, even for the folder of its journal */
export const checkWritable = (file: string): void => {
  const places = [file, dirname(resolve(file))].filter((place) => statOf(place));
  for (const place of places) {
    withAccessErrors(place, `${file} cannot be written`, () => accessSync(place, constants.W_OK));
  }
};

/**
 * SQLite gives the journal the same permissions. An existing file is not opened: closing it would release locks of this
 * process.
 * @throws StoreError if the file is empty and its journal is not: SQLite would delete the journal
 */
export const createPrivate = (file: string): void => {
  const found = statOf(file);
  if (found === undefined) {
    withAccessErrors(file, `${file} cannot be created`, () => closeSync(openSync(file, 'a', 0o600)));
  } else if (found.size === 0 && statOf(writeAheadLog(file))?.size) {
    throw new StoreError(`${file} is empty, but its journal ${writeAheadLog(file)} is not`,
      'restore a backup of both, or remove the journal to start a new store');
  }
};

/** The journal is next to the file itself, not next to a link to it. */
export const writeAheadLog = (file: string): string => `${realpathSync(file)}-wal`;

const statOf = (path: string): Stats | undefined =>
  withAccessErrors(path, `${path} cannot be accessed`, () => statSync(path, { throwIfNoEntry: false }));

/** ENOTDIR counts as a missing file. */
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
