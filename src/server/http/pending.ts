import { sleep } from '../../wire/timers.js';

/** In milliseconds: how long a server that is closed waits for pending requests, since some may never end. */
export const shutdownTimeout = 1_500;

export type Pending = ReturnType<typeof createPending>;

/** Knows whether requests have no response yet. */
export const createPending = () => {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    track: async <T>(work: () => Promise<T>): Promise<T> => {
      count++;
      try {
        return await work();
      } finally {
        if (--count === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
    /** @param limit the longest wait, in milliseconds; none by default */
    idle: async (limit = Infinity): Promise<void> => {
      if (count === 0) return;
      const enough = new AbortController();
      const idle = new Promise<void>((resolve) => { waiting.push(resolve); });
      await (limit === Infinity ? idle : Promise.race([idle, sleep(limit, enough.signal).catch(() => undefined)]));
      enough.abort();
    },
  };
};
