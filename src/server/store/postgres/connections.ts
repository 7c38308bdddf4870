import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Row } from '../database.js';
import { isLost } from '../errors.js';
import { connectionError, hasNoConnectionLeft, statementError } from './errors.js';

/**
 * Takes a connection for one unit of work.
 * @throws StoreUnavailable where none is to be had in time
 */
export type Take = () => Promise<PoolClient>;

/** Connections for units that read and for units that write. */
export interface Connections {
  readonly toRead: Take;
  readonly toWrite: Take;
  readonly end: () => Promise<void>;
}

/** A pool that makes do with the connections that PostgreSQL lets it have. */
interface ModestPool {
  readonly pool: Pool;
  /** How many connections it has. */
  readonly size: () => number;
  /** Asks for no more connections than it has, for a while. */
  readonly makeDo: () => void;
  readonly makesDo: () => boolean;
}

/** How long a pool goes without asking for more connections after PostgreSQL had none left, in milliseconds. */
const modestFor = 10_000;

/** How long a unit waits while this process has no connection at all, and between two tries, in milliseconds. */
const patience = 5_000;
const between = 50;

/**
 * Where PostgreSQL gives fewer connections than the pools may have, units wait in turn for those that are there; where
 * it gives a pool none, they use those of the other one.
 */
export const connectionsOf = (readers: Pool, writers: Pool): Connections => {
  const [reading, writing] = [modest(readers), modest(writers)];
  return {
    toRead: () => take(reading, writing),
    toWrite: () => take(writing, reading),
    end: async () => { await Promise.all([readers.end(), writers.end()]); },
  };
};

/** Asks a single statement on a connection; one that breaks is not used again. */
export const askOnce = async <R extends Row>(take: Take, query: Asked): Promise<QueryResult<R>> => {
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
interface Asked {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

const modest = (pool: Pool): ModestPool => {
  const most = pool.options.max;
  let size = 0;
  pool.on('connect', () => { size++; });
  pool.on('remove', () => { size--; });
  const makesDo = (): boolean => pool.options.max !== most;
  return {
    pool,
    size: () => size,
    makesDo,
    makeDo: () => {
      if (!makesDo()) setTimeout(() => { pool.options.max = most; }, modestFor).unref();
      pool.options.max = Math.max(size, 1);
    },
  };
};

const take = async (own: ModestPool, other: ModestPool): Promise<PoolClient> => {
  let end: AbortSignal | undefined;
  for (;;) {
    const from = own.makesDo() && own.size() === 0 && other.size() > 0 ? other : own;
    try {
      return await from.pool.connect();
    } catch (error) {
      if (!hasNoConnectionLeft(error) || end?.aborted) throw connectionError(error);
      from.makeDo();
    }
    end ??= AbortSignal.timeout(patience);
    if (own.size() + other.size() === 0) await pause(between);
  }
};
