/** How many requests are under way at the same time. */
export const atOnce = 24;

/** A few items at a time, with the results in their order. The first failure stops the others. */
export const inLanes = async <T, R>(
  items: readonly T[], work: (item: T, signal: AbortSignal, at: number) => Promise<R>,
): Promise<R[]> => {
  const stop = new AbortController();
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length && !stop.signal.aborted) {
      const at = next++;
      results[at] = await work(items[at]!, stop.signal, at);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
    return results;
  } finally {
    stop.abort();
  }
};
