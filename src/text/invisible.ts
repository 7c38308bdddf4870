/**
 * Characters that nobody sees can carry instructions to a program that reads the text: tags, spaces without width,
 * joiners, fillers, variation selectors, soft hyphens.
 */
const invisible = new RegExp('[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065'
  + '\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', 'u');

/** Scripts whose letters joiners connect and separate. */
const joining = [
  'Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu',
  'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan',
].map((name) => `\\p{Script=${name}}`).join('');

const pictures = '\\p{Extended_Pictographic}';

/**
 * What a text needs: flags of regions, joiners between parts of an emoji and between letters, selectors of an emoji or
 * ideograph, and the word joiner of a mention, reference or command that is disabled.
 */
const needed = [
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
  `(?<=[${pictures}\\ufe0f\\u{1f3fb}-\\u{1f3ff}])\\u200d(?=${pictures})`,
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}]|[^\\p{L}\\p{M}\\p{Cf}]|$)`,
  '(?<=[\\p{Emoji}])[\\ufe0e\\ufe0f]', '(?<=\\p{Sm})\\ufe00',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]', '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d]',
  '(?<=[@#!&~%$/\\\\[`])\\u2060(?=[\\p{L}\\p{N}])', '(?<=^|\\s)\\u2060(?=/)',
].join('|');
const either = new RegExp(`(?<kept>${needed})|${invisible.source}`, 'gu');

/** Writes them as `<U+200B>`; those that a text needs stay. */
export const showInvisible = (text: string): string =>
  invisible.test(text) ? text.replace(either, (found, kept?: string) => kept ?? codeOf(found)) : text;

const codeOf = (character: string): string =>
  `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
