import type { Time } from '../../../src/wire/time.js';

/** A clock that advances only with `sleep`. `waits` contains the times slept, in order. */
export interface FakeTime extends Time { readonly waits: number[] }

/** Starts at a fixed time; `random` always returns the same number. */
export const fakeTime = (random = 0.999_999): FakeTime => {
  const waits: number[] = [];
  let now = Date.parse('2024-05-01T12:00:00Z');
  const sleep = (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    waits.push(ms);
    now += ms;
    return Promise.resolve();
  };
  return { waits, now: () => now, sleep, random: () => random };
};
