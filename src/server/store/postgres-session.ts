import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Queries, Row } from './database.js';
import { markUnit, type Mark } from './postgres-commits.js';
import type { Take } from './postgres-connections.js';
import { statementError } from './postgres-errors.js';
import { queriesOf, type Ask } from './postgres-queries.js';
import type { Statements } from './postgres-sql.js';
import { parameter } from './postgres-values.js';

/** One connection while it works for one unit, in a transaction. */
export interface Session {
  readonly queries: Queries;
  /** Null while the unit changed nothing. */
  readonly mark: () => Mark | null;
  /** Tells whether the transaction was kept, where PostgreSQL can tell. */
  readonly commit: () => Promise<boolean>;
  /** Gives the connection back: as it is, with a transaction to undo, or broken. */
  readonly leave: (state: 'done' | 'open' | 'broken') => void;
}

/** Connections by name, with the number of the last unit that each began to write. */
const connections = new WeakMap<PoolClient, { readonly connection: string; unit: number }>();

interface Sent { readonly name?: string | undefined; readonly text: string; readonly values?: readonly unknown[] }

/**
 * Takes a connection and begins a transaction on it. Statements are sent without waiting for the answers to those
 * before, so that beginning and leaving cost no wait of their own.
 * @throws StoreUnavailable where no connection is to be had
 */
export const enter = async (
  take: Take, begin: string, statements: Statements,
): Promise<Session> => {
  const client = await take();
  const own = connections.get(client) ?? { connection: randomUUID(), unit: 0 };
  connections.set(client, own);
  let mark: Mark | null = null;
  const send = (query: Sent) => lookedAtLater(
    client.query<Row>(query as { text: string }).catch((error: unknown) => { throw statementError(error); }));
  const earlier = [send({ text: begin })];
  const prepared = (sql: string) => {
    const { name, text } = statements.of(sql);
    return { name, text };
  };
  const ask: Ask = async (sql, values) => {
    const { name, text, writes } = statements.of(sql);
    if (writes && mark === null) {
      mark = { connection: own.connection, unit: ++own.unit };
      earlier.push(send({ ...prepared(markUnit), values: [mark.connection, mark.unit] }));
    }
    const answer = send({ name, text, values: values.map(parameter) });
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
    leave: (state) => {
      if (state === 'open') void send({ text: 'ROLLBACK' });
      client.release(state === 'broken');
    },
  };
};

/** A promise whose failure may be looked at later, or never. */
const lookedAtLater = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined);
  return promise;
};
