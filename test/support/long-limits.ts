import type { Env } from './program.js';

/** Preloaded into a program; the pauses are those between the attempts to get a lock. */
const stretching = (from: number) => `
  import pauses from 'node:timers/promises';
  const { setTimeout: start } = globalThis;
  const { setTimeout: pause } = pauses;
  globalThis.setTimeout = (work, time, ...words) => start(work, time >= ${from} ? time * 20 : time, ...words);
  pauses.setTimeout = (time, ...words) => pause(time * 20, ...words);`;

/**
 * Lets each limit of a program from so many milliseconds on last 20 times as long: it does not pass while the test or the
 * machine is busy with something else.
 */
export const withLongLimits = (env: Env, from: number): Env =>
  ({ ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stretching(from))}` });
