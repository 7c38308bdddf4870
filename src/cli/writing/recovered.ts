import type { App } from '../app.js';
import { Problem } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import { ago } from '../output/age.js';
import { say } from '../say.js';
import type { Purpose } from './draft-name.js';
import { draftsElsewhere, draftsFor, type Draft } from './drafts.js';

/** The newest text that an earlier call of the same verb left behind for the same target. @throws Problem for none */
export const recovered = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const [newest, ...others] = await draftsFor(app, purpose);
  if (!newest) {
    throw new Problem('not_found', `no text of \`${purpose.verb}\` for ${purpose.name} is kept`,
      await whereElse(app, purpose));
  }
  await say(app, flags, `took the text of ${ago(new Date(newest.at).toISOString(), app.now())}`);
  if (others.length > 0) {
    await say(app, flags, `older texts for the same are kept too; -F sends one of them:\n${placesOf(others)}`);
  }
  return newest;
};

const whereElse = async (app: App, purpose: Purpose): Promise<string> => {
  const elsewhere = await draftsElsewhere(app, purpose);
  return elsewhere.length === 0 ? 'it is kept for the same service, project, verb and words only, and for 30 days'
    : `kept for another service or project; -F sends one of them:\n${placesOf(elsewhere)}`;
};

const placesOf = (drafts: readonly Draft[]): string => drafts.map(({ path }) => `  ${path}`).join('\n');
