import type { End } from './sending.js';
import { elapsed } from './time.js';

/** A request on its way, and when it has taken too long, in milliseconds of `elapsed`. */
interface Begun { readonly end: End; readonly due: number }

/** A timer set for longer goes off at once. */
const longestWait = 0x7fff_ffff;

/** Watches a request from now on; what it returns is called when the request has ended. */
export type Patience = (end: End) => () => void;

/**
 * Ends requests that take longer than `limit` milliseconds. One timer watches all of them, for the first to begin is
 * the first to be due; a timer for each took a fiftieth of a long list. It keeps no process alive.
 */
export const patienceFor = (limit: number, reason: () => Error): Patience => {
  const running = new Set<Begun>();
  let isWatched = false;
  const watch = (wait: number) => {
    isWatched = true;
    setTimeout(look, Math.min(wait, longestWait)).unref();
  };
  const look = () => {
    isWatched = false;
    const now = elapsed();
    for (const one of running) {
      if (one.due > now) return watch(one.due - now);
      running.delete(one);
      one.end(reason());
    }
  };
  return (end) => {
    const one = { end, due: elapsed() + limit };
    running.add(one);
    if (!isWatched) watch(limit);
    return () => { running.delete(one); };
  };
};
