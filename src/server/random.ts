import { randomFillSync } from 'node:crypto';

/** Asking the system for a few bytes costs as much as asking for many, and every answer carries an id. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Random hexadecimal text of a length, unpredictable: thread ids and request ids. */
export const randomHex = (length: number): string => {
  const bytes = Math.ceil(length / 2);
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used).slice(0, length);
};
