import { vi } from 'vitest';

/** In place of `src/wire/timers.ts`, which fake timers do not reach: the timers of this moment. */
const timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'setImmediate'> = {
  get setTimeout() { return globalThis.setTimeout; },
  get clearTimeout() { return globalThis.clearTimeout; },
  get setInterval() { return globalThis.setInterval; },
  get clearInterval() { return globalThis.clearInterval; },
  get setImmediate() { return globalThis.setImmediate; },
};

const waiting = {
  monotonicTime: (): number => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  sleep: (milliseconds: number, signal?: AbortSignal): Promise<void> => new Promise((resolve, reject) => {
    const stop = () => {
      globalThis.clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  }),
  nextTurn: (): Promise<void> => new Promise((resolve) => { globalThis.setImmediate(resolve); }),
};

/** Call it in the factory of `vi.mock`. */
export const fakeableTimers = async () => Object.defineProperties(
  { ...await vi.importActual('../../src/wire/timers.js'), ...waiting }, Object.getOwnPropertyDescriptors(timers));
