import type { Connection } from './connection.js';
import { StoreError } from './errors.js';
import { stillThere } from './place.js';
import { beginWriting } from './sqlite.js';

/** A connection that minds its file from the moment that it is told to. */
export interface HeldFile {
  readonly connection: Connection;
  readonly hold: () => void;
}

/**
 * SQLite goes on writing to a file that was removed or replaced, and what is acknowledged then is nowhere: each write
 * looks first whether the file's name still leads to it. When the store is closed, its journal is put away.
 */
export const heldFile = (connection: Connection, file: string): HeldFile => {
  let isThere: (() => boolean) | undefined;
  return {
    hold: () => { isThere = stillThere(file); },
    connection: {
      ...connection,
      exec: (sql) => {
        if (sql === beginWriting && isThere?.() === false) {
          const what = `${file} was removed or replaced while it was open`;
          throw new StoreError(what, 'Start again, to open what is there.');
        }
        connection.exec(sql);
      },
      close: () => {
        if (isThere?.()) putJournalAway(connection);
        connection.close();
      },
    },
  };
};

/**
 * A closed store is its file alone, to be copied, moved or replaced. libsql holds on to a closed file until its
 * statements are collected, and removes then the journal that goes by its name, whosever that is; so it is left with
 * none. Where others have the file open it stays theirs, but empty if they leave it alone for a moment.
 */
const putJournalAway = (connection: Connection): void => {
  const pragmas = ['busy_timeout = 0', 'wal_checkpoint(TRUNCATE)', 'journal_mode = DELETE', 'journal_mode = WAL'];
  try {
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma}`).join(';'));
  } catch { /* others have the file open */ }
};
