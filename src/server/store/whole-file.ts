import type { Connection } from './connection.js';
import { isLocked } from './sqlite-errors.js';

/** Copies the changes in the journal to the file; whether all of them are there now. */
export const isCheckpointed = (connection: Connection, mode: 'PASSIVE' | 'TRUNCATE'): boolean => {
  try {
    const { busy, log, checkpointed } = connection.prepare(`PRAGMA wal_checkpoint(${mode})`).get([])!;
    return busy === 0 || log === checkpointed;
  } catch {
    return false;
  }
};

/** Whether SQLite finds every page in the files, not in its memory: VACUUM of another process makes a file smaller. */
export const isFileWhole = (connection: Connection): boolean => {
  try {
    connection.exec('PRAGMA shrink_memory');
    return connection.prepare('PRAGMA quick_check(1)').get([])!['quick_check'] === 'ok';
  } catch (error) {
    if (isLocked(error)) throw error;
    return false;
  }
};

/**
 * The same for a journal that became smaller, as it does when another process has copied all of it to the file. Where
 * it is empty and should not be, copying fails before anything is copied.
 */
export const isJournalWhole = (connection: Connection, size: number): boolean =>
  (size === 0 && isCheckpointed(connection, 'PASSIVE')) || isFileWhole(connection);
