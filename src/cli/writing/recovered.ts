import type { App } from '../app.js';
import { Problem } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import { ago } from '../output/age.js';
import { say } from '../say.js';
import type { Purpose } from './draft-name.js';
import { draftsFor, type Draft } from './drafts.js';

/** The newest text that an earlier call of the same verb left behind for the same target. @throws Problem for none */
export const recovered = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const [newest, ...others] = await draftsFor(app, purpose);
  if (!newest) {
    throw new Problem('not_found', `no text of \`${purpose.verb}\` for ${purpose.name} is kept`,
      'it is kept for the same verb and the same words only, and for 30 days');
  }
  await say(app, flags, `took the text of ${ago(new Date(newest.at).toISOString(), app.now())}`);
  if (others.length > 0) {
    const places = others.map(({ path }) => `  ${path}`).join('\n');
    await say(app, flags, `older texts for the same are kept too; -F sends one of them:\n${places}`);
  }
  return newest;
};
