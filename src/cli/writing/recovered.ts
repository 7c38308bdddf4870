import type { App } from '../app.js';
import { Problem } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import { ago } from '../output/age.js';
import { canAsk, consent } from '../questions.js';
import { say } from '../say.js';
import type { Purpose } from './draft-name.js';
import { draftsElsewhere, draftsFor, type Draft } from './drafts.js';

/**
 * The newest text that an earlier call of the same verb left behind for the same target; with consent, one that was
 * written for another service or project, as after a mistyped address.
 * @throws Problem for none
 */
export const recovered = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const [newest, ...others] = await draftsFor(app, purpose);
  if (!newest) return fromElsewhere(app, flags, purpose);
  await say(app, flags, `took the text of ${age(app, newest)}`);
  if (others.length > 0) {
    await say(app, flags, `older texts for the same are kept too; -F sends one of them:\n${placesOf(others)}`);
  }
  return newest;
};

const fromElsewhere = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = await draftsElsewhere(app, purpose);
  const [newest] = drafts;
  if (!newest) throw notKept(purpose, 'it is kept for the same service, project, verb and words only, and for 30 days');
  if (!flags.yes && !canAsk(app, flags)) {
    throw notKept(purpose,
      `kept for another service or project; --yes takes the newest, -F sends one of them:\n${placesOf(drafts)}`);
  }
  await consent(app, flags,
    `A text of ${age(app, newest)} is kept, for another service or project. Take it for ${purpose.name}?`);
  return newest;
};

const notKept = ({ verb, name }: Purpose, hint: string): Problem =>
  new Problem('not_found', `no text of \`${verb}\` for ${name} is kept`, hint);

const age = (app: App, { at }: Draft): string => ago(new Date(at).toISOString(), app.now());

const placesOf = (drafts: readonly Draft[]): string => drafts.map(({ path }) => `  ${path}`).join('\n');
