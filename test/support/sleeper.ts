/** Sleeps until it is woken, and rejects when the signal is aborted. */
export const sleeper = () => {
  const sleeping: { readonly milliseconds: number; readonly wake: () => void }[] = [];
  const sleep = (milliseconds: number, signal?: AbortSignal) => new Promise<void>((resolve, reject) => {
    sleeping.push({ milliseconds, wake: resolve });
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
  return { sleeping, sleep };
};
