import type { Awaitable } from './database.js';

/** Runs units of work one after another, in the order they came. */
export type Gate = <T>(unit: () => Awaitable<T>) => Promise<T>;

/** A gate that costs next to nothing while nobody waits. A unit must not wait for another unit of the same gate. */
export const gate = (): Gate => {
  const waiting: (() => void)[] = [];
  let taken = false;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) taken = false;
    else next();
  };
  return async (unit) => {
    if (taken) await new Promise<void>((resolve) => { waiting.push(resolve); });
    taken = true;
    try {
      const result = unit();
      return result instanceof Promise ? await result : result;
    } finally {
      leave();
    }
  };
};
