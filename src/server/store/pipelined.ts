import type { Awaitable, Queries } from './database.js';

/** So many statements may be under way. */
const maxPending = 500;

/**
 * Runs a work that adds many rows, without waiting for each of them to be written: `run` tells no numbers there. The
 * statements keep their order, and the first that fails is the work's failure. It spares a store that answers later
 * most of the waiting.
 */
export const pipelined = async (queries: Queries, work: (unwaited: Queries) => Awaitable<void>): Promise<void> => {
  const pending: Promise<unknown>[] = [];
  const settle = async (): Promise<number> => {
    for (const one of pending.splice(0)) await one;
    return 0;
  };
  const run: Queries['run'] = (sql, ...values) => {
    const running = queries.run(sql, ...values);
    if (!(running instanceof Promise)) return running;
    running.catch(() => undefined);
    return pending.push(running) < maxPending ? 0 : settle();
  };
  try {
    await work({ ...queries, run });
  } finally {
    await settle();
  }
};
