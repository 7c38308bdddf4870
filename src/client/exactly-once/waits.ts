import type { RetryPolicy } from '../retry.js';
import type { Time } from '../time.js';

/** The waits of one call. The policy limits their sum. */
export interface Waits {
  readonly fits: (milliseconds: number) => boolean;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export const waitsOf = ({ totalWait }: RetryPolicy, time: Time): Waits => {
  let left = totalWait;
  return {
    fits: (milliseconds) => milliseconds <= left,
    wait: async (milliseconds, signal) => {
      if (milliseconds === 0) return;
      left -= milliseconds;
      await time.sleep(milliseconds, signal);
    },
  };
};

/**
 * When to look again for a note that a slow service may store after its timeout, in milliseconds: 1, 2 and 4 seconds
 * with the default policy.
 */
export const looksOf = ({ retries, firstWait, longestWait }: RetryPolicy): readonly number[] =>
  [5, 10, 20].slice(0, retries).map((times) => Math.min(times * firstWait, longestWait));
