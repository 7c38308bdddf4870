import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { say } from '../say.js';

/** Whether a change of the settings is only rehearsed with `--dry-run`; then it is told what would be done. */
export const rehearsed = async (app: App, flags: GlobalFlags, what: string): Promise<boolean> => {
  if (!flags.dryRun) return false;
  await say(app, flags, `would ${what}; nothing is stored with --dry-run`);
  return true;
};
