import type { App } from '../app.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { progressOn, type Progress } from '../terminal/io/progress.js';
import type { Parent } from '../service/targets/epic.js';
import type { RunJournal } from './journal.js';

export interface RunSite {
  readonly app: App;
  readonly flags: GlobalFlags;
  readonly parent: Parent;
  readonly name: string;
  readonly journal: RunJournal;
}

export const withReading = async <T>(
  { app, flags }: RunSite, work: (progress: Pick<Progress, 'show'>) => Promise<T>,
): Promise<T> => {
  const progress = progressOn(app, flags);
  try {
    return await work(progress);
  } finally {
    await progress.done();
  }
};
