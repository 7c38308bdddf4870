import { Option, type Command } from 'commander';
import { NoResultError } from '../../../client/errors.js';
import type { App } from '../../app.js';
import { draftMessage } from '../../service/connection/connect.js';
import { DryRun } from '../../service/connection/dry-run.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import { isWrite } from '../../command-line/errors/hints.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { repeatable } from '../../command-line/flags/repeatable.js';
import { canAsk, consent, say } from '../../terminal/io/messages.js';
import { firstWords } from '../../../text/plain.js';
import { readText } from '../../terminal/io/streams.js';
import { LostPosition } from '../position/read-back.js';
import { isCi } from '../../service/settings/settings.js';
import { ago } from '../views/cells.js';
import { draftsElsewhere, draftsFor, removeDraft, saveDraft, type Draft, type Purpose } from './drafts.js';
import { editText, type EditorContext } from './edit-text.js';

type Flags = BodyFlags & GlobalFlags;

/** Returns the text; the context is looked up only to show it in an editor. */
export type AskText = (context: () => Promise<EditorContext>) => Promise<GivenText>;

/** The text of a note. */
export interface GivenText {
  readonly body: string;
  /** How long ago the text was saved as a draft, in milliseconds; since then it may have been sent. */
  readonly lookBack?: number;
}

/**
 * Sends a text that must not get lost. If it comes from standard input or an editor, it is saved as a draft before any
 * request and removed once it is sent, so that `--recover` can use it after any failure. Files and the history of the
 * shell keep the others, which are saved only after a timeout. In CI no draft is saved. A text from
 * the command line or standard input is read before the first request.
 * @param write gets the text once and sends it
 * @throws Problem for no source, two sources, no draft to recover, or an empty text from the editor
 */
export const withText = async <T>(
  app: App, flags: Flags, purpose: Purpose, write: (text: AskText) => Promise<T>,
): Promise<T> => {
  const source = sourceOf(app, flags);
  const drafts: string[] = [];
  const earlier = flags.recover ? await recovered(app, flags, purpose) : null;
  if (earlier) drafts.push(earlier.path);
  if (source === 'editor') {
    return deliver(app, drafts, () => write(async (context) => {
      const { text, draft } = await editText(app, purpose, earlier, await context());
      drafts.push(draft);
      return { body: text, ...lookBackTo(app, earlier) };
    }), flags);
  }
  const text = earlier ? fromDraft(app, earlier) : await textGiven(app, flags, source);
  const needsDraft = source === 'stdin' && !flags.dryRun && text.trim() !== '';
  if (needsDraft && isCi(app.env)) app.journal.isTextUnsaved = true;
  else if (needsDraft) drafts.push(...await savedDrafts(app, flags, purpose, text));
  const save = () => savedDrafts(app, flags, purpose, text);
  return deliver(app, drafts, () => write(async () => ({ body: text, ...lookBackTo(app, earlier) })), flags, save);
};

const lookBackTo = (app: App, earlier: Draft | null): Pick<GivenText, 'lookBack'> =>
  earlier === null ? {} : { lookBack: Math.max(0, app.now().getTime() - earlier.at) };

/** A draft that cannot be saved does not prevent the note from being sent. */
const savedDrafts = async (app: App, flags: Flags, purpose: Purpose, text: string): Promise<string[]> => {
  try {
    return [await saveDraft(app, purpose, text)];
  } catch (error) {
    await say(app, flags, `no draft of the text was saved: ${(error as Error).message}`);
    return [];
  }
};

const fromDraft = ({ journal }: App, { path, text }: Draft): string => {
  journal.draft = path;
  return text;
};

/** @param save saves a text that is in no draft yet, if the service may still store it */
const deliver = async <T>(
  app: App, drafts: readonly string[], write: () => Promise<T>, flags: Flags, save?: () => Promise<unknown>,
): Promise<T> => {
  try {
    const result = await write();
    await removeDrafts(app, drafts);
    return result;
  } catch (error) {
    if (error instanceof NoResultError || error instanceof LostPosition) await removeDrafts(app, drafts);
    else if (save && drafts.length === 0 && !isCi(app.env) && await isPending(error)) await save();
    if (error instanceof DryRun && app.journal.draft !== null) {
      await say(app, flags, draftMessage(app.drafts, app.journal.draft));
    }
    throw error;
  }
};

/** Whether the service may still be working on the write that failed. */
const isPending = async (error: unknown): Promise<boolean> => {
  const { isOutcomeUnknown, isSlow } = await import('../../../client/outcome.js');
  return isOutcomeUnknown(error) && isWrite(error.request) && isSlow(error);
};

const removeDrafts = async (app: App, drafts: readonly string[]): Promise<void> => {
  app.journal.isTextUnsaved = false;
  for (const path of drafts) await removeDraft(app, path);
};

/**
 * The text that an earlier call of the same verb left behind for the same target; with consent, one that was written
 * for another service or project, as after a mistyped address. With several, the user chooses on a terminal, and
 * `--yes` the newest.
 * @throws Problem for none, and for several without a terminal
 */
export const recovered = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = await draftsFor(app, purpose);
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
  const drafts = await draftsElsewhere(app, purpose);
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

/** The age and the first words of a draft. */
const summaryOf = (app: App, draft: Draft): string => `${age(app, draft)}: ${firstWords(draft.text)}`;

/** Where the text of a note may come from. */
export interface BodyFlags {
  readonly message?: readonly string[];
  readonly bodyFile?: string;
  readonly editor?: boolean;
  /** The text of an earlier call that failed; with `editor`, to be gone on with. */
  readonly recover?: boolean;
  /** A suggested change, which may be the whole text. */
  readonly suggest?: string;
  /** Sends the text of standard input unchanged. */
  readonly rawText?: boolean;
  /** Whether standard input may be empty. */
  readonly mayBeEmpty?: boolean;
}

/** The options behind `BodyFlags`. */
export const withBodyFlags = (command: Command): Command => command
  .addOption(new Option('-m, --message <text>', 'text of the note; repeat for more paragraphs').argParser(repeatable))
  .option('-F, --body-file <path>', 'file with the text, - for standard input')
  .option('-e, --editor', 'write the text in $VISUAL or $EDITOR (default on a terminal)')
  .option('--recover', 'use the saved draft of an earlier call that failed')
  .option('--raw-text', 'keep quick actions, mentions and references in the text of standard input');

/** The source of a text. */
export type BodySource = 'message' | 'file' | 'stdin' | 'draft' | 'editor' | 'none';

/**
 * The source given by flags. The default is standard input, on a terminal an editor.
 * @throws Problem for two sources, or an editor without a terminal
 */
export const sourceOf = (app: App, flags: BodyFlags & GlobalFlags): BodySource => {
  const { message, bodyFile, editor, recover, suggest } = flags;
  checkNamed(flags);
  if (editor && !canEdit(app, flags)) {
    throw usage('cannot open an editor without a terminal', 'set VISUAL or EDITOR, or pass the text with -m or -F');
  }
  if (message) return 'message';
  if (bodyFile !== undefined) return bodyFile === '-' ? 'stdin' : 'file';
  if (editor) return 'editor';
  if (recover) return 'draft';
  if (suggest !== undefined) return 'none';
  return app.stdin.isTerminal && canAsk(app, flags) ? 'editor' : 'stdin';
};

/** An editor from the environment may be a script, which needs no terminal. */
const canEdit = (app: App, flags: GlobalFlags): boolean =>
  canAsk(app, flags) || (flags.input !== false && Boolean(app.env['VISUAL'] || app.env['EDITOR']));

/** One source is named at most; an editor may go on with what is recovered. */
const checkNamed = ({ message, bodyFile, editor, recover }: BodyFlags): void => {
  const named = [
    message && '--message', bodyFile !== undefined && '--body-file', editor && !recover && '--editor',
    recover && '--recover',
  ].filter(Boolean);
  if (named.length > 1) throw usage(`${named.join(' and ')} cannot be combined`, 'use only one of them');
};

/**
 * The text from flags or standard input. A blank text is passed on for the service to validate. Piped text is often the
 * output of a program: it becomes neutral.
 * @throws Problem if there is none
 */
export const textGiven = async (app: App, flags: BodyFlags, source: BodySource): Promise<string> => {
  if (source === 'none') return '';
  if (source === 'message') return flags.message!.join('\n\n');
  if (source === 'file') return withoutLastBreak(await readText(app, flags.bodyFile!));
  const piped = app.stdin.isTerminal && flags.bodyFile === undefined ? '' : await readText(app, '-');
  const isGiven = piped !== '' || flags.bodyFile !== undefined || (flags.mayBeEmpty && !app.stdin.isTerminal);
  if (!isGiven) {
    throw usage('no text given', 'pass it with -m TEXT, -F FILE, -e, or on standard input');
  }
  const text = withoutLastBreak(piped);
  if (flags.rawText) return text;
  const { neutralText } = await import('../../../text/neutral.js');
  return neutralText(text);
};

/** Text files end with a line break that is not part of the text. */
const withoutLastBreak = (text: string): string => text.replace(/\r?\n$/, '');
