import { clearTimeout, setTimeout } from '../../wire/timers.js';

export class TooManyWaits extends Error {
  constructor() { super(`more than ${maxWaits} callers wait for requests`); }
}

const maxWaits = 100;

export interface Waits<T> {
  report(value: T): void;
  /**
   * Resolves after a matching value was reported, after so many milliseconds, when the waits are closed, or on the
   * signal.
   * @throws TooManyWaits
   */
  next(matches: (value: T) => boolean, milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Ends all waits, and later ones at once. */
  close(): void;
  isClosed(): boolean;
}

interface Wait<T> { readonly matches: (value: T) => boolean; readonly end: () => void }

export const createWaits = <T>(): Waits<T> => {
  const waits = new Set<Wait<T>>();
  let isClosed = false;
  return {
    report: (value) => {
      if (waits.size === 0) return;
      for (const { matches, end } of waits) if (matches(value)) end();
    },
    next: (matches, milliseconds, signal) => new Promise((resolve, reject) => {
      if (isClosed || signal?.aborted) return resolve();
      if (waits.size === maxWaits) return reject(new TooManyWaits());
      const end = () => {
        clearTimeout(timer);
        waits.delete(wait);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      const wait = { matches, end };
      waits.add(wait);
      signal?.addEventListener('abort', end);
    }),
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
      for (const { end } of waits) end();
    },
  };
};
