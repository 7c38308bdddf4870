/** A signal that aborts as soon as one of two signals does, with the same reason. */
export const anySignal = <S extends AbortSignal | undefined>(one: AbortSignal | undefined, other: S): AbortSignal | S =>
  one && other ? AbortSignal.any([one, other]) : one ?? other;

/** A promise that rejects with the reason of a signal as soon as it is aborted. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => { reject(signal.reason as Error); };
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => { signal.removeEventListener('abort', stop); });
  });
