import { NoResultError } from '../../../client/errors.js';
import type { App } from '../../app.js';
import { draftMessage } from '../../service/connection/transport.js';
import { DryRun } from '../../service/connection/dry-run.js';
import { Problem, usage } from '../../command-line/failure.js';
import { isWrite } from '../../command-line/hints.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, consent, say } from '../../terminal/io/messages.js';
import { firstWords } from '../../../text/plain.js';
import { LostPosition } from '../position/unanchored.js';
import { isCi } from '../../service/settings/settings.js';
import { ago } from '../views/note.js';
import { draftsElsewhere, draftsFor, removeDraft, saveDraft, type Draft, type Purpose } from './drafts.js';
import { editText, type EditorContext } from './edit-text.js';
import { canEdit, sourceOf, textGiven, withoutNul, type BodyFlags } from './text-source.js';

type Flags = BodyFlags & GlobalFlags;

/** It must not get lost before it is sent. */
export interface NoteDraft {
  /** The context is looked up only to show it in an editor. */
  readonly text: (context: () => Promise<EditorContext>) => Promise<GivenText>;
  /** Removes what is saved of the text. A failure keeps it. */
  readonly sent: <T>(sending: Promise<T>) => Promise<T>;
}

export interface GivenText {
  readonly body: string;
  /** In milliseconds, since the text was saved as a draft: since then it may have been sent. */
  readonly lookBack?: number;
}

/**
 * Text from standard input or an editor is saved before any request, so that `--recover` can use it after any failure.
 * Files and the history of the shell keep the others, which are saved only after a timeout. In CI nothing is saved.
 * @throws Problem for no source, two sources, no draft to recover, or an empty text from the editor
 */
export const openDraft = async (app: App, flags: Flags, purpose: Purpose): Promise<NoteDraft> => {
  const given = sourceOf(app, flags);
  await mentionSaved(app, flags, purpose);
  const earlier = flags.recover ? await recovered(app, flags, purpose) : null;
  const source = earlier?.kind === 'page' ? editorOf(app, flags) : given;
  app.activity.isDraftEarlier = earlier?.kind === 'text';
  const lookBack = earlier?.kind === 'text' ? { lookBack: Math.max(0, app.now().getTime() - earlier.at) } : {};
  const saved = earlier === null ? [] : [earlier.path];
  if (source === 'editor') {
    return {
      text: async (context) => {
        const { text, draft } = await editText(app, purpose, earlier, await context());
        saved.push(draft);
        return { body: await withoutNul(app, flags, text), ...lookBack };
      },
      sent: (sending) => whenSent(app, flags, saved, sending),
    };
  }
  const text = earlier ? await withoutNul(app, flags, fromDraft(app, earlier)) : await textGiven(app, flags, source);
  const needsDraft = source === 'stdin' && !flags.dryRun && text.trim() !== '';
  if (needsDraft && isCi(app.env)) app.activity.isTextUnsaved = true;
  else if (needsDraft) saved.push(...await savedDrafts(app, flags, purpose, text));
  const begun = app.now();
  return {
    text: async () => ({ body: text, ...lookBack }),
    sent: (sending) => whenSent(app, flags, saved, sending, () => savedDrafts(app, flags, purpose, text, begun)),
  };
};

/** An earlier call of this command left a text, which its user may have forgotten. */
const mentionSaved = async (app: App, flags: Flags, purpose: Purpose): Promise<void> => {
  if (flags.recover || isCi(app.env)) return;
  const [newest, ...others] = await draftsFor(app, flags, purpose);
  if (!newest) return;
  const count = others.length === 0 ? 'a text' : `${others.length + 1} texts, the newest`;
  await say(app, flags, `an earlier \`${purpose.verb}\` left ${count} saved ${age(app, newest)}; `
    + 'pass --recover to send it, or run `colloquy saved list`');
};

/** A page whose editor was aborted is not sent as it is. @throws Problem if no editor is possible */
const editorOf = (app: App, flags: Flags): 'editor' => {
  if (canEdit(app, flags)) return 'editor';
  throw usage('the draft was not finished in the editor',
    'run this at a terminal, or set VISUAL or EDITOR, to continue it');
};

/** A draft that cannot be saved does not prevent the note from being sent. */
const savedDrafts = async (
  app: App, flags: Flags, purpose: Purpose, text: string, at = app.now(),
): Promise<string[]> => {
  try {
    return [await saveDraft(app, purpose, text, at)];
  } catch (error) {
    await say(app, flags, `no draft of the text was saved: ${(error as Error).message}`);
    return [];
  }
};

const fromDraft = ({ activity }: App, { path, text }: Draft): string => {
  activity.draft = path;
  return text;
};

/** @param save saves a text that is in no draft yet, if the service may still store it */
const whenSent = async <T>(
  app: App, flags: Flags, saved: readonly string[], sending: Promise<T>, save?: () => Promise<unknown>,
): Promise<T> => {
  try {
    const result = await sending;
    await removeDrafts(app, saved);
    return result;
  } catch (error) {
    if (error instanceof NoResultError || error instanceof LostPosition) await removeDrafts(app, saved);
    else if (save && saved.length === 0 && !isCi(app.env) && await isPending(error)) await save();
    if (error instanceof DryRun && app.activity.draft !== null) {
      await say(app, flags, draftMessage(app.drafts, app.activity.draft));
    }
    throw error;
  }
};

/** The service may still be working on the write that failed. */
const isPending = async (error: unknown): Promise<boolean> => {
  const { isOutcomeUnknown, isSlow } = await import('../../../client/errors.js');
  return isOutcomeUnknown(error) && isWrite(error.request) && isSlow(error);
};

const removeDrafts = async (app: App, drafts: readonly string[]): Promise<void> => {
  app.activity.isTextUnsaved = false;
  for (const path of drafts) await removeDraft(app, path);
};

/**
 * Written by the same verb for the same target; with consent, even for another service or project, as after a mistyped
 * address. With several, the user chooses on a terminal, and `--yes` the newest.
 * @throws Problem for none, and for several without a terminal
 */
const recovered = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = await draftsFor(app, flags, purpose);
  const [newest, ...others] = drafts;
  if (!newest) return fromElsewhere(app, flags, purpose);
  const isSole = others.length === 0 || flags.yes;
  if (!isSole && canAsk(app, flags)) return chosen(app, drafts, 'Use which draft?');
  if (!isSole) {
    throw usage(`${drafts.length} drafts of \`${purpose.verb}\` for ${purpose.name} found`,
      `send one of them with -F, or pass --yes to use the newest:\n${draftLines(app, drafts)}`);
  }
  await say(app, flags, `using the draft saved ${age(app, newest)}`);
  return newest;
};

const chosen = async (app: App, drafts: readonly Draft[], question: string): Promise<Draft> =>
  drafts[await app.ask.choose(question, drafts.map((draft) => summaryOf(app, draft)))]!;

const fromElsewhere = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = await draftsElsewhere(app, flags, purpose);
  const [newest, ...others] = drafts;
  if (!newest) {
    throw noDraft(purpose, 'use the same service, project, command and arguments; '
      + 'texts of -m and -F are saved only after a timeout, drafts are kept for 30 days');
  }
  if (!flags.yes && !canAsk(app, flags)) {
    throw noDraft(purpose,
      `pass --yes to use the newest draft for another service or project, or send one of them with -F:\n`
      + draftLines(app, drafts));
  }
  if (others.length > 0 && !flags.yes) return chosen(app, drafts, 'Use which draft for another service or project?');
  await consent(app, flags,
    `use the draft saved ${age(app, newest)} for another service or project`);
  return newest;
};

const noDraft = ({ verb, name }: Purpose, hint: string): Problem =>
  new Problem('not_found', `no draft of \`${verb}\` for ${name} found`, hint);

const age = (app: App, { at }: Draft): string => ago(new Date(at).toISOString(), app.now());

const draftLines = (app: App, drafts: readonly Draft[]): string =>
  drafts.map((draft) => `  ${draft.path}  ${summaryOf(app, draft)}`).join('\n');

const summaryOf = (app: App, draft: Draft): string => `${age(app, draft)}: ${firstWords(draft.text)}`;
