import { anySignal } from '../../wire/timers.js';
import { createAbortController } from '../store/abort.js';
import type { Sleep } from '../http/latency.js';
import { FaultStopped } from './error.js';

/** Delays end early when the service is closed or its state replaced. */
export interface Delays {
  /** Ends early when the service is closed, or the request aborted. @throws FaultStopped when its state is replaced */
  wait(milliseconds: number, request?: AbortSignal): Promise<void>;
  /** Not at all if the service is closed or its state replaced before. */
  later(milliseconds: number, work: () => Promise<unknown>): void;
  /** Closes connections of delayed requests. Resolves when the late changes that have begun are stored. */
  drop(): Promise<void>;
  /** Drops late changes and ends the delays of requests. Resolves like `drop`. */
  close(): Promise<void>;
}

/** @param onLateError receives unexpected errors of late changes, which no response reports */
export const createDelays = (sleep: Sleep, onLateError: (error: unknown) => void): Delays => {
  let stopping = createAbortController();
  const running = new Set<Promise<unknown>>();

  const ended = async (milliseconds: number, request?: AbortSignal): Promise<AbortSignal> => {
    const { signal } = stopping;
    if (!signal.aborted) await sleep(milliseconds, anySignal(signal, request)).catch(() => undefined);
    return signal;
  };
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    const change = work().catch(onLateError);
    running.add(change);
    await change;
    running.delete(change);
  };
  const begunChanges = async (): Promise<void> => { await Promise.all(running); };

  return {
    wait: async (milliseconds, request) => {
      const { reason } = await ended(milliseconds, request);
      if (reason instanceof FaultStopped) throw reason;
    },
    later: (milliseconds, work) => {
      void ended(milliseconds).then(({ aborted }) => aborted ? undefined : run(work));
    },
    drop: () => {
      const isClosed = stopping.signal.aborted;
      stopping.abort(new FaultStopped());
      if (!isClosed) stopping = createAbortController();
      return begunChanges();
    },
    close: () => {
      stopping.abort();
      return begunChanges();
    },
  };
};
