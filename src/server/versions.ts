import { padded } from './records/padded.js';
import type { Database, Row } from './store/database.js';

/** What tells whether the answers about a noteable still stand. */
export interface VersionRow extends Row {
  readonly noteable: number;
  readonly version: number;
  readonly epoch: string | null;
}

/** The row of a noteable as it is committed when it is asked for; undefined where there is none any more. */
export type Versions = (noteable: number) => Promise<VersionRow | undefined>;

type Rows = Promise<ReadonlyMap<number, VersionRow>>;

/**
 * Whoever asks while a question is on its way waits for the next one, which then asks for all of them: however many
 * requests there are, the store has one question at a time to answer. No answer is older than its request.
 */
export const createVersions = (database: Database): Versions => {
  let asked: Promise<unknown> = Promise.resolve();
  let next: { readonly ids: Set<number>; readonly rows: Rows } | null = null;
  return async (noteable) => {
    next ??= batch();
    next.ids.add(noteable);
    return (await next.rows).get(noteable);
  };

  function batch() {
    const ids = new Set<number>();
    const rows = asked.then(() => {
      next = null;
      return versionsOf(database, [...ids]);
    });
    asked = rows.catch(() => undefined);
    return { ids, rows };
  }
};

const versionsOf = async (database: Database, ids: readonly number[]): Rows => {
  const keys = padded(ids);
  const rows = await database.all<VersionRow>(
    `SELECT noteable, version, (SELECT value FROM meta WHERE name = 'epoch') AS epoch
     FROM activity WHERE noteable IN (${keys.map(() => '?').join(', ')})`, ...keys);
  return new Map(rows.map((row) => [row.noteable, row]));
};
