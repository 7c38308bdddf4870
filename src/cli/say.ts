import type { App } from './app.js';
import type { GlobalFlags } from './flags/global.js';
import { plainText } from './plain.js';

/** Tells the user something on stderr that is neither result nor error; `--quiet` silences it. */
export const say = async (app: App, { quiet }: GlobalFlags, text: string): Promise<void> => {
  if (!quiet) await app.err.write(`${plainText(text)}\n`);
};
