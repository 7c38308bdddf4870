import { clearTimeout, setImmediate, setTimeout } from './timers.js';

/** Rejects with the reason of the signal, and clears the timer, on abort. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

export const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });
