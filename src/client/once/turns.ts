/** Does work after all earlier work with the same name is done. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Creates queues by name. */
export const createTurns = (): InTurn => {
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
