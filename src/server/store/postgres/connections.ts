import type { Pool, PoolClient, QueryResult } from 'pg';
import { sleep } from '../../../wire/sleep.js';
import { setTimeout } from '../../../wire/timers.js';
import type { Row } from '../database.js';
import { isLost } from '../errors.js';
import { connectionError, isTooManyConnections, statementError } from './errors.js';

/** For one transaction. @throws StoreUnavailable if none becomes free in time */
export type Acquire = () => Promise<PoolClient>;

export interface Connections {
  readonly acquireReader: Acquire;
  readonly acquireWriter: Acquire;
  readonly end: () => Promise<void>;
}

/** It adapts to the connection limit of PostgreSQL. */
interface AdaptivePool {
  readonly pool: Pool;
  readonly size: () => number;
  /** For a while. */
  readonly limit: () => void;
  readonly isLimited: () => boolean;
}

/** In milliseconds, after PostgreSQL rejected a connection. */
const limitedFor = 10_000;

/** In milliseconds. */
const acquireTimeout = 5_000;
const retryDelay = 50;

/** Below the limit of the pools, transactions queue; a pool without any connection uses those of the other. */
export const connectionsOf = (readers: Pool, writers: Pool): Connections => {
  const [reading, writing] = [adaptive(readers), adaptive(writers)];
  return {
    acquireReader: () => acquire(reading, writing),
    acquireWriter: () => acquire(writing, reading),
    end: async () => { await Promise.all([readers.end(), writers.end()]); },
  };
};

/** A broken connection is discarded. */
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

/** Named ones stay prepared on a connection. */
interface NamedQuery {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

const adaptive = (pool: Pool): AdaptivePool => {
  const most = pool.options.max;
  let size = 0;
  pool.on('connect', () => { size++; });
  pool.on('remove', () => { size--; });
  const isLimited = (): boolean => pool.options.max !== most;
  return {
    pool,
    size: () => size,
    isLimited,
    limit: () => {
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
