import { realpathSync, statSync, type Stats } from 'node:fs';
import { OutcomeUnknown, reasons, StoreFault } from '../errors.js';
import type { Connection } from './engine.js';
import { isLocked } from './errors.js';
import { journalOf } from './place.js';

/** What a store on a file sees to beside its tables. All of it is to be called outside of transactions. */
export interface WatchedFile {
  readonly file: string;
  /** From now on the names of the file and of its journal have to lead to the files that they lead to now. */
  readonly watch: () => void;
  /**
   * Before a write. Where the journal was removed, the changes in it are copied to the file first, through the handles
   * that are still open.
   * @throws StoreFault where one of the files was removed, replaced or truncated
   */
  readonly check: () => void;
  /**
   * After a commit, before it is acknowledged. It looks again where the unit of work was long, for somebody may have
   * removed a file meanwhile, and where the journal was empty before, so that it is known how long it has to be.
   * @throws OutcomeUnknown where a file was removed, and the changes could not be saved
   */
  readonly checkCommitted: (wasLong: boolean) => void;
  /** @throws StoreFault where rows may be read that differ from those that were stored */
  readonly checkReadable: () => void;
  /** Closes the connection; the file has no journal beside it then. */
  readonly close: () => void;
}

/** A name, the file that it led to when it was opened, and the size of that when it was last looked at. */
interface FileState {
  readonly path: string;
  readonly dev: number | undefined;
  readonly ino: number | undefined;
  size: number;
}

/** What is wrong with the files, and with which of them. */
interface FileProblem { readonly path: string; readonly what: 'removed' | 'truncated' }

/**
 * SQLite goes on writing to files that were removed or replaced, and acknowledged changes are nowhere then. The files
 * are only looked at by name: a process that opens and closes one of them beside SQLite loses SQLite's locks on it.
 */
export const watchedFile = (connection: Connection, file: string): WatchedFile => {
  let files: readonly FileState[] = [];
  let problem: FileProblem | null = null;
  let isSaved = true;

  /** Copies the journal to the file; the journal is empty after that. */
  const saveJournal = (lost: string): void => {
    files[journal]!.size = 0;
    isSaved = isCheckpointed(connection, 'TRUNCATE') && lost !== file;
  };
  const findProblem = (): FileProblem | null => {
    for (const part of files) {
      const found = statOf(part.path);
      if (found?.ino !== part.ino || found?.dev !== part.dev) return { path: part.path, what: 'removed' };
      const size = found?.size ?? 0;
      const isStillWhole = part === files[journal] ? isJournalWhole : isFileWhole;
      if (size < part.size && !isStillWhole(connection, size)) return { path: part.path, what: 'truncated' };
      part.size = size;
    }
    return null;
  };
  const update = (): void => {
    if (problem?.what === 'truncated') return;
    const found = findProblem();
    if (found?.what === 'removed' && problem === null) saveJournal(found.path);
    problem = found;
  };
  return {
    file,
    watch: () => {
      connection.prepare('SELECT count(*) FROM sqlite_master').get([]);
      files = [file, journalOf(file), `${realpathSync(file)}-shm`].map(stateOf);
    },
    check: () => {
      update();
      if (problem) throw fileFault(file, problem, isSaved);
    },
    checkCommitted: (wasLong) => {
      if (!wasLong && files[journal]?.size !== 0) return;
      update();
      if (problem && !isSaved) throw new OutcomeUnknown(`${problem.path} was removed while committing a change`);
    },
    checkReadable: () => {
      if (!problem) return;
      const isShared = files.slice(journal).some(({ path, ino }) => (statOf(path)?.ino ?? ino) !== ino);
      if (isShared || problem.what === 'truncated') throw fileFault(file, problem, isSaved);
    },
    close: () => {
      update();
      if (files.length > 0 && !problem) removeJournal(connection);
      connection.close();
    },
  };
};

/** Of the three files: the database, its journal, and the index of the journal. */
const journal = 1;

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const stateOf = (path: string): FileState => {
  const found = statOf(path);
  return { path, dev: found?.dev, ino: found?.ino, size: found?.size ?? 0 };
};

/** An error that says what happened to the files and what to do. */
const fileFault = (file: string, { path, what }: FileProblem, isSaved: boolean): StoreFault => {
  if (what === 'truncated') {
    const hint = `stop the server and restore a backup; \`sqlite3 ${file} .recover\` may save part of the data`;
    return new StoreFault(`${path} was truncated while it was open`, hint, 503, reasons.truncated);
  }
  const hint = path === file ? 'restart the server to open the new file'
    : isSaved ? `restart the server; all acknowledged changes are in ${file}`
      : `restart the server; acknowledged changes may be missing from ${file}`;
  return new StoreFault(`${path} was removed or replaced while it was open`, hint, 503, reasons.removed);
};

/**
 * A closed store is its file alone, to be copied, moved or replaced. libsql holds on to a closed file until its
 * statements are collected, and removes then the journal that goes by its name, whosever that is; so it is left with
 * none. Where others have the file open it stays theirs, but empty if they leave it alone for a moment.
 */
const removeJournal = (connection: Connection): void => {
  const pragmas = ['wal_checkpoint(TRUNCATE)', 'journal_mode = DELETE', 'journal_mode = WAL'];
  try {
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma}`).join(';'));
  } catch { /* others have the file open */ }
};

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
