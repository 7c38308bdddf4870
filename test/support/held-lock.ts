import pg from 'pg';
import { lockKey } from '../../src/server/store/postgres/queries.js';

/** A lock of a store that a test holds, so that requests wait for it in an order that the test determines. */
export interface HeldLock {
  /** Resolves when this many requests wait for it. */
  waiting(count: number): Promise<void>;
  /** Releases it. */
  release(): Promise<void>;
}

/** Acquires a lock by its name, like a unit of work. */
export const holdLock = async (store: string, name: string): Promise<HeldLock> => {
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  const { rows: [lock] } = await client.query<{ key: string }>(
    `SELECT key FROM (SELECT ${lockKey('$1')} AS key) AS named, LATERAL pg_advisory_lock(key)`, [name]);
  const key = BigInt.asUintN(64, BigInt(lock!.key));
  const parts = [key >> 32n, key & 0xffffffffn].map(String);
  const count = async () => (await client.query<{ waiting: string }>(
    `SELECT count(*) AS waiting FROM pg_locks
     WHERE locktype = 'advisory' AND NOT granted AND classid::bigint = $1 AND objid::bigint = $2`, parts)).rows[0]!.waiting;
  return {
    waiting: async (wanted) => { while (Number(await count()) < wanted) await new Promise((resolve) => { setTimeout(resolve, 2); }); },
    release: () => client.end(),
  };
};
