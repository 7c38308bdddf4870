import { codeBlock } from '../../markdown/code.js';
import { inertInCode, withoutCommands } from '../../markdown/safe-text.js';
import { plainLine, withoutSequences } from '../../text/plain.js';
import { markupText, shellWord } from '../../text/quoting.js';
import type { Mask } from '../../wire/secrets/known.js';

interface Tail {
  readonly lines: readonly string[];
  readonly total: number;
}

const longestLine = 65_536;

const longestShown = 2_000;

/** `xxd -p` has 60 digits in a line, `base64` more. A secret of such lines may begin before the tail. */
const shortestBroken = 60;

/**
 * Without colors, control characters and secrets; of a line that is written over itself, such as a progress bar, the
 * last state.
 * @param mask gets whole lines, however the output is cut
 */
export const collectTail = (most: number, mask: Mask) => {
  const lines: Line[] = [];
  const kept = most + Math.ceil(mask.longest / shortestBroken);
  let total = 0;
  const pushTo = (stream: Line['stream']) => (text: string) => {
    total++;
    lines.push({ stream, text });
    if (lines.length > kept) lines.shift();
  };
  const readers = { out: lineReader(mask, pushTo('out')), err: lineReader(mask, pushTo('err')) };
  return {
    add: (stream: 'out' | 'err', chunk: Uint8Array): void => readers[stream].add(chunk),
    end: (): Tail => {
      readers.out.end();
      readers.err.end();
      return { lines: maskedLines(lines, mask).slice(Math.max(0, lines.length - most)), total };
    },
  };
};

interface Line { readonly stream: 'out' | 'err'; readonly text: string }

/** A secret may have several lines, and those of the other stream between them. */
const maskedLines = (lines: readonly Line[], mask: Mask): string[] => {
  const masked = (of: Line['stream']) =>
    mask(lines.filter(({ stream }) => stream === of).map(({ text }) => text).join('\n')).split('\n').values();
  const streams = { out: masked('out'), err: masked('err') };
  return lines.map(({ stream }) => streams[stream].next().value!);
};

const lineReader = (mask: Mask, push: (line: string) => void) => {
  const decoder = new TextDecoder();
  const limit = longestLine + mask.longest;
  let rest = '';
  const flush = (line: string) => push(shown(line, mask, line.length >= limit));
  const read = (text: string) => {
    const [first = '', ...others] = text.split('\n');
    rest = bounded(rest + first, limit);
    for (const line of others) {
      flush(rest);
      rest = bounded(line, limit);
    }
  };
  return {
    add: (chunk: Uint8Array) => read(decoder.decode(chunk, { stream: true })),
    end: () => {
      read(decoder.decode());
      if (rest !== '') flush(rest);
      rest = '';
    },
  };
};

const bounded = (line: string, limit: number): string =>
  line.length <= limit ? line : line.slice(line.lastIndexOf('\r', line.length - 2) + 1).slice(0, limit);

/** Masks only long lines before they are cut. The end of a cut line may be the start of a secret. */
const shown = (line: string, mask: Mask, isCut: boolean): string => {
  const text = lastState(withoutSequences(line.replace(toStartOfLine, '\r'))).replace(controls, '').toWellFormed();
  if (text.length <= longestShown) return text;
  const masked = mask(text);
  const safe = isCut ? masked.slice(0, Math.max(0, masked.length - mask.longest)) : masked;
  return safe.length > longestShown ? `${safe.slice(0, longestShown).toWellFormed()}…` : safe;
};

/** What a carriage return leaves on the screen, as if each state covered the one before. */
const lastState = (line: string): string => line.split('\r').findLast((state) => state.trim() !== '') ?? '';

/** Progress bars erase the line, or move to its first column. */
const toStartOfLine = /\u001b\[(?:[012]?K|[01]?G)/g;

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

interface CommandResult {
  readonly command: readonly string[];
  readonly exit: number;
  readonly signal: string | null;
  readonly milliseconds: number;
  readonly tail: Tail;
}

const mostCharacters = 100_000;

export const commandReport = (result: CommandResult, mask: Mask): string => reportText(
  `<b>${statusText(result)}</b> after ${durationText(result.milliseconds)}`, result.command, mask,
  outputText(result.tail));

export const plannedReport = (command: readonly string[], mask: Mask): string =>
  reportText('<b>(result)</b> after (duration)', command, mask, ['(output)']);

const reportText = (result: string, command: readonly string[], mask: Mask, output: readonly string[]): string =>
  withoutCommands([
    '<details>', `<summary>${result}: <code>${markupText(commandText(command, mask))}</code></summary>`,
    '', ...output, '', '</details>',
  ].join('\n'));

const statusText = ({ exit, signal }: CommandResult): string => {
  if (signal !== null) return `ended by ${signal}`;
  return exit === 0 ? 'passed' : `failed with exit code ${exit}`;
};

const durationText = (milliseconds: number): string => {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** The words are masked before a quote changes a secret, and the line afterwards, as a secret may be several words. */
export const commandText = (command: readonly string[], mask: Mask): string => {
  const line = plainLine(mask(command.map((word) => shellWord(mask(word))).join(' ')));
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
};

const outputText = ({ lines, total }: Tail): string[] => {
  const shown = lastLines(lines);
  const all = total.toLocaleString('en');
  if (total === 0) return ['No output.'];
  if (shown.length === 0) return [`Lines of output: ${all}`];
  const cut = shown.length < total ? [`Last ${shown.length.toLocaleString('en')} of ${all} lines:`, ''] : [];
  return [...cut, codeBlock(inertInCode(shown.join('\n')), 'text')];
};

const lastLines = (lines: readonly string[]): readonly string[] => {
  let length = 0;
  const from = lines.findLastIndex((line) => (length += line.length + 1) > mostCharacters);
  return lines.slice(from + 1);
};
