import { leafText, readLeaves, type Leaf } from './blocks.js';
import { decodeEntities, decodeEntity, decodeEscapes } from './entities.js';
import { tagPattern } from './html.js';
import { isPlain, plainText } from '../text/plain.js';
import { definitionsIn, htmlParts, inlineParts, type InlineOptions, type InlinePart } from './inline.js';

const options: InlineOptions = { isHtml: true, externalLabels: new Set(), isAmbiguous: false };

/** The new content must have as many lines. */
const withContent = ({ lines }: Leaf, content: string): string => {
  const contents = content.split('\n');
  return lines.map(({ prefix, end }, i) => prefix + contents[i]! + end).join('');
};

/** Replaces parts of a text, and changes what is between them. */
const mapParts = (
  text: string, parts: readonly InlinePart[], replace: (part: string, kind: InlinePart['kind']) => string,
  between = (part: string): string => part, start = 0,
): string => {
  let [done, at] = ['', start];
  for (const { kind, from, to } of parts) {
    done += between(text.slice(at, from)) + replace(text.slice(from, to), kind);
    at = to;
  }
  return done + between(text.slice(at));
};

/** Changes a paragraph from an index on, except for the code in it. */
const changeAroundCode = (text: string, start: number, change: (part: string) => string): string => {
  if (!text.includes('`')) return change(text.slice(start));
  const code = inlineParts(text, options, start).filter(({ kind }) => kind === 'code');
  return mapParts(text, code, (part) => part, change, start);
};

const quoted = String.raw`"(?:[^"\\]|\\[^]){0,2000}"|'(?:[^'\\]|\\[^]){0,2000}'|\((?:[^()\\]|\\[^]){0,2000}\)`;
const target = String.raw`(?:<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,5})`;

const hiding = new RegExp([
  /\\[!-/:-@[-`{-~]/.source,
  String.raw`<!--(?<comment>[^]*?)(?:-->|$)`, String.raw`<[?!](?<instruction>[^>]*)(?:>|$)`, `(?<tag>${tagPattern})`,
  String.raw`!\[(?<alt>(?:[^\[\]\\]|\\[^]|\[[^\[\]]{0,200}\]){1,1000})(?=\])`,
  String.raw`(?<link>\]\(\s*${target}\s+)(?<title>${quoted})(?=\s*\))`,
].join('|'), 'gu');

const attribute = /(\s)([A-Za-z_:][\w.:-]*)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

/** The address of a link is no text, and people see the others. */
const plainAttributes = /^(?:href|src|width|height|align|start|type|open|checked|disabled|colspan|rowspan|dir|lang)$/i;

/** In HTML, browsers also decode numbers without a semicolon, and with any number of zeros. */
const entity = new RegExp([
  /\\[!-/:-@[-`{-~]/, /&#(?:[xX]0*(?<hex>[\da-fA-F]{1,6})|0*(?<decimal>\d{1,7}));?/, /&[A-Za-z][A-Za-z0-9]{1,31};/,
].map(({ source }) => source).join('|'), 'g');

const mightHide = /<[A-Za-z!?/]|!\[|\]\(|\]:|&[#A-Za-z]/;

/**
 * Marks texts that browsers do not show as `<comment: text>`: comments, alternative texts, titles, other attributes,
 * definitions. Entities of invisible characters are shown by their code. Takes linear time.
 */
export const showHidden = (text: string): string => mightHide.test(text)
  ? readLeaves(text, true).map(shownLeaf).join('') : text;

const shownLeaf = (leaf: Leaf): string => {
  const content = leafText(leaf);
  if (['code', 'open', 'close'].includes(leaf.kind)) return withContent(leaf, content);
  return withContent(leaf, leaf.kind === 'html' ? shownPart(content) : shownParagraph(content));
};

const shownParagraph = (text: string): string => {
  let [shown, start] = ['', 0];
  for (const { to } of definitionsIn(text)) {
    const definition = text.slice(start, to);
    shown += marked('definition', definition.trimEnd()) + (definition.endsWith('\n') ? '\n' : '');
    start = to;
  }
  return shown + changeAroundCode(text, start, shownPart);
};

const shownPart = (text: string): string => withMarks(text).replace(entity, (found, ...rest) => {
  const { hex, decimal } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
  const number = hex === undefined ? decimal : `x${hex}`;
  const character = decodeEntity(number === undefined ? found : `&#${number};`);
  return character === null || isPlain(character) ? found : plainText(character);
});

const withMarks = (text: string): string => text.replace(hiding, (found, ...rest) => {
  const { comment, instruction, tag, alt, link, title } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
  if (comment !== undefined) return marked('comment', comment);
  if (instruction !== undefined) return marked('comment', instruction);
  if (tag !== undefined) return tag.replace(attribute, shownAttribute);
  if (alt !== undefined) return `![${marked('alt', alt)}`;
  return title === undefined ? found : `${link!}${marked('title', title.slice(1, -1))}`;
});

const shownAttribute = (found: string, space: string, name: string, equals?: string, value?: string): string => {
  if (plainAttributes.test(name)) return found;
  if (value === undefined) return `${space}${marked('attribute', name)}`;
  return `${space}${name}${equals}${marked(name.toLowerCase(), value.replace(/^["']|["']$/g, ''))}`;
};

const marked = (name: string, text: string): string => `<${name}: ${text.replace(/^[ \t]+|[ \t]+$/g, '')}>`;

/** Usernames in lower case, as the service reads them. Takes linear time. */
export const mentionsIn = (text: string): ReadonlySet<string> => {
  const names = new Set<string>();
  if (!text.includes('@')) return names;
  for (const leaf of readLeaves(text.replaceAll('\0', '\ufffd'), true)) {
    for (const { 1: name } of proseOf(leaf).matchAll(mention)) names.add(name!.toLowerCase());
  }
  return names;
};

const mention = /(?<![\w@/.-])@([A-Za-z0-9_](?:[\w.-]*[A-Za-z0-9_-])?)/g;

const proseOf = (leaf: Leaf): string => {
  const text = leafText(leaf);
  switch (leaf.kind) {
    case 'code': case 'open': case 'close': case 'rule': return '';
    case 'html': return withoutParts(text, htmlParts(text));
    default: return withoutParts(text, inlineParts(text, options));
  }
};

const withoutParts = (text: string, parts: readonly InlinePart[]): string =>
  mapParts(text, parts, (_, kind) => kind === 'tag' ? '' : '\ufffc');

/** The change must keep the number of lines. */
export const changeOutsideCode = (text: string, change: (part: string) => string): string =>
  readLeaves(text, true).map((leaf) => {
    const content = leafText(leaf);
    const isCode = leaf.kind === 'code' || leaf.kind === 'open';
    return withContent(leaf, isCode ? content : changeAroundCode(content, 0, change));
  }).join('');

/** As a page shows it, for one line: folded text as its summary, links as their text. Takes linear time. */
export const withoutMarkup = (text: string): string => /[*_`~[<\\&#]/.test(text)
  ? readLeaves(withSummaries(text.replaceAll('\0', '\ufffd')), true).map(unmarkedLeaf).join(' ') : text;

/** Replaces folded text by its summary, without tags. */
export const withSummaries = (text: string): string =>
  text.replace(folded, (_, summary: string) => `${summary.replace(/<[^<>]*>/g, '')} `);

const folded = /<details>\s{0,100}<summary>((?:(?!<\/?summary>)[^]){1,1000})<\/summary>[^]*?(?:<\/details>|$)/gi;

const unmarkedLeaf = (leaf: Leaf): string => {
  const text = leafText(leaf);
  switch (leaf.kind) {
    case 'open': case 'close': case 'rule': return '';
    case 'code': return text;
    case 'html': return decodeEntities(withoutTags(text, htmlParts(text)));
    default: return unmarkedText(leaf.kind === 'heading' ? text.replace(/^#+\s+/, '') : text);
  }
};

const withoutTags = (text: string, parts: readonly InlinePart[], codes: string[] = []): string =>
  mapParts(text, parts.filter(({ kind }) => kind !== 'target'), (part, kind) => {
    if (kind === 'code') return `\0${codes.push(part.replace(/^(`+) ?([^]*?) ?\1$/, '$2')) - 1}\0`;
    return blockTag.test(part) ? ' ' : part.length === 1 ? part : '';
  });

const blockTag = /^<\/?(?:br|div|dd|dl|dt|h[1-6]|hr|li|ol|p|table|td|th|tr|ul)(?![\w-])/i;

const link = /!?\[((?:[^\[\]\\]|\\[^]){0,999})\]\((?:<[^<>\n]{0,2000}>|[^\s()<>]{0,2000})\)/g;
const emphasis = /(?<!\\)(\*{1,3}|~~|(?<!\w)_{1,3}(?=\w))(?=\S)((?:(?!\1)[^]){1,300})(?<=[^\s\\])\1/g;

/** Code is left out while marks are removed. */
const unmarkedText = (text: string): string => {
  const codes: string[] = [];
  const shown = withoutTags(text, inlineParts(text, options), codes);
  return decodeEscapes(shown.replace(link, '$1').replace(emphasis, '$2'))
    .replace(/\0(\d+)\0/g, (_, index: string) => codes[Number(index)]!);
};
