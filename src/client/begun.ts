import type { End } from './sending.js';

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
