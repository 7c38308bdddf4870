import { NoResultError } from '../../client/errors.js';
import type { App } from '../app.js';
import { DryRun } from '../connection/dry-run.js';
import { keptAt } from '../connection/journal.js';
import { Problem } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { canAsk, consent, say } from '../io/messages.js';
import { ago } from '../views/parts.js';
import { sourceOf, textGiven, type BodyFlags } from './body.js';
import { draftsElsewhere, draftsFor, dropDraft, keepDraft, type Draft, type Purpose } from './drafts.js';
import { writtenInEditor, type EditorContext } from './editor-page.js';

type Flags = BodyFlags & GlobalFlags;

/** Asks for the text; an editor is shown the context, which is looked up for it alone. */
export type WantedText = (context: () => Promise<EditorContext>) => Promise<string>;

/**
 * Does something with a text that must not get lost. What is not in a file of the user's is written to the state folder
 * before anything is sent, and stays there until it is delivered: whatever happens to the program, `--recover` brings
 * it back. In CI, where nobody would come back for it, nothing is written. What is given on the command line or on
 * standard input is taken before the service is asked for anything.
 * @param write asks for the text once and delivers it
 * @throws Problem for no source, two sources, nothing to recover, or an editor left with nothing written
 */
export const withText = async <T>(
  app: App, flags: Flags, purpose: Purpose, write: (text: WantedText) => Promise<T>,
): Promise<T> => {
  const source = sourceOf(app, flags);
  const drafts: string[] = [];
  const earlier = flags.recover ? await recovered(app, flags, purpose) : null;
  if (earlier) drafts.push(earlier.path);
  if (source === 'editor') {
    return delivered(app, drafts, () => write(async (context) => {
      const { text, draft } = await writtenInEditor(app, purpose, earlier, await context());
      drafts.push(draft);
      return text;
    }), flags);
  }
  const text = earlier ? takenFrom(app, earlier) : await textGiven(app, flags, source);
  const isNowhereElse = !earlier && source !== 'file' && !flags.dryRun && text.trim() !== '';
  if (isNowhereElse && isCi(app)) app.journal.isTextUnsaved = true;
  else if (isNowhereElse) drafts.push(...await kept(app, flags, purpose, text));
  return delivered(app, drafts, () => write(async () => text), flags);
};

const isCi = ({ env }: App): boolean => !['', 'false', '0'].includes(env['CI'] ?? '');

/** A machine that has no place to write to does not keep a note from being sent. */
const kept = async (app: App, flags: Flags, purpose: Purpose, text: string): Promise<string[]> => {
  try {
    return [await keepDraft(app, purpose, text)];
  } catch (error) {
    await say(app, flags, `the text can't be kept while it is sent: ${(error as Error).message}`);
    return [];
  }
};

const takenFrom = ({ journal }: App, { path, text }: Draft): string => {
  journal.draft = path;
  return text;
};

const delivered = async <T>(
  app: App, drafts: readonly string[], write: () => Promise<T>, flags: Flags,
): Promise<T> => {
  try {
    const result = await write();
    await drop(app, drafts);
    return result;
  } catch (error) {
    if (error instanceof NoResultError) await drop(app, drafts);
    if (error instanceof DryRun && app.journal.draft !== null) {
      await say(app, flags, keptAt(app.drafts, app.journal.draft));
    }
    throw error;
  }
};

const drop = async (app: App, drafts: readonly string[]): Promise<void> => {
  app.journal.isTextUnsaved = false;
  for (const path of drafts) await dropDraft(app, path);
};

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
