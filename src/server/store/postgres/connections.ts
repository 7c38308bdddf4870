import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Row } from '../database.js';
import { isLost } from '../errors.js';
import { connectionError, isTooManyConnections, statementError } from './errors.js';

/**
 * Takes a connection for one unit of work.
 * @throws StoreUnavailable where none is to be had in time
 */
export type Acquire = () => Promise<PoolClient>;

/** Connections for units that read and for units that write. */
export interface Connections {
  readonly acquireReader: Acquire;
  readonly acquireWriter: Acquire;
  readonly end: () => Promise<void>;
}

/** A pool that makes do with the connections that PostgreSQL lets it have. */
interface AdaptivePool {
  readonly pool: Pool;
  /** How many connections it has. */
  readonly size: () => number;
  /** Asks for no more connections than it has, for a while. */
  readonly limit: () => void;
  readonly isLimited: () => boolean;
}

/** How long a pool goes without asking for more connections after PostgreSQL had none left, in milliseconds. */
const limitedFor = 10_000;

/** How long a unit waits while this process has no connection at all, and between two tries, in milliseconds. */
const acquireTimeout = 5_000;
const retryDelay = 50;

/**
 * Where PostgreSQL gives fewer connections than the pools may have, units wait in turn for those that are there; where
 * it gives a pool none, they use those of the other one.
 */
export const connectionsOf = (readers: Pool, writers: Pool): Connections => {
  const [reading, writing] = [adaptive(readers), adaptive(writers)];
  return {
    acquireReader: () => acquire(reading, writing),
    acquireWriter: () => acquire(writing, reading),
    end: async () => { await Promise.all([readers.end(), writers.end()]); },
  };
};

/** Asks a single statement on a connection; one that breaks is not used again. */
export const queryOnce = async <R extends Row>(take: Acquire, query: NamedQuery): Promise<QueryResult<R>> => {
  const client = await take();
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

/** A statement with its values; connections keep one with a name prepared. */
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
  const makesDo = (): boolean => pool.options.max !== most;
  return {
    pool,
    size: () => size,
    isLimited: makesDo,
    limit: () => {
      if (!makesDo()) setTimeout(() => { pool.options.max = most; }, limitedFor).unref();
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
    if (own.size() + other.size() === 0) await pause(retryDelay);
  }
};
