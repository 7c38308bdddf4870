import { isLocked, StoreError } from './errors.js';

/** What engines say of a file, and what is said to people of it; the first that fits. */
const known: readonly (readonly [RegExp, string, string])[] = [
  [/not a database/i, 'is not a SQLite file', 'Name another file; this one is left as it is.'],
  [/malformed/i, 'is damaged', 'Go back to a copy of it; `sqlite3 FILE .recover` may save what it still holds.'],
  [/readonly|read-only/i, 'can\'t be written', 'Check the rights of the file and its folder.'],
  [/disk is full/i, 'has no room: the disk is full', 'Make room there, or name a file on another disk.'],
];

/** What an engine's error about a file says to people. */
export const refusalOf = (file: string, cause: unknown): unknown => {
  if (cause instanceof StoreError) {
    return new StoreError(`${file} can't be used: ${cause.message}`, cause.hint, { cause });
  }
  const words = cause instanceof Error ? cause.message : String(cause);
  if (isLocked(cause)) {
    const hint = 'Try again when that process is done with it.';
    return new StoreError(`${file} is locked by another process`, hint, { cause });
  }
  const fitting = known.find(([pattern]) => pattern.test(words));
  if (fitting) return new StoreError(`${file} ${fitting[1]}`, fitting[2], { cause });
  return new StoreError(`${file} can't be opened: ${words}`, 'Check the rights of the file and its folder.', { cause });
};

/** The same where the error is an engine's; any other stays as it is. */
export const refusalOfEngine = (file: string | undefined, error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return file !== undefined && code.includes('SQLITE') ? refusalOf(file, error) : error;
};
