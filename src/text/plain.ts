import { showInvisible } from './invisible.js';

/**
 * Characters that move the cursor, change colors or the text direction become `\u001b`, and those that nobody sees
 * `<U+200B>`, in every format for people and agents.
 */

/**
 * Control characters, DEL and C1, direction marks, embeddings and isolates, other marks of formatting (deprecated ones
 * and those of annotations), lone halves of surrogate pairs.
 */
const acting = new RegExp('[\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e'
  + '\\u2066-\\u206f\\ufff9-\\ufffb\\ud800-\\udfff]', 'gu');

/** Without tab and line feed. */
const actingInText = new RegExp(acting.source.replace('\\u0000-\\u001f', '\\u0000-\\u0008\\u000b-\\u001f'), 'gu');

/** Nothing for null, JSON for what a broken service has in place of a text. */
export const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

/** Running text: tabs and line breaks stay. */
export const plainText = (text: unknown): string =>
  showInvisible(asText(text).replaceAll('\r\n', '\n')).replace(actingInText, escaped);

/** Running text that needs no escapes. */
export const isPlain = (text: string): boolean => isWithoutEscapes(text) && showInvisible(text) === text;

/** White space, line breaks included, becomes single spaces. */
export const plainLine = (text: unknown): string =>
  showInvisible(asText(text).replace(/[\t\n\r ]+/g, ' ')).trim().replace(acting, escaped);

/** A line of code keeps its spaces; tabs become four. */
export const plainCode = (text: unknown): string =>
  showInvisible(asText(text).replaceAll('\t', '    ').replace(/(?<! ) +$/, '')).replace(acting, escaped);

/** 60 characters, on one line and safe for a terminal. */
export const firstWords = (text: unknown): string => [...plainLine(text)].slice(0, 60).join('');

/** Without the sequences that a program sends to a terminal, such as colors, and other control characters. */
export const withoutControls = (text: string): string =>
  control.test(text) ? withoutSequences(text).replace(controls, '') : text;

/** Without sequences of ECMA-48: control sequences, strings such as titles and links, and single characters. */
export const withoutSequences = (text: string): string => text.replace(sequences, '');

const sequences = new RegExp('(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]'
  + '|\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?|\\u001b[ -/]*[0-~]?', 'g');

/** Without tab, line feed and carriage return. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const controls = new RegExp(control, 'g');

/** Quoted text of JSON and YAML for a terminal: JSON itself leaves DEL, C1 and direction marks as they are. */
export const plainJson = (json: string): string => json.replace(actingInText, escaped);

/** Whether `plainJson` leaves a text as it is. */
export const isWithoutEscapes = (text: string): boolean => text.search(actingInText) === -1;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
