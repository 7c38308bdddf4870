/** Of all worlds of a server: more than the log of one world needs over a socket. */
export const logBytes = 67_108_864;

interface BudgetedLog {
  /** Returns the bytes that the log takes afterwards. */
  dropOldest(): number;
}

export interface LogBudget {
  /** While all logs take too many bytes, the largest drops its oldest request: a busy world empties no other log. */
  update(log: BudgetedLog, bytes: number): void;
}

export const createLogBudget = (most: number = logBytes): LogBudget => {
  const sizes = new Map<BudgetedLog, number>();
  let total = 0;
  const set = (log: BudgetedLog, bytes: number): void => {
    total += bytes - (sizes.get(log) ?? 0);
    if (bytes === 0) sizes.delete(log);
    else sizes.set(log, bytes);
  };
  return {
    update: (log, bytes) => {
      set(log, bytes);
      while (total > most) {
        const largest = largestOf(sizes);
        set(largest, largest.dropOldest());
      }
    },
  };
};

const largestOf = (sizes: ReadonlyMap<BudgetedLog, number>): BudgetedLog => {
  let largest: BudgetedLog | undefined;
  for (const [log, bytes] of sizes) if (largest === undefined || bytes > sizes.get(largest)!) largest = log;
  return largest!;
};
