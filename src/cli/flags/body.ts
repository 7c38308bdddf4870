import { Option, type Command } from 'commander';
import type { App } from '../app.js';
import { Problem, usage } from '../failures.js';
import { readText, utf8 } from '../files.js';
import type { GlobalFlags } from './global.js';
import { canAsk } from '../questions.js';

/** Where the text of a note may come from. */
export interface BodyFlags {
  readonly message?: readonly string[];
  readonly bodyFile?: string;
  readonly editor?: boolean;
}

const another = (text: string, before: readonly string[] | undefined): string[] => [...(before ?? []), text];

/** The options behind `BodyFlags`. */
export const withBodyFlags = (command: Command): Command => command
  .addOption(new Option('-m, --message <text>', 'text of the note; several make paragraphs').argParser(another))
  .option('-F, --body-file <path>', 'read the text from a file, - for standard input')
  .option('-e, --editor', 'write the text in $VISUAL or $EDITOR');

/**
 * The text of a note from the one source that was given; piped standard input counts when there is no other.
 * Blank text is handed on: the service says what it thinks of it.
 * @param before what the editor starts with
 * @throws Problem for no source, two sources, or an editor left with nothing written
 */
export const bodyFrom = async (app: App, flags: BodyFlags & GlobalFlags, before = ''): Promise<string> => {
  const { message, bodyFile, editor } = flags;
  const named = [message && '--message', bodyFile !== undefined && '--body-file', editor && '--editor'].filter(Boolean);
  if (named.length > 1) throw usage(`the text is given twice: ${named.join(' and ')}`);
  if (message) return message.join('\n\n');
  if (bodyFile !== undefined) return withoutLastBreak(await readText(app, bodyFile));
  if (editor) return written(app, flags, before);
  const piped = app.stdin.isTerminal ? '' : utf8(await app.stdin.read(), '-');
  if (piped === '') throw usage('no text is given', 'give it with -m TEXT, -F FILE, -e, or on standard input');
  return withoutLastBreak(piped);
};

const written = async (app: App, flags: GlobalFlags, before: string): Promise<string> => {
  if (!canAsk(app, flags)) throw usage('an editor needs a terminal', 'give the text with -m or -F');
  const text = await app.edit(before);
  if (text.trim() === '') throw new Problem('cancelled', 'nothing was written, so nothing was sent');
  return withoutLastBreak(text);
};

/** Text files end with a line break that is not part of the text. */
const withoutLastBreak = (text: string): string => text.replace(/\r?\n$/, '');
