import { bodyLimit } from '../../../contract/conventions.js';
import { markerLength, withoutMarkers, type Marker } from '../../../wire/marker.js';
import { countCharacters, firstCharacters, lastCharacters } from '../../../wire/note-text.js';
import { Problem } from '../../command-line/failure.js';

export const overflows = ['cut', 'error'] as const;
export type Overflow = (typeof overflows)[number];

const earlierTextCut = '_Earlier text was removed: the comment reached the maximum length._\n\n';

/** For a note with this marker. @throws Problem for `--overflow error` */
export const fitted = (given: string, marker: Marker, overflow: Overflow, part?: 'start' | 'end'): string =>
  fittedTo(withoutMarkers(given), bodyLimit - markerLength(marker), overflow, part);

/** The start reports a cut: the end may be in a code block. @param part kept @throws Problem for `--overflow error` */
export const fittedTo = (
  text: string, limit: number, overflow: Overflow, part: 'start' | 'end' = 'start',
): string => {
  const count = countCharacters(text);
  if (count <= limit) return text;
  const [length, most] = [count.toLocaleString('en'), limit.toLocaleString('en')];
  if (overflow === 'error') {
    throw new Problem('rejected', `the text has ${length} characters; the limit is ${most}`,
      'shorten it, or use --overflow cut');
  }
  if (part === 'end') return earlierTextCut + endOf(text, limit - earlierTextCut.length);
  const notice = `_The text was cut: it has ${length} characters, and the limit is ${most}._\n\n`;
  return notice + startOf(text, limit - notice.length);
};

/** As a paragraph of its own. */
export const appended = (before: string, text: string): string =>
  before.trim() === '' ? text : `${before.trimEnd()}\n\n${text}`;

/** Whole lines from the start, unless the last one is very long. */
const startOf = (text: string, count: number): string => {
  const start = firstCharacters(text, count);
  const end = text[start.length] === '\n' ? start.length : start.lastIndexOf('\n');
  return (end > start.length / 2 ? start.slice(0, end) : start).toWellFormed();
};

const endOf = (text: string, count: number): string => {
  const end = lastCharacters(text, count);
  const line = end.indexOf('\n') + 1;
  return (line > 0 && line < end.length / 2 ? end.slice(line) : end).toWellFormed();
};
