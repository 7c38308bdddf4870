import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { setTimeout, sleep } from '../../../wire/time.js';
import type { Row } from '../database.js';
import { isLost, OutcomeUnknown } from '../errors.js';
import { connectionError, isTooManyConnections, statementError } from './errors.js';
import { type Execute, queriesOf, type Statements, toParameter } from './queries.js';

/** Gets a connection for one transaction. @throws StoreUnavailable if none becomes free in time */
export type Acquire = () => Promise<PoolClient>;

export type Connections = ReturnType<typeof connectionsOf>;

type AdaptivePool = ReturnType<typeof adaptive>;

const limitedFor = 10_000;

const acquireTimeout = 5_000;
const retryDelay = 50;

/** Below the limit of the pools, transactions queue; a pool without any connection uses those of the other. */
export const connectionsOf = (readers: Pool, writers: Pool) => {
  const [reading, writing] = [adaptive(readers), adaptive(writers)];
  return {
    acquireReader: () => acquire(reading, writing),
    acquireWriter: () => acquire(writing, reading),
    end: async (): Promise<void> => { await Promise.all([readers.end(), writers.end()]); },
  };
};

export const queryOnce = async <R extends Row>(acquireClient: Acquire, query: NamedQuery): Promise<QueryResult<R>> => {
  const client = await acquireClient();
  try {
    const result = await client.query<R>(query as { text: string });
    client.release();
    return result;
  } catch (cause) {
    const error = statementError(cause);
    client.release(isLost(error));
    throw error;
  }
};

interface NamedQuery {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[];
}

const adaptive = (pool: Pool) => {
  const most = pool.options.max;
  let size = 0;
  pool.on('connect', () => { size++; });
  pool.on('remove', () => { size--; });
  const isLimited = (): boolean => pool.options.max !== most;
  return {
    pool,
    size: () => size,
    isLimited,
    limit: (): void => {
      if (!isLimited()) setTimeout(() => { pool.options.max = most; }, limitedFor).unref();
      pool.options.max = Math.max(size, 1);
    },
  };
};

const acquire = async (own: AdaptivePool, other: AdaptivePool): Promise<PoolClient> => {
  let end: AbortSignal | undefined;
  for (;;) {
    const from = own.isLimited() && own.size() === 0 && other.size() > 0 ? other : own;
    try {
      return await from.pool.connect();
    } catch (error) {
      if (!isTooManyConnections(error) || end?.aborted) throw connectionError(error);
      from.limit();
    }
    end ??= AbortSignal.timeout(acquireTimeout);
    if (own.size() + other.size() === 0) await sleep(retryDelay);
  }
};

/**
 * The last transaction that each connection committed, written with it: after a lost connection it tells whether the
 * commit succeeded. PostgreSQL's transaction ids can be reused after a crash.
 */
export const commitsTable =
  `CREATE TABLE commits (connection TEXT PRIMARY KEY, unit BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now())`;

/** $1 is the connection, $2 the transaction. */
const markUnit =
  `INSERT INTO commits (connection, unit) VALUES ($1, $2)
   ON CONFLICT (connection) DO UPDATE SET unit = excluded.unit, at = excluded.at`;

export const deleteOldUnits = `DELETE FROM commits WHERE at < now() - interval '1 hour'`;

/** Waits until the transaction of the lost connection has ended, even one whose row is new. */
const selectUnit =
  `INSERT INTO commits (connection, unit) VALUES ($1, 0)
   ON CONFLICT (connection) DO UPDATE SET at = excluded.at RETURNING unit`;

interface Mark { readonly connection: string; readonly unit: number }

const pollDelay = 100;

/**
 * After a connection was lost during the commit. Retries until PostgreSQL responds. @param timeout in milliseconds
 * @throws OutcomeUnknown if PostgreSQL does not respond in time
 */
export const wasCommitted = async (
  acquire: Acquire, { connection, unit }: Mark, timeout = 20_000,
): Promise<boolean> => {
  const end = AbortSignal.timeout(timeout);
  for (;;) {
    try {
      const { rows } = await queryOnce<{ unit: number }>(acquire, { text: selectUnit, values: [connection] });
      return rows[0]!.unit === unit;
    } catch (cause) {
      if (end.aborted) throw new OutcomeUnknown(unknownOutcome, { cause });
      await sleep(pollDelay);
    }
  }
};

const unknownOutcome = 'lost the connection to PostgreSQL while committing; cannot tell whether the change was stored';

export type Session = Awaited<ReturnType<typeof beginSession>>;

const connections = new WeakMap<PoolClient, { readonly connection: string; unit: number }>();

/** Statements are pipelined: BEGIN and ROLLBACK cost no round trip of their own. @throws StoreUnavailable */
export const beginSession = async (
  acquire: Acquire, begin: string, statements: Statements,
) => {
  const client = await acquire();
  const own = connections.get(client) ?? { connection: randomUUID(), unit: 0 };
  connections.set(client, own);
  let mark: Mark | null = null;
  const send = (query: NamedQuery) => handledLater(
    client.query<Row>(query as { text: string }).catch((error: unknown) => { throw statementError(error); }));
  const pending = [send({ text: begin })];
  const execute: Execute = async (sql, values) => {
    const { name, text, writes } = statements.of(sql);
    if (writes && mark === null) {
      mark = { connection: own.connection, unit: ++own.unit };
      const marking = statements.of(markUnit);
      pending.push(send({ name: marking.name, text: marking.text, values: [mark.connection, mark.unit] }));
    }
    const answer = send({ name, text, values: values.map(toParameter) });
    for (const one of pending.splice(0)) await one;
    return answer;
  };
  return {
    queries: queriesOf(execute),
    mark: (): Mark | null => mark,
    /** Resolves to false if the transaction was not committed. */
    commit: async (): Promise<boolean> => {
      for (const one of pending.splice(0)) await one;
      return (await send({ text: 'COMMIT' })).command === 'COMMIT';
    },
    /** Call it `open` to roll a transaction back, and `done` after a commit. */
    release: (state: 'done' | 'open' | 'broken'): void => {
      if (state === 'open') void send({ text: 'ROLLBACK' });
      client.release(state === 'broken');
    },
  };
};

/** A rejection may be handled later, or never. */
const handledLater = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined);
  return promise;
};
