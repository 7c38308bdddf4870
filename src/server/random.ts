import { randomFillSync } from 'node:crypto';

/** A source of hexadecimal text. */
export interface RandomStream {
  /** The next text of a length. */
  readonly hex: (length: number) => string;
  /** The position in a repeatable stream, for `seek` of this or an equal stream; absent if it is unpredictable. */
  readonly position?: () => string;
  readonly seek?: (position: string) => void;
}

/** Random bytes are fetched in blocks: a few cost as much as many, and every response has an id. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Unpredictable hexadecimal text of a length, for thread ids and request ids. */
export const randomHex = (length: number): string => {
  const bytes = Math.ceil(length / 2);
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used).slice(0, length);
};
