import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import type { WebPages } from '../output/view.js';
import { settingsOf } from '../settings/settings.js';
import type { Target } from './target.js';
import { containerUrl, noteableUrl } from './url.js';

/**
 * The web pages of what a command is about, for links on a terminal. Null where the project or group is known by its
 * number alone, an epic by its global id, and in the sandbox, which has none.
 */
export const pagesOn = async (app: App, flags: GlobalFlags, { ref, path }: Target): Promise<WebPages | null> => {
  if (!app.out.isTerminal || flags.sandbox || ref.isGlobal || /^\d+$/.test(path.id)) return null;
  const base = ref.base ?? (await settingsOf(app, flags)).url?.href;
  if (base === undefined) return null;
  return { container: containerUrl(base, path.id, ref.kind), noteable: noteableUrl(base, path.id, ref) };
};
