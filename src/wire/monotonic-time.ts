import { hrtime } from './timers.js';

/**
 * Milliseconds on a clock that never jumps, for durations. `performance.now` does the same but takes a millisecond to
 * load.
 */
export const monotonicTime = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};
