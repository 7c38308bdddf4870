import { withoutSequences } from '../../../text/plain.js';
import type { Mask } from '../../../wire/secrets/known.js';

export interface Tail {
  readonly lines: readonly string[];
  /** Of the whole output. */
  readonly total: number;
}

/** In the order in which the lines end. */
interface TailCollector {
  readonly add: (stream: 'out' | 'err', chunk: Uint8Array) => void;
  /** Includes lines without a line break. */
  readonly end: () => Tail;
}

/** In characters, while it is held. */
const longestLine = 65_536;

const longestShown = 2_000;

/**
 * Output as text for people: without colors and control characters, without secrets, and of a line that is written over
 * itself, such as a progress bar, the last state.
 * @param mask gets whole lines, however the output is cut
 */
export const collectTail = (most: number, mask: Mask): TailCollector => {
  const lines: string[] = [];
  let total = 0;
  const push = (line: string) => {
    total++;
    lines.push(line);
    if (lines.length > most) lines.shift();
  };
  const readers = { out: lineReader(mask, push), err: lineReader(mask, push) };
  return {
    add: (stream, chunk) => readers[stream].add(chunk),
    end: () => {
      readers.out.end();
      readers.err.end();
      return { lines: lines.map(mask), total };
    },
  };
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

/** The last state if the line is written over itself, else its start. */
const bounded = (line: string, limit: number): string =>
  line.length <= limit ? line : line.slice(line.lastIndexOf('\r', line.length - 2) + 1).slice(0, limit);

/**
 * Masks only long lines, before they are cut: the others are masked if they are among the last.
 * @param isCut whether the end of the line is missing: it may be the start of a secret
 */
const shown = (line: string, mask: Mask, isCut: boolean): string => {
  const text = lastState(withoutSequences(line.replace(toStartOfLine, '\r'))).replace(controls, '').toWellFormed();
  if (text.length <= longestShown) return text;
  const masked = mask(text);
  const safe = isCut ? masked.slice(0, Math.max(0, masked.length - mask.longest)) : masked;
  return safe.length > longestShown ? `${safe.slice(0, longestShown).toWellFormed()}…` : safe;
};

/** What a carriage return leaves on the screen, as if each state covered the one before. */
const lastState = (line: string): string => line.split('\r').findLast((state) => state.trim() !== '') ?? '';

/** Erase the line, or move to its first column, as progress bars do. */
const toStartOfLine = /\u001b\[(?:[012]?K|[01]?G)/g;

/** Control characters besides the tab, and marks that change the direction of text. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
