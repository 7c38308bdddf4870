import { vi } from 'vitest';
import type * as Timers from '../../src/wire/time.js';

type Timer = (...given: unknown[]) => unknown;

/** Puts a function in its place that calls what has the name at that time, such as a fake timer. */
const replaceByLatest = (owner: object, name: string): (() => void) => {
  const functions = owner as Record<string, Timer>;
  const own = functions[name]!;
  const latest = Object.assign((...given: unknown[]): unknown => {
    const current = functions[name]!;
    return (current === latest ? own : current).apply(owner, given);
  }, own);
  functions[name] = latest;
  return () => { functions[name] = own; };
};

/**
 * In place of `src/wire/time.ts`, which fake timers do not reach: the same functions with the timers of this moment.
 * Call it in the factory of `vi.mock`.
 */
export const fakeableTimers = async (): Promise<typeof Timers> => {
  const restore = [
    ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'].map((name) => replaceByLatest(globalThis, name)),
    replaceByLatest(process, 'hrtime'),
  ];
  try {
    return await vi.importActual<typeof Timers>('../../src/wire/time.js');
  } finally {
    for (const each of restore) each();
  }
};
