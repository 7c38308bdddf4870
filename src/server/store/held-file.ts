import type { Connection } from './connection.js';
import { StoreError } from './errors.js';
import { stillThere } from './place.js';

/** What a store on a file sees to beside its tables. */
export interface HeldFile {
  readonly file: string;
  /** From now on the name is to lead to the file that it leads to now. */
  readonly hold: () => void;
  /** @throws StoreError where it leads to another one, or none */
  readonly check: () => void;
  /** Closes the connection; the file has no journal beside it then. */
  readonly close: () => void;
}

/** SQLite goes on writing to a file that was removed or replaced, and what is acknowledged then is nowhere. */
export const heldFile = (connection: Connection, file: string): HeldFile => {
  let isThere: (() => boolean) | undefined;
  return {
    file,
    hold: () => { isThere = stillThere(file); },
    check: () => {
      if (isThere?.() !== false) return;
      throw new StoreError(`${file} was removed or replaced while it was open`, 'Start again, to open what is there.');
    },
    close: () => {
      if (isThere?.()) putJournalAway(connection);
      connection.close();
    },
  };
};

/**
 * A closed store is its file alone, to be copied, moved or replaced. libsql holds on to a closed file until its
 * statements are collected, and removes then the journal that goes by its name, whosever that is; so it is left with
 * none. Where others have the file open it stays theirs, but empty if they leave it alone for a moment.
 */
const putJournalAway = (connection: Connection): void => {
  const pragmas = ['wal_checkpoint(TRUNCATE)', 'journal_mode = DELETE', 'journal_mode = WAL'];
  try {
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma}`).join(';'));
  } catch { /* others have the file open */ }
};
