import { setMaxListeners } from 'node:events';
import { longestTimer, monotonicTime, setTimeout } from '../../wire/time.js';
import type { Abort } from './connection.js';

export interface Watched {
  end(): void;
  restart(): void;
}

export type DeadlineWatch = (abort: Abort, signal?: AbortSignal) => Watched;

/**
 * All requests share one timer, because the first to start is the first to be due, and one listener for each signal;
 * docs/architecture.md has the figures. The timer does not keep the process alive.
 */
export const createDeadlines = (limit: number, timeoutError: () => Error): DeadlineWatch => {
  const ring = newDeadline(() => undefined, Infinity);
  const listen = createListener(ring);
  let isScheduled = false;
  const schedule = (wait: number) => {
    isScheduled = true;
    setTimeout(check, Math.min(wait, longestTimer)).unref();
  };
  const check = () => {
    isScheduled = false;
    const now = monotonicTime();
    for (let first = ring.next; first !== ring; first = ring.next) {
      if (first.due > now) return schedule(first.due - now);
      removeDeadline(first);
      first.abort(timeoutError());
    }
  };
  return (abort, signal) => {
    const deadline = newDeadline(abort, monotonicTime() + limit, signal);
    insertBefore(ring, deadline);
    if (!isScheduled) schedule(limit);
    const stopListening = signal ? listen(signal) : null;
    return {
      end: () => {
        removeDeadline(deadline);
        stopListening?.();
      },
      restart: () => {
        if (deadline.next === deadline) return;
        removeDeadline(deadline);
        deadline.due = monotonicTime() + limit;
        insertBefore(ring, deadline);
      },
    };
  };
};

/** While they have pending requests. Call the result when a request has ended. */
const createListener = (ring: Deadline) => {
  const listeners = new Map<AbortSignal, { requests: number; readonly stop: () => void }>();
  const start = (signal: AbortSignal) => {
    const stop = () => {
      const pending = pendingDeadlines(ring).filter((deadline) => deadline.signal === signal);
      for (const { abort } of pending) abort(signal.reason as Error);
    };
    // Node warns about many listeners on one signal; here each is an active client.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
    const listener = { requests: 0, stop };
    listeners.set(signal, listener);
    return listener;
  };
  return (signal: AbortSignal) => {
    const listener = listeners.get(signal) ?? start(signal);
    listener.requests++;
    return () => {
      if (--listener.requests > 0) return;
      signal.removeEventListener('abort', listener.stop);
      listeners.delete(signal);
    };
  };
};

/** In a doubly linked ring in the order of the requests: a Set would take a sixth of the time of a call. */
interface Deadline {
  readonly abort: Abort;
  due: number;
  readonly signal: AbortSignal | undefined;
  previous: Deadline;
  next: Deadline;
}

/** In no ring yet; or the start of a ring, which belongs to no request. */
const newDeadline = (abort: Abort, due: number, signal?: AbortSignal): Deadline => {
  const deadline = { abort, due, signal } as Deadline;
  deadline.previous = deadline.next = deadline;
  return deadline;
};

/** @param next the start of a ring, to append to it */
const insertBefore = (next: Deadline, deadline: Deadline): void => {
  deadline.previous = next.previous;
  deadline.next = next;
  next.previous.next = deadline;
  next.previous = deadline;
};

const removeDeadline = (deadline: Deadline): void => {
  deadline.previous.next = deadline.next;
  deadline.next.previous = deadline.previous;
  deadline.previous = deadline.next = deadline;
};

/** Later changes do not affect the list. */
const pendingDeadlines = (start: Deadline): Deadline[] => {
  const all: Deadline[] = [];
  for (let deadline = start.next; deadline !== start; deadline = deadline.next) all.push(deadline);
  return all;
};
