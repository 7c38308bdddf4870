/** Aborts with the first of both, and its reason. */
export const anySignal = <S extends AbortSignal | undefined>(one: AbortSignal | undefined, other: S): AbortSignal | S =>
  one && other ? AbortSignal.any([one, other]) : one ?? other;

/** Rejects with the reason of the signal. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => { reject(signal.reason as Error); };
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => { signal.removeEventListener('abort', stop); });
  });
