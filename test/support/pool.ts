/** Runs functions, a few at a time. */
export const inPool = async (jobs: readonly (() => Promise<void>)[], size: number): Promise<void> => {
  const queue = [...jobs];
  await Promise.all(Array.from({ length: size }, async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await job();
  }));
};
