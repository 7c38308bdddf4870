import type { Awaitable, Queries } from './database.js';

/** The most statements without a response. */
const maxPending = 500;

/** Does not wait for responses: `run` returns 0. Statements keep their order; the first error rejects. */
export const pipelined = async (
  queries: Queries, work: (pipelinedQueries: Queries) => Awaitable<void>,
): Promise<void> => {
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
