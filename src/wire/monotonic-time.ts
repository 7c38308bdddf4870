import { hrtime } from './timers.js';

/** In milliseconds, for durations. `performance.now` does the same but takes a millisecond to load. */
export const monotonicTime = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};
