import type { App } from '../app.js';

export const saveCompletions = async ({ cache, completions }: Pick<App, 'cache' | 'completions'>): Promise<void> => {
  if (completions.size === 0) return;
  const records = new Map(completions);
  completions.clear();
  await (await import('./store.js')).storeRecords({ cache, completions: records });
};
