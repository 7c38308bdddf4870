import type { App } from '../app.js';

/** Keeps what a run has seen so far for the completion of the next run. */
export const keepSeen = async ({ cache, seen }: Pick<App, 'cache' | 'seen'>): Promise<void> => {
  if (seen.size === 0) return;
  const sights = new Map(seen);
  seen.clear();
  await (await import('./remembered.js')).remember({ cache, seen: sights });
};
