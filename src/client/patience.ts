import type { End } from './sending.js';
import { elapsed } from './time.js';

/**
 * A request on its way, and when it has taken too long, in milliseconds of `elapsed`. It stands in a ring, in the order
 * in which requests began: a Set costs as much to keep as a sixth of a call.
 */
interface Begun {
  readonly end: End;
  readonly due: number;
  before: Begun;
  after: Begun;
}

/** Watches a request from now on; what it returns is called when the request has ended. */
export type Patience = (end: End) => () => void;

/** A timer set for longer goes off at once. */
const longestWait = 0x7fff_ffff;

/**
 * Ends requests that take longer than `limit` milliseconds. One timer watches all of them, for the first to begin is
 * the first to be due; a timer for each took a fiftieth of a long list. It keeps no process alive.
 */
export const patienceFor = (limit: number, reason: () => Error): Patience => {
  const ring = alone(() => undefined, Infinity);
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
      first.end(reason());
    }
  };
  return (end) => {
    const one = alone(end, elapsed() + limit);
    putBefore(ring, one);
    if (!isWatched) watch(limit);
    return () => { takeOut(one); };
  };
};

const alone = (end: End, due: number): Begun => {
  const one = { end, due } as Begun;
  one.before = one.after = one;
  return one;
};

const putBefore = (next: Begun, one: Begun): void => {
  one.before = next.before;
  one.after = next;
  next.before.after = one;
  next.before = one;
};

/** Once out it is alone, and taking it out again does nothing. */
const takeOut = (one: Begun): void => {
  one.before.after = one.after;
  one.after.before = one.before;
  one.before = one.after = one;
};
