import { Option, type Command } from 'commander';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { readText, utf8 } from '../io/files.js';
import { canAsk } from '../io/messages.js';

/** Where the text of a note may come from. */
export interface BodyFlags {
  readonly message?: readonly string[];
  readonly bodyFile?: string;
  readonly editor?: boolean;
  /** The text of an earlier call that failed; with `editor`, to be gone on with. */
  readonly recover?: boolean;
}

const another = (text: string, before: readonly string[] | undefined): string[] => [...(before ?? []), text];

/** The options behind `BodyFlags`. */
export const withBodyFlags = (command: Command): Command => command
  .addOption(new Option('-m, --message <text>', 'text of the note; several make paragraphs').argParser(another))
  .option('-F, --body-file <path>', 'read the text from a file, - for standard input')
  .option('-e, --editor', 'write the text in $VISUAL or $EDITOR; so it is on a terminal when no text is given')
  .option('--recover', 'take the text of an earlier call that could not deliver it');

/** The one place that a text comes from. */
export type BodySource = 'message' | 'file' | 'stdin' | 'draft' | 'editor';

/**
 * The source that the flags name. Without any, what is piped in is the text, and on a terminal an editor opens.
 * @throws Problem for two sources, or an editor where nobody can use it
 */
export const sourceOf = (app: App, flags: BodyFlags & GlobalFlags): BodySource => {
  const { message, bodyFile, editor, recover } = flags;
  checkNamed(flags);
  if (editor && !canEdit(app, flags)) {
    throw usage('an editor needs a terminal, or its name in VISUAL or EDITOR', 'give the text with -m or -F');
  }
  if (message) return 'message';
  if (bodyFile !== undefined) return bodyFile === '-' ? 'stdin' : 'file';
  if (editor) return 'editor';
  if (recover) return 'draft';
  return app.stdin.isTerminal && canAsk(app, flags) ? 'editor' : 'stdin';
};

/** One that is named may be a script, which needs no terminal. */
const canEdit = (app: App, flags: GlobalFlags): boolean =>
  canAsk(app, flags) || (flags.input !== false && Boolean(app.env['VISUAL'] || app.env['EDITOR']));

/** One source is named at most; an editor may go on with what is recovered. */
const checkNamed = ({ message, bodyFile, editor, recover }: BodyFlags): void => {
  const named = [
    message && '--message', bodyFile !== undefined && '--body-file', editor && !recover && '--editor',
    recover && '--recover',
  ].filter(Boolean);
  if (named.length > 1) throw usage(`the text is given twice: ${named.join(' and ')}`, 'leave one of them out');
};

/**
 * The text that the flags or standard input hold. Blank text is handed on: the service says what it thinks of it.
 * @throws Problem when there is none
 */
export const textGiven = async (app: App, flags: BodyFlags, source: BodySource): Promise<string> => {
  if (source === 'message') return flags.message!.join('\n\n');
  if (source === 'file') return withoutLastBreak(await readText(app, flags.bodyFile!));
  const piped = app.stdin.isTerminal && flags.bodyFile === undefined ? '' : utf8(await app.stdin.read(), '-');
  if (piped === '' && flags.bodyFile === undefined) {
    throw usage('no text is given', 'give it with -m TEXT, -F FILE, -e, or on standard input');
  }
  return withoutLastBreak(piped);
};

/** Text files end with a line break that is not part of the text. */
const withoutLastBreak = (text: string): string => text.replace(/\r?\n$/, '');
