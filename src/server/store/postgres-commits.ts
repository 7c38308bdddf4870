import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown } from './errors.js';
import { askOnce, type Take } from './postgres-connections.js';

/**
 * One row for each connection: which unit of work it committed last. It is written with the unit, so that it tells
 * after a lost connection whether the unit was kept. PostgreSQL's own transaction numbers can't tell: after a crash
 * they are given again.
 */
export const commitsTable =
  `CREATE TABLE commits (connection TEXT PRIMARY KEY, unit BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now())`;

/** Notes the unit ($2) that a connection ($1) is about to commit. */
export const markUnit =
  `INSERT INTO commits (connection, unit) VALUES ($1, $2)
   ON CONFLICT (connection) DO UPDATE SET unit = excluded.unit, at = excluded.at`;

/** Rows of connections that are long gone. */
export const forgetUnits = `DELETE FROM commits WHERE at < now() - interval '1 hour'`;

/** It waits until the lost connection's transaction has ended, also one whose row is new. */
const askUnit =
  `INSERT INTO commits (connection, unit) VALUES ($1, 0)
   ON CONFLICT (connection) DO UPDATE SET at = excluded.at RETURNING unit`;

/** What of a unit is on record. */
export interface Mark { readonly connection: string; readonly unit: number }

/** The pause between two questions, in milliseconds. */
const between = 100;

/**
 * Whether a unit was kept whose connection was lost while it was committed; asked until PostgreSQL is there again.
 * @param patience so many milliseconds a request waits for the truth
 * @throws OutcomeUnknown when it stays away
 */
export const wasKept = async (take: Take, { connection, unit }: Mark, patience = 20_000): Promise<boolean> => {
  const end = AbortSignal.timeout(patience);
  for (;;) {
    try {
      const { rows } = await askOnce<{ unit: number }>(take, { text: askUnit, values: [connection] });
      return rows[0]!.unit === unit;
    } catch (cause) {
      if (end.aborted) throw new OutcomeUnknown(unknown, { cause });
      await pause(between);
    }
  }
};

const unknown = 'PostgreSQL went away while a change was committed, and it can\'t be told whether the change was kept';
