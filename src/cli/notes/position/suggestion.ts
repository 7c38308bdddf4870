import type { PartialPosition, PositionInput } from '../../../contract/shapes/position.js';
import { codeBlock } from '../../../text/markdown-code.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { readText } from '../../terminal/io/streams.js';
import { withoutSecrets } from '../command-report/secrets.js';
import type { PositionFlags } from './flags.js';
import { rangeStart } from './text.js';

/** As a block that the service can apply. @throws Problem if the position has no line of the new version */
export const withSuggestion = (
  text: string, suggest: string | undefined, position: PositionInput | undefined,
): string => {
  if (suggest === undefined) return text;
  const block = suggestionBlock(suggest, linesAbove(position));
  return text === '' ? block : `${text}\n\n${block}`;
};

/** `-` is standard input. @throws Problem if that is empty, as after a failed program */
export const suggestionFrom = async (app: App, flags: PositionFlags & GlobalFlags): Promise<string | undefined> => {
  if (flags.suggest !== '-') return flags.suggest;
  const text = await readText(app, '-');
  if (text === '') throw usage('no suggestion on standard input', "pass --suggest '' to suggest deleting the lines");
  return withoutSecrets(app, flags, text, 'standard input');
};

/** @throws Problem for a suggestion that would change other lines than the ones it was written for */
export const checkSuggestion = ({ suggest, ifUnanchored = 'error', ...flags }: PositionFlags): void => {
  if (suggest === undefined) return;
  if (flags.imageAt !== undefined || (flags.file === undefined && flags.position === undefined)) {
    throw usage('--suggest requires a line of the diff', 'name it with --file PATH:N');
  }
  if (ifUnanchored !== 'error') {
    throw usage(`--suggest and --if-unanchored ${ifUnanchored} cannot be combined`,
      'remove one of them: a suggestion replaces exactly the lines that are named');
  }
};

/** The fence is longer than any in the text. @param above lines to replace above that of the note @param below it */
export const suggestionBlock = (text: string, above: number, below = 0): string =>
  codeBlock(text === '' ? null : text.replace(/\r?\n$/, ''), `suggestion:-${above}+${below}`);

/** The note of a range is on its last line. */
const linesAbove = (position: PositionInput | undefined): number => {
  const { new_line, line_range }: PartialPosition = position ?? {};
  if (typeof new_line !== 'number') {
    throw usage('a suggestion requires a line of the new version', 'choose a line that the change does not remove');
  }
  const start = rangeStart({ line_range })?.newLine ?? new_line;
  return Math.max(0, new_line - start);
};
