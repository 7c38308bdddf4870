import { sleep } from '../wire/timers.js';

/** Clock, timer and random numbers, which tests replace. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the reason of the signal, and clears the timer, on abort. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Of the system. */
export const realTime: Time = { now: Date.now, sleep, random: Math.random };
