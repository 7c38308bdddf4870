/**
 * Characters that act on a terminal or on the direction of text: controls, marks, embeddings and isolates, deprecated
 * formatting, annotations, lone surrogates.
 */
const acting = new RegExp('[\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e'
  + '\\u2066-\\u206f\\ufff9-\\ufffb\\ud800-\\udfff]', 'gu');

const actingInText = new RegExp(acting.source.replace('\\u0000-\\u001f', '\\u0000-\\u0008\\u000b-\\u001f'), 'gu');

/** JSON for what a broken service sends instead of a text. */
export const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

/** Tabs and line breaks stay. */
export const plainText = (text: unknown): string =>
  showInvisible(asText(text).replaceAll('\r\n', '\n')).replace(actingInText, escaped);

export const isPlain = (text: string): boolean => isWithoutEscapes(text) && showInvisible(text) === text;

/** White space, with line breaks, becomes single spaces. */
export const plainLine = (text: unknown): string =>
  showInvisible(asText(text).replace(/[\t\n\r ]+/g, ' ')).trim().replace(acting, escaped);

/** A line of code keeps its spaces; tabs become four. */
export const plainCode = (text: unknown): string =>
  showInvisible(asText(text).replaceAll('\t', '    ').replace(/(?<! ) +$/, '')).replace(acting, escaped);

export const firstWords = (text: unknown): string => [...plainLine(text)].slice(0, 60).join('');

export const withoutControls = (text: string): string =>
  control.test(text) ? withoutSequences(text).replace(controls, '') : text;

/** Removes sequences of ECMA-48: control sequences, strings such as titles and links, and single characters. */
export const withoutSequences = (text: string): string => text.replace(sequences, '');

const sequences = new RegExp('(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]'
  + '|\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?|\\u001b[ -/]*[0-~]?', 'g');

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const controls = new RegExp(control, 'g');

/** JSON itself leaves DEL, C1 and direction marks as they are. */
export const plainJson = (json: string): string => json.replace(actingInText, escaped);

export const isWithoutEscapes = (text: string): boolean => text.search(actingInText) === -1;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const tagsOf = (letters: string): string =>
  letters.replace(/./g, (letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`);

/** Characters that nobody sees can carry instructions to a program that reads the text. */
const invisible = new RegExp('[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065'
  + '\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}'
  + '\\u{e0000}-\\u{e0fff}]', 'u');

/** Joiners connect and separate the letters of these scripts. Vowel signs of Arabic belong to several. */
const joining = [
  'Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Adlam', 'Hanifi_Rohingya', 'Phags_Pa', 'Devanagari', 'Bengali',
  'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan',
  'Chakma', 'Meetei_Mayek', 'Balinese', 'Javanese', 'Sundanese', 'Newa', 'Tirhuta',
].map((name) => `\\p{scx=${name}}`).join('');

/** A joiner after these forms the last letter of a word. */
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca';

const pictures = '\\p{Extended_Pictographic}';

/** With these, each ideograph could carry a part of a hidden text; a name needs one or two. */
const variants = '[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]';

/** Flags of regions, emoji, letters, ideographs and disabled mentions need such characters. */
const needed = [
  `\\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls'].map(tagsOf).join('|')})\\u{e007f}`,
  `(?<=[${pictures}\\ufe0f\\u{1f3fb}-\\u{1f3ff}])\\u200d(?=${pictures})`,
  `(?<=[${joining}])(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=[${joining}])(?=[\\p{L}\\p{M}])`,
  `(?<=[${viramas}])[\\u200c\\u200d](?![\\p{L}\\p{M}\\p{Cf}])`,
  '(?<=\\p{Emoji})(?<![0-9#*])[\\ufe0e\\ufe0f]', '(?<=[0-9#*])\\ufe0f(?=\\u20e3)', '(?<=\\p{Sm})\\ufe00',
  `(?<=(?<!${variants})\\p{Script=Han})${variants}(?!\\p{Script=Han}${variants})`,
  '(?<=\\p{Script=Mongolian})(?:[\\u180b-\\u180d\\u180f]|\\u180e(?=\\p{Script=Mongolian}))',
  '(?<=[\\u2801-\\u28ff])\\u2800(?=[\\u2801-\\u28ff])',
  '(?<=[@#!&~%$/\\\\[`])\\u2060(?=[\\p{L}\\p{N}])', '(?<=^|\\s)\\u2060(?=/)',
].join('|');

let either: RegExp | undefined;

/** V8 takes a millisecond for the scripts, and few texts have such characters. */
const neededOrInvisible = (): RegExp => either ??= new RegExp(`(?<kept>${needed})|${invisible.source}`, 'gu');

const showInvisible = (text: string): string => invisible.test(text)
  ? text.replace(neededOrInvisible(), (found, kept?: string) => kept ?? codePoint(found)) : text;

const codePoint = (character: string): string =>
  `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
