/** The timers of Node when this module was loaded: fake timers in tests of a caller, set later, do not stop these. */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

const hrtime = process.hrtime.bind(process);

/** In milliseconds. `performance.now` does the same but takes a millisecond to load. */
export const monotonicTime = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** In milliseconds. Node fires a longer timer at once. */
export const longestTimer = 2_147_483_647;

/** Rejects with the reason of the signal on abort. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, Math.min(milliseconds, longestTimer));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

export const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

export const anySignal = <S extends AbortSignal | undefined>(one: AbortSignal | undefined, other: S): AbortSignal | S =>
  one && other ? AbortSignal.any([one, other]) : one ?? other;

export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal === undefined ? promise : new Promise((resolve, reject) => {
    const stop = () => { reject(signal.reason as Error); };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => { signal.removeEventListener('abort', stop); });
  });

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
