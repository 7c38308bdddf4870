import { realpathSync, statSync, type Stats } from 'node:fs';
import { OutcomeUnknown, reasons, StoreFault } from '../errors.js';
import type { Connection } from './engine.js';
import { isLocked } from './errors.js';
import { writeAheadLog } from './file-path.js';

export type WatchedFile = ReturnType<typeof watchedFile>;

interface FileState {
  readonly path: string;
  readonly dev: number | undefined;
  readonly ino: number | undefined;
  size: number;
}

interface FileProblem { readonly path: string; readonly what: 'removed' | 'truncated' }

/**
 * Notices removed, replaced and truncated files: SQLite keeps writing to removed or replaced files, and acknowledged
 * changes are lost. Call outside of transactions only. Files are only checked with stat: opening and closing one of
 * them would release SQLite's locks.
 */
export const watchedFile = (connection: Connection, file: string) => {
  let files: readonly FileState[] = [];
  let problem: FileProblem | null = null;
  let isSaved = true;

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
    watch: (): void => {
      connection.prepare('SELECT count(*) FROM sqlite_master').get([]);
      files = [file, writeAheadLog(file), `${realpathSync(file)}-shm`].map(fileState);
    },
    /**
     * Call before a write. If the journal was removed, its changes are first copied to the file through the open
     * handles.
     * @throws StoreFault if one of the files was removed, replaced or truncated
     */
    check: (): void => {
      update();
      if (problem) throw fileFault(file, problem, isSaved);
    },
    /**
     * Call after a commit, before it is acknowledged. Checks again after a long transaction, and when the journal was
     * empty.
     * @throws OutcomeUnknown if a file was removed and the changes could not be saved
     */
    checkCommitted: (wasLong: boolean): void => {
      if (!wasLong && files[journal]?.size !== 0) return;
      update();
      if (problem && !isSaved) throw new OutcomeUnknown(`${problem.path} was removed while committing a change`);
    },
    /** @throws StoreFault if reads may return other rows than were stored */
    checkReadable: (): void => {
      if (!problem) return;
      const isShared = files.slice(journal).some(({ path, ino }) => (statOf(path)?.ino ?? ino) !== ino);
      if (isShared || problem.what === 'truncated') throw fileFault(file, problem, isSaved);
    },
    close: (): void => {
      update();
      if (files.length > 0 && !problem) removeJournal(connection);
      connection.close();
    },
  };
};

/** Index in `files`: the database, its journal, the index of the journal. */
const journal = 1;

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const fileState = (path: string): FileState => {
  const found = statOf(path);
  return { path, dev: found?.dev, ino: found?.ino, size: found?.size ?? 0 };
};

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
 * Leaves a single file that can be copied, moved or replaced. libsql keeps a closed file open until its statements are
 * garbage collected, and then deletes the journal with that name, whoever owns it. If other processes have the file
 * open, the journal stays, if possible empty.
 */
const removeJournal = (connection: Connection): void => {
  const pragmas = ['wal_checkpoint(TRUNCATE)', 'journal_mode = DELETE', 'journal_mode = WAL'];
  try {
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma}`).join(';'));
  } catch { /* others have the file open */ }
};

const isCheckpointed = (connection: Connection, mode: 'PASSIVE' | 'TRUNCATE'): boolean => {
  try {
    const { busy, log, checkpointed } = connection.prepare(`PRAGMA wal_checkpoint(${mode})`).get([])!;
    return busy === 0 || log === checkpointed;
  } catch {
    return false;
  }
};

/** Reads every page from the files instead of the cache: VACUUM of another process makes a file smaller. */
const isFileWhole = (connection: Connection): boolean => {
  try {
    connection.exec('PRAGMA shrink_memory');
    return connection.prepare('PRAGMA quick_check(1)').get([])!['quick_check'] === 'ok';
  } catch (error) {
    if (isLocked(error)) throw error;
    return false;
  }
};

/**
 * A journal becomes smaller after a checkpoint of another process. If it is unexpectedly empty, the checkpoint fails
 * before it copies anything.
 */
const isJournalWhole = (connection: Connection, size: number): boolean =>
  (size === 0 && isCheckpointed(connection, 'PASSIVE')) || isFileWhole(connection);
