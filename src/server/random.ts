import { hash, randomFillSync } from 'node:crypto';

/** Random bytes are fetched in blocks: a few cost as much as many, and every response has an id. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

export const randomHex = (length: number): string => {
  const bytes = Math.ceil(length / 2);
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used).slice(0, length);
};

export interface Hex {
  (length: number): string;
  readonly isSeeded?: true;
}

/** For ids of 40 digits: servers with the same seed draw the same ones. */
export const drawUnused = async (hex: Hex, isUsed: (id: string) => unknown): Promise<string> => {
  const id = hex(40);
  return await isUsed(id) ? drawUnused(hex, isUsed) : id;
};

export interface RandomPosition { readonly start: number; readonly counts: ReadonlyMap<string, number> }

export type Random = ReturnType<typeof createRandom>;

/**
 * Each use has a stream of its own: with a seed, thread ids do not depend on how many requests came before.
 * @param seed makes all streams but one repeatable
 */
export const createRandom = (seed?: number, source: Hex = randomHex) => {
  let start = 0;
  let counts = new Map<string, number>();
  const stream = (use: string): Hex => seed === undefined ? source : Object.assign((length: number) => {
    const count = (counts.get(use) ?? 0) + 1;
    counts.set(use, count);
    return hash('sha256', `${seed} ${use} ${start} ${count}`).slice(0, length);
  }, { isSeeded: true as const });
  return {
    hex: stream('id'), requestHex: stream('request'), tokenHex: stream('token'),
    /** For texts that must never repeat, even with a seed. */
    uniqueHex: source,
    isSeeded: seed !== undefined,
    /** Other starting points give other texts: a store with threads of an earlier start gets none of their ids. */
    restart: (from = 0): void => {
      start = from;
      counts = new Map();
    },
    position: (): RandomPosition => ({ start, counts: new Map(counts) }),
    restore: (position: RandomPosition): void => {
      start = position.start;
      counts = new Map(position.counts);
    },
  };
};
