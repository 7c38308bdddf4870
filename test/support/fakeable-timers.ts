/** In place of `src/wire/timers.ts`, which fake timers do not reach: the timers of this moment. */
const timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'setImmediate'> = {
  get setTimeout() { return globalThis.setTimeout; },
  get clearTimeout() { return globalThis.clearTimeout; },
  get setInterval() { return globalThis.setInterval; },
  get clearInterval() { return globalThis.clearInterval; },
  get setImmediate() { return globalThis.setImmediate; },
};

/** Call it in the factory of `vi.mock`. */
export const fakeableTimers = () => Object.defineProperties({ hrtime: () => process.hrtime() }, Object.getOwnPropertyDescriptors(timers));
