import { Option, type Command } from 'commander';
import { isOutcomeUnknown, isSlow, NoResultError } from '../../../client/errors.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { inGroup, withEmptyValues } from '../../command-line/command.js';
import { Problem, usage } from '../../command-line/failure.js';
import { type GlobalFlags, repeatable } from '../../command-line/flags.js';
import { isWrite } from '../../command-line/hints.js';
import { DryRun } from '../../service/connection/dry-run.js';
import { isCi } from '../../service/settings/settings.js';
import { canAsk, draftMessage, say } from '../../terminal/io/messages.js';
import { readText, writeProblem } from '../../terminal/io/streams.js';
import { LostPosition } from '../position/unanchored.js';
import {
  draftAge, draftsFor, draftToRecover, isIdle, maxAge, takeDraft, removeDraft, saveDraft, type Draft, type Purpose,
} from './drafts.js';
import type { EditorContext } from './edit-text.js';

export interface BodyFlags {
  readonly message?: readonly string[];
  readonly bodyFile?: string;
  readonly editor?: boolean;
  readonly recover?: boolean;
  /** The suggestion may be the whole text. */
  readonly suggest?: string;
  readonly rawText?: boolean;
  readonly neutral?: boolean;
  readonly mayBeEmpty?: boolean;
}

export const withBodyFlags = (command: Command): Command => withEmptyValues(inGroup('Text:', command, (own) => own
  .addOption(new Option('-m, --message <text>', 'text of the note; repeat for more paragraphs').argParser(repeatable))
  .option('-F, --body-file <path>', 'file with the text, - for standard input')
  .option('-e, --editor', 'write the text in $EDITOR; default on a terminal')
  .option('--recover', 'use the saved draft of an earlier call that failed')
  .option('--raw-text', 'keep quick actions, mentions and references in the text of standard input')
  .option('--neutral', 'disable mentions and commands in the text of a file, as in standard input')), '--message');

type Flags = BodyFlags & GlobalFlags;

export interface NoteText {
  readonly body: string | null;
  /** Undefined if it is not from standard input. */
  readonly suggestion?: string;
  /** In milliseconds, for a recovered text: since it was saved as a draft it may have been sent. */
  readonly lookBack?: number;
  readonly purpose: Purpose;
  readonly earlier: Draft | null;
  readonly drafts: readonly string[];
  /** A draft that is saved later has this time. */
  readonly since: Date;
}

export interface GivenText extends NoteText {
  readonly body: string;
  /** The text on the service when the editor opened. */
  readonly opened?: string;
}

/**
 * Saves text from standard input or an editor before any request, so that `--recover` can use it after any failure.
 * Files and the history of the shell keep the others, which are saved only if the service may still store them. In CI
 * nothing is saved.
 * @throws Problem for no source, two sources, or no draft to recover
 */
export const readNoteText = async (app: App, flags: Flags, purpose: Purpose): Promise<NoteText> => {
  if (flags.suggest !== '-') return readBody(app, flags, purpose);
  const text = await readBody(app, { ...flags, recover: false }, purpose);
  const piped = await readSuggestion(app, flags, purpose);
  return { ...text, ...piped, drafts: [...text.drafts, ...piped.drafts] };
};

const readBody = async (app: App, flags: Flags, purpose: Purpose): Promise<NoteText> => {
  const given = bodySource(app, flags);
  await mentionSaved(app, flags, purpose);
  const found = flags.recover ? await draftToRecover(app, flags, purpose) : null;
  // A page whose editor was aborted is not sent as it is.
  const source = found?.kind === 'page' ? 'editor' : given;
  if (source === 'editor' && !canEdit(app, flags)) {
    throw usage('the draft was not finished in the editor',
      'run this at a terminal, or set VISUAL or EDITOR, to continue it');
  }
  app.activity.isDraftEarlier = found?.kind === 'text';
  const earlier = found && await reserveDraft(app, flags, purpose, found, source !== 'editor');
  const body = source === 'editor' ? null
    : earlier ? await textOfDraft(app, flags, earlier) : await textGiven(app, flags, source);
  const drafts = earlier ? [earlier.path] : [];
  if (source === 'stdin') drafts.push(...await savePiped(app, flags, purpose, body!));
  const since = app.now();
  return { body, purpose, earlier, drafts, since, ...lookBackTo(earlier, since) };
};

/** @throws Problem if another run sends it */
const reserveDraft = async (
  app: App, flags: Flags, purpose: Purpose, draft: Draft, isSent = true,
): Promise<Draft> => {
  if (flags.dryRun) return draft;
  try {
    return { ...draft, path: await takeDraft(app, purpose, draft, isSent) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Problem('failure', `another process is sending the draft of \`${purpose.verb}\` for ${purpose.name}`,
        'wait until it ends');
    }
    await sayUnchanged(app, flags, 'rename', draft.path, error);
    return draft;
  }
};

/** A time in the future was measured before the clock was set back. */
const lookBackTo = (earlier: Draft | null, since: Date) => {
  const age = since.getTime() - (earlier?.at ?? 0);
  return earlier?.kind === 'text' && { lookBack: age < 0 ? maxAge : age };
};

/** With one from standard input, `--recover` is about the suggestion. It is a draft of its own. */
const readSuggestion = async (app: App, flags: Flags, { verb, name, target }: Purpose) => {
  const purpose = { verb, name: `${name} suggestion`, target: [...target, 'suggestion'] };
  await mentionSaved(app, flags, purpose);
  if (flags.recover) {
    const earlier = await reserveDraft(app, flags, purpose, await draftToRecover(app, flags, purpose));
    const suggestion = await textOfDraft(app, flags, earlier);
    app.activity.isDraftEarlier = earlier.kind === 'text';
    return { suggestion, drafts: [earlier.path], ...lookBackTo(earlier, app.now()) };
  }
  const { withoutSecrets } = await import('../../terminal/io/secrets.js');
  const suggestion = await withoutSecrets(app, flags, await readText(app, '-'), 'standard input');
  // A program that failed leaves it empty.
  if (suggestion === '') {
    throw usage('no suggestion on standard input', "pass --suggest '' to suggest deleting the lines");
  }
  return { suggestion, drafts: await savePiped(app, flags, purpose, suggestion) };
};

/** Nothing else keeps the text of standard input. */
const savePiped = async (app: App, flags: Flags, purpose: Purpose, text: string): Promise<string[]> => {
  if (flags.dryRun || text.trim() === '') return [];
  if (!isCi(app.env)) return saveOrSay(app, flags, purpose, text);
  app.activity.isTextUnsaved = true;
  return [];
};

const mentionSaved = async (app: App, flags: Flags, purpose: Purpose): Promise<void> => {
  if (flags.recover || isCi(app.env)) return;
  const [newest, ...others] = (await draftsFor(app, flags, purpose)).filter(isIdle);
  if (!newest) return;
  const count = others.length === 0 ? 'a text' : `${others.length + 1} texts, the newest`;
  await say(app, flags, `an earlier \`${purpose.verb}\` left ${count} saved ${draftAge(app, newest)}; `
    + 'pass --recover to send it, or run `colloquy saved list`');
};

const textOfDraft = (app: App, flags: Flags, { path, text }: Draft): Promise<string> => {
  app.activity.draft = path;
  return withoutNul(app, flags, text);
};

/** A draft that cannot be saved does not prevent the note from being sent. */
const saveOrSay = async (
  app: App, flags: Flags, purpose: Purpose, text: string, at = app.now(),
): Promise<string[]> => {
  try {
    return [await saveDraft(app, purpose, text, at)];
  } catch (error) {
    await say(app, flags, `no draft of the text was saved: ${(error as Error).message}`);
    return [];
  }
};

/** @param context is looked up only to show it in an editor @throws Problem for an empty text from the editor */
export const finishText = async (
  app: App, flags: Flags, given: NoteText, context: () => EditorContext | Promise<EditorContext>,
): Promise<GivenText> => {
  const { body, purpose, earlier, drafts } = given;
  if (body !== null) return { ...given, body };
  const { editText } = await import('./edit-text.js');
  const page = await context();
  const { text, draft } = await editText(app, purpose, earlier, page);
  return { ...given, body: await withoutNul(app, flags, text), drafts: [...drafts, draft], opened: page.storedText };
};

/** Removes what is saved of the text when it is sent. A failure keeps it. */
export const keepUntilSent = async <T>(
  app: App, flags: Flags, given: GivenText, send: () => Promise<T>,
): Promise<T> => {
  try {
    const result = await send();
    await removeDrafts(app, flags, given);
    return result;
  } catch (error) {
    if (error instanceof NoResultError || error instanceof LostPosition) await removeDrafts(app, flags, given);
    else if (given.drafts.length === 0 && !isCi(app.env) && isPending(error)) {
      await saveOrSay(app, flags, given.purpose, given.body, given.since);
    }
    if (error instanceof DryRun && app.activity.draft !== null && !flags.sandbox) {
      await say(app, flags, draftMessage(app.drafts, app.activity.draft));
    }
    throw error;
  }
};

const isPending = (error: unknown): boolean =>
  isOutcomeUnknown(error) && isWrite(error.request) && isSlow(error);

export const removeDrafts = async (app: App, flags: Flags, { drafts }: NoteText): Promise<void> => {
  app.activity.isTextUnsaved = false;
  if (flags.dryRun && flags.recover) return;
  for (const path of drafts) {
    await removeDraft(app, path).catch((error: unknown) => sayUnchanged(app, flags, 'remove', path, error));
  }
};

const sayUnchanged = (app: App, flags: GlobalFlags, verb: string, path: string, error: unknown): Promise<void> =>
  say(app, flags, `warning: cannot ${verb} the saved text ${path}: ${writeProblem(error)}`);

type BodySource = 'message' | 'file' | 'stdin' | 'draft' | 'editor' | 'none';

const bodySource = (app: App, flags: Flags): BodySource => {
  const { message, bodyFile, editor, recover, suggest } = flags;
  checkCombined(flags);
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

/**
 * An editor may continue a recovered draft; otherwise there is one source at most. Only in generated texts are mentions
 * and commands disabled: those of people are sent as they are.
 */
const checkCombined = ({ message, bodyFile, editor, recover, neutral, rawText }: BodyFlags): void => {
  const sources = [
    message && '--message', bodyFile !== undefined && '--body-file', editor && !recover && '--editor',
    recover && '--recover',
  ].filter(Boolean);
  const keptAsIs = [rawText && '--raw-text', message && '--message', editor && '--editor', recover && '--recover'];
  const unneutral = neutral ? ['--neutral', ...keptAsIs.filter(Boolean).slice(0, 1)] : [];
  for (const named of [sources, unneutral]) {
    if (named.length > 1) throw usage(`${named.join(' and ')} cannot be combined`, 'use only one of them');
  }
};

const textGiven = async (app: App, flags: Flags, source: BodySource): Promise<string> => {
  if (source === 'none') return '';
  const text = await readGiven(app, flags, source);
  if (text.trim() !== '' || flags.mayBeEmpty || flags.suggest !== undefined) return text;
  throw usage('the text is empty', textHint, 'pass a body');
};

const textHint = 'pass a text with -m TEXT, -F FILE, -e, or on standard input';

/** Piped text is often the output of a program: its mentions and commands are disabled. */
const readGiven = async (app: App, flags: Flags, source: BodySource): Promise<string> => {
  if (source === 'message') return withoutNul(app, flags, flags.message!.join('\n\n'));
  const isPiped = source !== 'file';
  const name = isPiped ? 'standard input' : flags.bodyFile!;
  const given = isPiped ? await readPiped(app, flags) : await readText(app, name);
  const { withoutSecrets } = await import('../../terminal/io/secrets.js');
  // Text files end with a line break that is not part of the text.
  const text = await withoutSecrets(app, flags, await withoutNul(app, flags, given.replace(/\r?\n$/, '')), name);
  if (isPiped ? !flags.rawText : flags.neutral) return madeNeutral(app, flags, text, name);
  if (!isPiped && isCi(app.env) && !flags.rawText) await countEffects(app, flags, text, name);
  return text;
};

const readPiped = async (app: App, { bodyFile, mayBeEmpty }: Flags): Promise<string> => {
  const hasInput = bodyFile !== undefined || !app.stdin.isTerminal;
  const piped = hasInput ? await readText(app, '-') : '';
  if (piped !== '' || bodyFile !== undefined || (mayBeEmpty && hasInput)) return piped;
  throw usage('no text given', textHint, 'pass a body');
};

/** The service cannot store it (behavior: errors.text). */
const withoutNul = async (app: App, flags: GlobalFlags, text: string): Promise<string> => {
  const parts = text.split('\0');
  if (parts.length > 1) await say(app, flags, `removed ${counted(parts.length - 1, 'NUL character')} from the text`);
  return parts.join('');
};

/** In a job, the text of a file is often the output of a program too. */
const countEffects = async (app: App, flags: GlobalFlags, given: string, name: string): Promise<void> => {
  const { neutralized } = await import('../../../markdown/safe-text.js');
  // The service deletes carriage returns (behavior: notes.quick-actions).
  const { commands, mentions } = neutralized(given.replaceAll('\r', '')).effects;
  if (commands + mentions === 0) return;
  const counts = countsOf({ commands, mentions }).join(' and ');
  await say(app, flags, `${plainLine(name)} is sent with ${counts}; --neutral disables them, --raw-text keeps them`);
};

const countsOf = (effects: Readonly<Record<string, number>>): string[] =>
  Object.entries(effects).filter(([, count]) => count > 0).map(([kind, count]) => counted(count, kind.slice(0, -1)));

const madeNeutral = async (app: App, flags: GlobalFlags, given: string, name: string): Promise<string> => {
  const { neutralized } = await import('../../../markdown/safe-text.js');
  const { text, effects } = neutralized(given);
  const counts = countsOf({ ...effects });
  const advice = name === 'standard input' ? '; --raw-text sends the text as it is' : '';
  if (counts.length > 0) await say(app, flags, `disabled in ${plainLine(name)}: ${counts.join(', ')}${advice}`);
  return text;
};
