/** Does work after all earlier work with the same name is done. */
export type Queues = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Creates queues by name. */
export const createQueues = (): Queues => {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined).finally(() => {
      if (last.get(name) === settled) last.delete(name);
    });
    last.set(name, settled);
    return mine;
  };
};

/** Does work once for all callers that wait for it to start. */
export type SharedWork<T> = (name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most one work of each name at a time. Calls that arrive meanwhile share the next one, so its result is never
 * older than the call.
 */
export const createSharedWork = <T>(): SharedWork<T> => {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();
  return (name, work) => {
    const next = waiting.get(name);
    if (next) return next;
    const started = (running.get(name) ?? Promise.resolve()).then(() => {
      waiting.delete(name);
      const result = work();
      const settled = result.catch(() => undefined).finally(() => {
        if (running.get(name) === settled) running.delete(name);
      });
      running.set(name, settled);
      return result;
    });
    waiting.set(name, started);
    return started;
  };
};
