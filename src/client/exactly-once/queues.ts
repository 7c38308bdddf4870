export const createQueues = () => {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined).finally(() => {
      if (last.get(name) === settled) last.delete(name);
    });
    last.set(name, settled);
    return mine;
  };
};

/**
 * Runs at most one work of each name at a time. Calls that arrive during it share the next one, so its result is never
 * older than the call.
 */
export const createSharedWork = (): ((name: string, work: () => Promise<void>) => Promise<void>) => {
  const queues = createQueues();
  const waiting = new Map<string, Promise<void>>();
  return (name, work) => {
    const next = waiting.get(name) ?? queues(name, () => {
      waiting.delete(name);
      return work();
    });
    waiting.set(name, next);
    return next;
  };
};
