import type { Time } from '../../src/wire/time.js';
import { start } from './service.js';

interface Timer { readonly at: number; readonly end: () => void }

/** In milliseconds of the real clock: a busy machine loads a module for seconds, in which nothing else happens. */
const patience = 40_000;

/** A clock for several programs at once: it advances to the next timer when nothing else is left to do. */
export const virtualTime = (random: () => number) => {
  const timers: Timer[] = [];
  let now = Date.parse(start);
  let working = 0;

  const sleep = (milliseconds: number, signal?: AbortSignal) => new Promise<void>((resolve) => {
    signal?.throwIfAborted();
    timers.push({ at: now + milliseconds, end: resolve });
  });

  /** Runs until the promise settles. */
  const until = async <T>(promise: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = () => { isOver = true; };
    promise.then(over, over);
    for (let busyAt = performance.now(); ;) {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => { setImmediate(resolve); });
      if (isOver) return promise;
      if (working > 0) continue;
      const at = Math.min(...timers.map((timer) => timer.at));
      const next = timers.findIndex((timer) => timer.at === at);
      if (next < 0) {
        if (performance.now() - busyAt > patience) throw new Error('nothing is left to wait for');
        await new Promise((resolve) => { setTimeout(resolve, 1); });
        continue;
      }
      busyAt = performance.now();
      now = Math.max(now, at);
      timers.splice(next, 1)[0]!.end();
    }
  };

  /** Work that takes no time of this clock. */
  const atOnce = async <T>(work: () => Promise<T>): Promise<T> => {
    working++;
    try {
      return await work();
    } finally {
      working--;
    }
  };

  const time: Time = { now: () => now, sleep, random };
  return { time, sleep, until, atOnce };
};
