import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Queries, Row } from '../database.js';
import { OutcomeUnknown } from '../errors.js';
import { queryOnce, type Acquire } from './connections.js';
import { statementError } from './errors.js';
import { toParameter, queriesOf, type Execute, type Statements } from './queries.js';

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
export const deleteOldUnits = `DELETE FROM commits WHERE at < now() - interval '1 hour'`;

/** It waits until the lost connection's transaction has ended, also one whose row is new. */
const selectUnit =
  `INSERT INTO commits (connection, unit) VALUES ($1, 0)
   ON CONFLICT (connection) DO UPDATE SET at = excluded.at RETURNING unit`;

/** What of a unit is on record. */
export interface Mark { readonly connection: string; readonly unit: number }

/** The pause between two questions, in milliseconds. */
const pollDelay = 100;

/**
 * Whether a unit was kept whose connection was lost while it was committed; asked until PostgreSQL is there again.
 * @param patience so many milliseconds a request waits for the truth
 * @throws OutcomeUnknown when it stays away
 */
export const wasCommitted = async (take: Acquire, { connection, unit }: Mark, patience = 20_000): Promise<boolean> => {
  const end = AbortSignal.timeout(patience);
  for (;;) {
    try {
      const { rows } = await queryOnce<{ unit: number }>(take, { text: selectUnit, values: [connection] });
      return rows[0]!.unit === unit;
    } catch (cause) {
      if (end.aborted) throw new OutcomeUnknown(unknownOutcome, { cause });
      await pause(pollDelay);
    }
  }
};

const unknownOutcome = 'lost the connection to PostgreSQL while committing; cannot tell whether the change was stored';

/** One connection while it works for one unit, in a transaction. */
export interface Session {
  readonly queries: Queries;
  /** Null while the unit changed nothing. */
  readonly mark: () => Mark | null;
  /** Tells whether the transaction was kept, where PostgreSQL can tell. */
  readonly commit: () => Promise<boolean>;
  /** Gives the connection back: as it is, with a transaction to undo, or broken. */
  readonly release: (state: 'done' | 'open' | 'broken') => void;
}

/** Connections by name, with the number of the last unit that each began to write. */
const connections = new WeakMap<PoolClient, { readonly connection: string; unit: number }>();

interface NamedQuery { readonly name?: string | undefined; readonly text: string; readonly values?: readonly unknown[] }

/**
 * Takes a connection and begins a transaction on it. Statements are sent without waiting for the answers to those
 * before, so that beginning and leaving cost no wait of their own.
 * @throws StoreUnavailable where no connection is to be had
 */
export const beginSession = async (
  take: Acquire, begin: string, statements: Statements,
): Promise<Session> => {
  const client = await take();
  const own = connections.get(client) ?? { connection: randomUUID(), unit: 0 };
  connections.set(client, own);
  let mark: Mark | null = null;
  const send = (query: NamedQuery) => handledLater(
    client.query<Row>(query as { text: string }).catch((error: unknown) => { throw statementError(error); }));
  const earlier = [send({ text: begin })];
  const prepared = (sql: string) => {
    const { name, text } = statements.of(sql);
    return { name, text };
  };
  const ask: Execute = async (sql, values) => {
    const { name, text, writes } = statements.of(sql);
    if (writes && mark === null) {
      mark = { connection: own.connection, unit: ++own.unit };
      earlier.push(send({ ...prepared(markUnit), values: [mark.connection, mark.unit] }));
    }
    const answer = send({ name, text, values: values.map(toParameter) });
    for (const one of earlier.splice(0)) await one;
    return answer;
  };
  return {
    queries: queriesOf(ask),
    mark: () => mark,
    commit: async () => {
      for (const one of earlier.splice(0)) await one;
      return (await send({ text: 'COMMIT' })).command === 'COMMIT';
    },
    release: (state) => {
      if (state === 'open') void send({ text: 'ROLLBACK' });
      client.release(state === 'broken');
    },
  };
};

/** A promise whose failure may be looked at later, or never. */
const handledLater = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined);
  return promise;
};
