import { Option, type Command } from 'commander';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { type GlobalFlags, repeatable } from '../../command-line/flags.js';
import { inGroup } from '../../command-line/command.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';

export interface BodyFlags {
  readonly message?: readonly string[];
  readonly bodyFile?: string;
  readonly editor?: boolean;
  /** Of an earlier call that failed; with `editor`, to be edited. */
  readonly recover?: boolean;
  /** A suggested change may be the whole text. */
  readonly suggest?: string;
  /** The text of standard input is sent unchanged. */
  readonly rawText?: boolean;
  /** The text of a file has no effects, as that of standard input. */
  readonly neutral?: boolean;
  /** Standard input may be empty. */
  readonly mayBeEmpty?: boolean;
}

export const withBodyFlags = (command: Command): Command => inGroup('Text:', command, (own) => own
  .addOption(new Option('-m, --message <text>', 'text of the note; repeat for more paragraphs').argParser(repeatable))
  .option('-F, --body-file <path>', 'file with the text, - for standard input')
  .option('-e, --editor', 'write the text in $VISUAL or $EDITOR (default on a terminal)')
  .option('--recover', 'use the saved draft of an earlier call that failed')
  .option('--raw-text', 'keep quick actions, mentions and references in the text of standard input')
  .option('--neutral', 'make the text of a file neutral, as that of standard input'));

type BodySource = 'message' | 'file' | 'stdin' | 'draft' | 'editor' | 'none';

/** By default standard input, on a terminal an editor. @throws Problem for two sources, or if no editor is possible */
export const sourceOf = (app: App, flags: BodyFlags & GlobalFlags): BodySource => {
  const { message, bodyFile, editor, recover, suggest } = flags;
  checkNamed(flags);
  checkNeutral(flags);
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
export const canEdit = (app: App, flags: GlobalFlags): boolean =>
  canAsk(app, flags) || (flags.input !== false && Boolean(app.env['VISUAL'] || app.env['EDITOR']));

/** An editor may go on with what is recovered; otherwise one source at most. */
const checkNamed = ({ message, bodyFile, editor, recover }: BodyFlags): void => {
  const named = [
    message && '--message', bodyFile !== undefined && '--body-file', editor && !recover && '--editor',
    recover && '--recover',
  ].filter(Boolean);
  if (named.length > 1) throw usage(`${named.join(' and ')} cannot be combined`, 'use only one of them');
};

/** Only generated texts are made neutral: those of people are sent as they are. */
const checkNeutral = ({ neutral, rawText, message, editor, recover }: BodyFlags): void => {
  if (!neutral) return;
  const others = [rawText && '--raw-text', message && '--message', editor && '--editor', recover && '--recover'];
  const other = others.find(Boolean);
  if (other) throw usage(`--neutral and ${other} cannot be combined`, 'use only one of them');
};

/** @throws Problem if there is none */
export const textGiven = async (app: App, flags: BodyFlags & GlobalFlags, source: BodySource): Promise<string> => {
  if (source === 'none') return '';
  const text = await readGiven(app, flags, source);
  if (text.trim() !== '' || flags.mayBeEmpty || flags.suggest !== undefined) return text;
  throw usage('the text is empty', textHint);
};

const textHint = 'pass a text with -m TEXT, -F FILE, -e, or on standard input';

/** Piped text is often the output of a program: it becomes neutral. */
const readGiven = async (app: App, flags: BodyFlags & GlobalFlags, source: BodySource): Promise<string> => {
  if (source === 'message') return withoutNul(app, flags, flags.message!.join('\n\n'));
  if (source === 'file') {
    const text = await generatedText(app, flags, await readText(app, flags.bodyFile!), flags.bodyFile!);
    return flags.neutral ? madeNeutral(app, flags, text, flags.bodyFile!) : text;
  }
  const piped = app.stdin.isTerminal && flags.bodyFile === undefined ? '' : await readText(app, '-');
  const isGiven = piped !== '' || flags.bodyFile !== undefined || (flags.mayBeEmpty && !app.stdin.isTerminal);
  if (!isGiven) {
    throw usage('no text given', textHint);
  }
  const text = await generatedText(app, flags, piped, 'standard input');
  return flags.rawText ? text : madeNeutral(app, flags, text, 'standard input');
};

const generatedText = async (app: App, flags: GlobalFlags, text: string, name: string): Promise<string> => {
  const { withoutSecrets } = await import('../secrets.js');
  return withoutSecrets(app, flags, await withoutNul(app, flags, withoutLastBreak(text)), name);
};

/** The service cannot store it (behavior: errors.text). */
export const withoutNul = async (app: App, flags: GlobalFlags, text: string): Promise<string> => {
  const parts = text.split('\0');
  if (parts.length > 1) await say(app, flags, `removed ${counted(parts.length - 1, 'NUL character')} from the text`);
  return parts.join('');
};

const madeNeutral = async (app: App, flags: GlobalFlags, given: string, name: string): Promise<string> => {
  const { neutralized } = await import('../../../markdown/safe-text.js');
  const { text, effects } = neutralized(given);
  const counts = Object.entries(effects).filter(([, count]) => count > 0)
    .map(([kind, count]) => counted(count, kind.slice(0, -1)));
  const advice = name === 'standard input' ? '; --raw-text sends the text as it is' : '';
  if (counts.length > 0) await say(app, flags, `made neutral in ${plainLine(name)}: ${counts.join(', ')}${advice}`);
  return text;
};

/** Text files end with a line break that is not part of the text. */
const withoutLastBreak = (text: string): string => text.replace(/\r?\n$/, '');
