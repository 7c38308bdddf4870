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

type Hex = (length: number) => string;

/** Each use has a stream of its own: with a seed, thread ids do not depend on how many requests came before. */
export interface Random {
  readonly hex: Hex;
  readonly requestHex: Hex;
  readonly tokenHex: Hex;
  /** For texts that must never repeat, even with a seed. */
  readonly uniqueHex: Hex;
  readonly isSeeded: boolean;
  /** Other starting points give other texts: a store with threads of an earlier start gets none of their ids again. */
  restart(from?: number): void;
  position(): RandomPosition;
  restore(position: RandomPosition): void;
}

export interface RandomPosition { readonly start: number; readonly counts: ReadonlyMap<string, number> }

/** @param seed makes all streams but one repeatable */
export const createRandom = (seed?: number, source: Hex = randomHex): Random => {
  if (seed !== undefined) return seededRandom(seed, source);
  const nothing = (): void => undefined;
  return {
    hex: source, requestHex: source, tokenHex: source, uniqueHex: source, isSeeded: false,
    restart: nothing, restore: nothing, position: () => ({ start: 0, counts: new Map() }),
  };
};

const seededRandom = (seed: number, source: Hex): Random => {
  let start = 0;
  let counts = new Map<string, number>();
  const stream = (use: string): Hex => (length) => {
    const count = (counts.get(use) ?? 0) + 1;
    counts.set(use, count);
    return hash('sha256', `${seed} ${use} ${start} ${count}`).slice(0, length);
  };
  return {
    hex: stream('id'), requestHex: stream('request'), tokenHex: stream('token'), uniqueHex: source,
    isSeeded: true,
    restart: (from = 0) => {
      start = from;
      counts = new Map();
    },
    position: () => ({ start, counts: new Map(counts) }),
    restore: (position) => {
      start = position.start;
      counts = new Map(position.counts);
    },
  };
};
