import { isError } from '../../../wire/json.js';
import { sleep } from '../../../wire/time.js';
import { DamagedRow, OutcomeUnknown, reasons, StoreError, StoreFault, StoreUnavailable } from '../errors.js';

type Kind = 'locked' | 'busy' | 'full' | 'disk' | 'readOnly' | 'damaged' | 'foreign';

/** https://sqlite.org/rescode.html */
const kinds: Readonly<Record<number, Kind>> = {
  3: 'readOnly', 5: 'locked', 7: 'busy', 8: 'readOnly', 10: 'disk', 11: 'damaged', 13: 'full', 14: 'disk', 15: 'locked',
  22: 'disk', 26: 'foreign',
};

/** `errcode` of node:sqlite, `rawCode` of libsql; undefined for any other error. */
const sqliteCode = (error: unknown): number | undefined => {
  const { errcode, rawCode } = (isError(error) ? error : {}) as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode;
  return typeof code === 'number' ? code : undefined;
};

const errorKind = (error: unknown): Kind | undefined =>
  error instanceof DamagedRow || isSchemaError(error) ? 'damaged' : kinds[sqliteCode(error)! & 0xff];

/** In a store that opens, such an error means that the schema is damaged. */
const isSchemaError = (error: unknown): boolean =>
  sqliteCode(error) === 1 && /^no such (table|column)|^table \w+ has no column/.test(messageOf(error));

export const isLocked = (error: unknown): boolean => errorKind(error) === 'locked';

export const isFull = (error: unknown): boolean => errorKind(error) === 'full';

const restoreHint = 'restore a backup; `sqlite3 FILE .recover` may save part of the data';

const opening: Readonly<Partial<Record<Kind, readonly [what: string, hint: string]>>> = {
  locked: ['is locked by another process', 'try again when that process has finished'],
  full: ['cannot grow: the disk is full', 'free some space, or use a file on another disk'],
  readOnly: ['cannot be written', 'check the permissions of the file and its folder'],
  damaged: ['is damaged', restoreHint],
  foreign: ['is not a SQLite file', 'use another file'],
};

export const openingError = (file: string, error: unknown): unknown => {
  const cause = engineError(error);
  if (cause instanceof StoreFault) return cause;
  if (cause instanceof StoreError) {
    return new StoreError(`${file} cannot be used: ${cause.problem}`, cause.hint, { cause });
  }
  const [what, hint] = opening[errorKind(cause)!] ?? [`cannot be opened: ${messageOf(cause)}`, opening.readOnly![1]];
  return new StoreError(`${file} ${what}`, hint, { cause });
};

/** Errors that are not from an engine stay as they are. */
export const engineOpeningError = (file: string | undefined, error: unknown): unknown =>
  file !== undefined && sqliteCode(engineError(error)) !== undefined ? openingError(file, error) : error;

const engineError = (error: unknown): unknown =>
  (error instanceof StoreUnavailable || error instanceof StoreFault) && error.cause !== undefined ? error.cause : error;

/** Makes errors for the caller of a transaction; others stay as they are. */
export const unitError = (file: string, error: unknown): unknown => {
  const kind = errorKind(error);
  if (kind === undefined) return error;
  const message = `${file}: ${messageOf(error)}`;
  // SQLITE_IOERR_FSYNC at a commit: after a crash its rows may exist or not.
  if (sqliteCode(error) === 1034) return new OutcomeUnknown(message, { cause: error });
  if (kind === 'damaged' || kind === 'foreign') {
    const damage = `${file} is damaged: ${messageOf(error)}`;
    return new StoreFault(damage, restoreHint, 500, reasons.damaged, { cause: error });
  }
  return new StoreUnavailable(message, 'refused', reasons[kind], { cause: error });
};

const messageOf = (error: unknown): string => isError(error) ? error.message : String(error);

export const defaultLockTimeout = 5_000;

/** Milliseconds, like SQLite's busy handler: most locks are held for a single write. */
const retryDelays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50];

export const delayBeforeRetry = (tries: number): Promise<void> => sleep(retryDelays[tries - 1] ?? 50);

/** Does not block the event loop. @throws the last error after `lockTimeout` milliseconds, any other error at once */
export const retryWhileLocked = <T>(attempt: () => Promise<T>, lockTimeout: number): Promise<T> => {
  let end: AbortSignal | undefined;
  let tries = 0;
  const afterFailure = async (error: unknown): Promise<T> => {
    if (!isLocked(error) || end?.aborted) throw error;
    end ??= AbortSignal.timeout(lockTimeout);
    await delayBeforeRetry(++tries);
    return attempt().catch(afterFailure);
  };
  return attempt().catch(afterFailure);
};
