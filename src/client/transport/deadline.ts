import { setMaxListeners } from 'node:events';
import { elapsed } from '../time.js';
import type { End } from './connection.js';

/** Watches a request from now on; what it returns is called when the request has ended. */
export type Watch = (end: End, signal?: AbortSignal) => () => void;

/** A timer set for longer goes off at once. */
const longestWait = 0x7fff_ffff;

/**
 * Ends requests that take longer than `limit` milliseconds, and those whose signal is aborted, with the signal's
 * reason.
 *
 * One timer watches all of them, for the first to begin is the first to be due, and one listener all that have the same
 * signal: a timer for each took a fiftieth of a long list, a listener a hundredth. The timer keeps no process alive.
 * @param tooLong makes the reason given to those that take too long
 */
export const underWay = (limit: number, tooLong: () => Error): Watch => {
  const ring = alone(() => undefined, Infinity);
  const hear = hearing(ring);
  let isWatched = false;
  const watch = (wait: number) => {
    isWatched = true;
    setTimeout(look, Math.min(wait, longestWait)).unref();
  };
  const look = () => {
    isWatched = false;
    const now = elapsed();
    for (let first = ring.after; first !== ring; first = ring.after) {
      if (first.due > now) return watch(first.due - now);
      takeOut(first);
      first.end(tooLong());
    }
  };
  return (end, signal) => {
    const one = alone(end, elapsed() + limit, signal);
    putBefore(ring, one);
    if (!isWatched) watch(limit);
    const deafen = signal ? hear(signal) : null;
    return () => {
      takeOut(one);
      deafen?.();
    };
  };
};

/** Hears signals for as long as there are requests of theirs: what it returns is called when one has ended. */
const hearing = (ring: Begun) => {
  const heard = new Map<AbortSignal, { requests: number; readonly stop: () => void }>();
  const begin = (signal: AbortSignal) => {
    const stop = () => {
      for (const { end } of standing(ring).filter((one) => one.signal === signal)) end(signal.reason as Error);
    };
    // Node warns of many listeners on one signal; here each is a client that is at work.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
    const listening = { requests: 0, stop };
    heard.set(signal, listening);
    return listening;
  };
  return (signal: AbortSignal) => {
    const listening = heard.get(signal) ?? begin(signal);
    listening.requests++;
    return () => {
      if (--listening.requests > 0) return;
      signal.removeEventListener('abort', listening.stop);
      heard.delete(signal);
    };
  };
};

/**
 * A request on its way. It stands in a ring, in the order in which requests began: a Set costs as much to keep as a
 * sixth of a call.
 */
export interface Begun {
  readonly end: End;
  /** When it has taken too long, in milliseconds of `elapsed`. */
  readonly due: number;
  readonly signal: AbortSignal | undefined;
  before: Begun;
  after: Begun;
}

/** A request in no ring yet; or the start of a ring, which is no request. */
export const alone = (end: End, due: number, signal?: AbortSignal): Begun => {
  const one = { end, due, signal } as Begun;
  one.before = one.after = one;
  return one;
};

/** @param next what it is to stand before: the start of a ring, to stand last in it */
export const putBefore = (next: Begun, one: Begun): void => {
  one.before = next.before;
  one.after = next;
  next.before.after = one;
  next.before = one;
};

/** Once out it is alone, and taking it out again does nothing. */
export const takeOut = (one: Begun): void => {
  one.before.after = one.after;
  one.after.before = one.before;
  one.before = one.after = one;
};

/** All that stand in a ring now, whatever happens to it later. */
export const standing = (start: Begun): Begun[] => {
  const all: Begun[] = [];
  for (let one = start.after; one !== start; one = one.after) all.push(one);
  return all;
};
