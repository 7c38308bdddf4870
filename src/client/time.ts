/** Clock, timer and dice, handed in so that tests need no waiting and see no chance. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects at once with the signal's reason, leaving no timer. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/**
 * Milliseconds since some moment: for what lies between two of them, whatever happens to the clock. `performance` says
 * the same, and takes a millisecond to load.
 */
export const elapsed = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** The machine's own clock, timer and dice: the default of `createClient`. */
export const realTime: Time = { now: Date.now, sleep, random: Math.random };

/** A signal that is aborted with the reason of the first of two to be aborted. */
export const joined = <S extends AbortSignal | undefined>(one: AbortSignal | undefined, other: S): AbortSignal | S =>
  one && other ? AbortSignal.any([one, other]) : one ?? other;
