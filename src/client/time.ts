import { monotonicTime, sleep } from '../wire/timers.js';

/** Clock, timer and random numbers, which tests replace. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds on a clock that is never set; by default `now`. */
  readonly monotonic?: (() => number) | undefined;
  /** Resolves after so many milliseconds; rejects with the reason of the signal, and clears the timer, on abort. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

export const realTime: Time = { now: Date.now, monotonic: monotonicTime, sleep, random: Math.random };

/** In milliseconds, for durations alone: unlike the clock, it is not set. */
export const elapsed = ({ now, monotonic = now }: Time): number => monotonic();

/** When now was, if asked later: the clock can be set back, and a monotonic one can stop while the machine sleeps. */
export const startNow = (time: Time): (() => number) => {
  const [start, begun] = [time.now(), elapsed(time)];
  return () => Math.min(start, time.now() - (elapsed(time) - begun));
};
