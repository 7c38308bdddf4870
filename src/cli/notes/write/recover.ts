import { firstWords } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, consent, say } from '../../terminal/io/messages.js';
import { ago } from '../views/note.js';
import { draftsElsewhere, draftsFor, type Draft, type Purpose } from './drafts.js';

/**
 * Finds a text of the same verb for the same target; with consent, even for another service or project, as after a
 * mistyped address.
 * @throws Problem for none, and for several without a terminal
 */
export const draftToRecover = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = await draftsFor(app, flags, purpose);
  const [newest, ...others] = drafts;
  if (!newest) return draftFromElsewhere(app, flags, purpose);
  const isSole = others.length === 0 || flags.yes;
  if (!isSole && canAsk(app, flags)) return chooseDraft(app, drafts, 'Use which draft?');
  if (!isSole) {
    throw usage(`${drafts.length} drafts of \`${purpose.verb}\` for ${purpose.name} found`,
      `send one of them with -F, or pass --yes to use the newest:\n${draftLines(app, drafts)}`);
  }
  await say(app, flags, `using the draft saved ${draftAge(app, newest)}`);
  return newest;
};

const chooseDraft = async (app: App, drafts: readonly Draft[], question: string): Promise<Draft> =>
  drafts[await app.ask.choose(question, drafts.map((draft) => draftSummary(app, draft)))]!;

const draftFromElsewhere = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = await draftsElsewhere(app, flags, purpose);
  const [newest, ...others] = drafts;
  if (!newest) {
    throw noDraft(purpose, 'use the same service, project, command and arguments; '
      + 'texts of -m and -F are saved only if the service may have stored them, drafts are kept for 30 days');
  }
  if (!flags.yes && !canAsk(app, flags)) {
    throw noDraft(purpose,
      `pass --yes to use the newest draft for another service or project, or send one of them with -F:\n`
      + draftLines(app, drafts));
  }
  if (others.length > 0 && !flags.yes) {
    return chooseDraft(app, drafts, 'Use which draft for another service or project?');
  }
  await consent(app, flags, `use the draft saved ${draftAge(app, newest)} for another service or project`);
  return newest;
};

const noDraft = ({ verb, name }: Purpose, hint: string): Problem =>
  new Problem('not_found', `no draft of \`${verb}\` for ${name} found`, hint);

export const draftAge = (app: App, { at }: Draft): string => ago(new Date(at).toISOString(), app.now());

const draftLines = (app: App, drafts: readonly Draft[]): string =>
  drafts.map((draft) => `  ${draft.path}  ${draftSummary(app, draft)}`).join('\n');

const draftSummary = (app: App, draft: Draft): string => `${draftAge(app, draft)}: ${firstWords(draft.text)}`;
