import type { PartialPosition, PositionInput } from '../../../contract/shapes/position.js';
import { codeBlock } from '../../../text/markdown-code.js';
import { usage } from '../../command-line/errors/failure.js';
import type { PositionFlags } from './flags.js';

/**
 * Appends the suggestion of `--suggest` to a text, as a block that the service can apply to the lines of the position.
 * @throws Problem if the position has no line of the new version
 */
export const withSuggestion = (
  text: string, { suggest }: PositionFlags, position: PositionInput | undefined,
): string => {
  if (suggest === undefined) return text;
  const block = suggestionBlock(suggest, linesAbove(position));
  return text === '' ? block : `${text}\n\n${block}`;
};

/**
 * Rejects flags that would attach a suggestion to other lines than the ones it was written for.
 * @throws Problem
 */
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

/**
 * A suggestion that replaces the line of a note and some lines around it. The fence is longer than any in the text.
 * @param above how many lines above the line of the note are replaced too
 * @param below how many lines below it
 */
export const suggestionBlock = (text: string, above: number, below = 0): string =>
  codeBlock(text === '' ? null : text.replace(/\r?\n$/, ''), `suggestion:-${above}+${below}`);

/** The note of a range is on its last line; a line code ends in the old and the new line number. */
const linesAbove = (position: PositionInput | undefined): number => {
  const { new_line, line_range }: PartialPosition = position ?? {};
  if (typeof new_line !== 'number') {
    throw usage('a suggestion requires a line of the new version', 'choose a line that the change does not remove');
  }
  const start = /_\d+_(\d+)$/.exec(line_range?.start?.line_code ?? '')?.[1];
  return start === undefined ? 0 : Math.max(0, new_line - Number(start));
};
