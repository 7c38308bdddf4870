import stringWidth from 'string-width';
import wrapAnsi, { type Options } from 'wrap-ansi';
import { plainText } from '../../../text/plain.js';

/** string-width counts this mark as a column, but not the sign AM of Thai and Lao, which joins a character as well. */
const columnMark = '\u1ce1';

const withColumnMarks = (text: string): string => text.replace(/(?<=\P{Cc})[\u0e33\u0eb3]/gu, `$&${columnMark}`);

const wrapped = (text: string, width: number, options: Options): string =>
  wrapAnsi(withColumnMarks(text), width, options).replace(/(?<=[\u0e33\u0eb3])\u1ce1/g, '');

export const widthOf = (text: string): number => isNarrow(text) ? text.length : stringWidth(withColumnMarks(text));

/** ASCII, Latin letters and common punctuation are surely one column wide. Most text is. */
export const isNarrow = (text: string): boolean => /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/.test(text);

export const withoutTabs = (line: string): string => line.split('\t').reduce((before, part) => {
  return `${before}${' '.repeat(4 - widthOf(before) % 4)}${plainText(part)}`;
}, '').slice(4);

const segmenter = new Intl.Segmenter();

/** Never cut within a character; marked with an ellipsis. */
export const shortened = (text: string, room: number): string => {
  const start = visible(text, room);
  if (start === text && fits(text, room)) return text;
  if (isNarrow(start)) return `${start.slice(0, room - 1)}…`;
  return `${fitting(segmenter.segment(start), room - 1).join('')}…`;
};

/** Cuts the start instead, as the end of a path is more useful. */
export const shortenedAtStart = (text: string, room: number): string => {
  const end = text.slice(-room * spare);
  if (end === text && fits(text, room)) return text;
  return `…${fitting([...segmenter.segment(end)].reverse(), room - 1).reverse().join('')}`;
};

const fitting = (characters: Iterable<Intl.SegmentData>, room: number): string[] => {
  const kept: string[] = [];
  let left = room;
  for (const { segment } of characters) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept.push(segment);
  }
  return kept;
};

const fits = (text: string, room: number): boolean => text.length <= room / 2 || widthOf(text) <= room;

/** Fills at least so many columns, combining characters included. Bounds the work for long lines. */
export const visible = (text: string, columns: number): string =>
  text.length <= columns * spare ? text : text.slice(0, columns * spare).replace(/[\ud800-\udbff]$/, '');

const spare = 16;

/** Replaces spaces where lines must not break, until `withSpaces`: a character that no text may contain. */
const joint = '\ufdd0';

export const unbroken = (code: string): string => code.replaceAll(' ', joint);

export const withSpaces = (text: string): string => text.replaceAll(joint, ' ');

const minWidth = 20;

/** Words stay whole, however long, unless they are in a script without spaces. */
export const wrapWords = (text: string, width: number): string =>
  wrapped(text, Math.max(minWidth, width), { hard: hasWideWord(text, width), trim: true });

/** Whether a word of wide characters, such as a sentence in Chinese, is longer than a line. */
const hasWideWord = (text: string, width: number): boolean => !text.includes('://') && text.split(/\s/)
  .some((word) => word.length * 2 > width && widthOf(word) > Math.max(width, word.length * 1.5));

/** The indentation of a line, and in a list of terms the term and the gap after it. */
const lead = /^( *(?:\S+(?: \S+)* {2,})?)(.*)$/s;

/** Cuts words too; colors go on in the next line. Spaces stay. */
export const foldedLines = (line: string, width: number): string[] =>
  widthOf(line) <= width ? [line] : wrapped(line, width, { hard: true, wordWrap: false, trim: false }).split('\n');

/** Further lines are indented like the text of the first. Commands between backticks stay whole. */
export const wrapLines = (text: string, width: number): string =>
  text.split('\n').map((line) => widthOf(line) <= width ? line : wrapLine(line, width)).join('\n');

const wrapLine = (line: string, width: number): string => {
  const [, start = '', rest = ''] = lead.exec(line) ?? [];
  const indent = start.length < width - minWidth ? start.length : 4;
  const wrapped = wrapWords(rest.replace(/`[^`]*`/g, unbroken), width - indent);
  const text = indent === start.length ? start + wrapped : `${start.trimEnd()}\n${wrapped}`;
  return withSpaces(text.replaceAll('\n', `\n${' '.repeat(indent)}`));
};

/** Joins the lines of a paragraph first, and leaves the commands below `Examples:` as they are. */
export const wrapHelp = (text: string, width: number): string => {
  if (text.split('\n').every((line) => widthOf(line) <= width)) return text;
  return text.split('\n\n').map((part) => {
    if (part.startsWith('Examples:') || part.startsWith('Usage:')) return part;
    return wrapLines(part.replace(/^(\S.*)\n(?=\S)/gm, '$1 '), width);
  }).join('\n\n');
};

/** A heading on one line, wrapped between words if it is too long. @param indent of the further lines */
export const wrapHeading = (line: string, indent: string, width: number): string => {
  if (widthOf(line) <= width) return line;
  const start = /^ */.exec(line)![0];
  const end = line.endsWith('\n') ? '\n' : '';
  const [first, ...others] = wrapWords(line.trim(), width - indent.length).split('\n');
  return [start + first, ...others.map((other) => indent + other)].join('\n') + end;
};

/** Code between fences or with an indentation stays as it is. */
export const wrapNote = (text: string, width: number): string => {
  let isCode = false;
  return text.split('\n').map((line) => {
    const isFence = /^ {0,3}(```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || /^( {4}|\t)/.test(line) ? line : wrapLines(line, width);
  }).join('\n');
};
