import { codeBlock } from '../../../markdown/code.js';
import { markupText, shellWord } from '../../../text/quoting.js';
import { inertInCode } from '../../../markdown/safe-text.js';
import { plainLine } from '../../../text/plain.js';
import type { Mask } from '../../../wire/secrets/known.js';
import type { Tail } from './tail.js';

interface CommandResult {
  readonly command: readonly string[];
  /** As shells report it: 128 and the number of the signal that ended the command. */
  readonly exit: number;
  readonly signal: string | null;
  readonly milliseconds: number;
  readonly tail: Tail;
}

/** Longer output would make the comment hard to read. */
const mostCharacters = 100_000;

/** A block to unfold, with status, duration and the end of the output. */
export const commandReport = (result: CommandResult, mask: Mask): string => [
  '<details>',
  `<summary><b>${statusOf(result)}</b> after ${durationOf(result.milliseconds)}: `
    + `<code>${commandText(result.command, mask)}</code></summary>`,
  '', ...outputOf(result.tail), '', '</details>',
].join('\n');

const statusOf = ({ exit, signal }: CommandResult): string => {
  if (signal !== null) return `ended by ${signal}`;
  return exit === 0 ? 'passed' : `failed with exit code ${exit}`;
};

const durationOf = (milliseconds: number): string => {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** Masked before the words are quoted, as a quote changes a secret, and afterwards, as one may take several words. */
const commandText = (command: readonly string[], mask: Mask): string => {
  const line = plainLine(mask(command.map((word) => shellWord(mask(word))).join(' ')));
  const text = line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
  return markupText(text);
};

const outputOf = ({ lines, total }: Tail): string[] => {
  const shown = endOf(lines);
  const all = total.toLocaleString('en');
  if (total === 0) return ['No output.'];
  if (shown.length === 0) return [`Lines of output: ${all}`];
  const cut = shown.length < total ? [`Last ${shown.length.toLocaleString('en')} of ${all} lines:`, ''] : [];
  return [...cut, codeBlock(inertInCode(shown.join('\n')), 'text')];
};

const endOf = (lines: readonly string[]): readonly string[] => {
  let length = 0;
  const from = lines.findLastIndex((line) => (length += line.length + 1) > mostCharacters);
  return lines.slice(from + 1);
};
