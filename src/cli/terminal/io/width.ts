import stringWidth from 'string-width';
import { plainText } from '../../../text/plain.js';

export const widthOf = (text: string): number => isNarrow(text) ? text.length : stringWidth(text);

/** ASCII, Latin letters and common punctuation are surely one column wide. Most text is. */
export const isNarrow = (text: string): boolean => /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/.test(text);

/** Escaped, with a tab stop every four columns. */
export const withoutTabs = (line: string): string => line.split('\t').reduce((before, part) => {
  return `${before}${' '.repeat(4 - widthOf(before) % 4)}${plainText(part)}`;
}, '').slice(4);

const segmenter = new Intl.Segmenter();

/** Never cut within a character; marked with an ellipsis. */
export const shortened = (text: string, room: number): string => {
  const start = visible(text, room);
  if (start === text && fits(text, room)) return text;
  if (isNarrow(start)) return `${start.slice(0, room - 1)}…`;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(start)) {
    width += widthOf(segment);
    if (width > room - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

/** Cuts the start instead, as the end of a path is more useful. */
export const shortenedAtStart = (text: string, room: number): string => {
  const end = text.slice(-room * spare);
  if (end === text && fits(text, room)) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of [...segmenter.segment(end)].reverse()) {
    width += widthOf(segment);
    if (width > room - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
};

const fits = (text: string, room: number): boolean => text.length <= room / 2 || widthOf(text) <= room;

/** Fills at least so many columns, combining characters included. Bounds the work for long lines. */
export const visible = (text: string, columns: number): string =>
  text.length <= columns * spare ? text : text.slice(0, columns * spare).replace(/[\ud800-\udbff]$/, '');

const spare = 16;
