import { leafText, readLeaves, tableCells, type Leaf } from './blocks.js';
import { decodeEntities, decodeEntity, decodeEscapes } from './entities.js';
import { tagPattern } from './html.js';
import { isPlain, plainText } from '../text/plain.js';
import {
  definitionsIn, htmlParts, inlineParts, inlineTarget, type InlineOptions, type InlinePart,
} from './inline.js';

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

interface Syntax {
  readonly starts: RegExp;
  readonly markup: RegExp;
  readonly entities: RegExp;
}

const escape = /\\[!-/:-@[-`{-~]/.source;
/** Browsers also decode numbers without a semicolon, and with any number of zeros. */
const entity = String.raw`&#(?:[xX]0*(?<hex>[\da-fA-F]{1,6})|0*(?<decimal>\d{1,7}));?|&[A-Za-z][A-Za-z0-9]{1,31};`;
const hiddenComment = String.raw`<!--(?<comment>[^]*?)(?:-->|$)`;

const inlineSyntax: Syntax = {
  starts: new RegExp(String.raw`${escape}|<[A-Za-z!?/]|\]\(`, 'g'),
  markup: new RegExp(`${hiddenComment}|<[?!](?<other>[^>]*)(?:>|$)|(?<tag>${tagPattern})`, 'y'),
  entities: new RegExp(`${escape}|${entity}`, 'g'),
};

/** Browsers repair tags, and hide what they cannot read. */
const blockSyntax: Syntax = {
  starts: /<[A-Za-z!?/]/g,
  markup: new RegExp(`${hiddenComment}|(?<tag>${tagPattern})`
    + String.raw`|(?<name><\/?[A-Za-z][^\s/>]*)(?<rest>(?:[^>"'=]|=\s*"[^"]*"|=\s*'[^']*'|["'=])*)(?<close>>|$)`
    + String.raw`|<[?!/](?<other>[^>]*)(?:>|$)`, 'y'),
  entities: new RegExp(entity, 'g'),
};

const attribute = /(\s)([A-Za-z_:][\w.:-]*)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

/** The address of a link is no text, and people see the others. */
const plainAttributes = /^(?:href|src|width|height|align|start|type|open|checked|disabled|colspan|rowspan|dir|lang)$/i;

const mightHide = /<[A-Za-z!?/]|!\[|\]\(|\]:|&[#A-Za-z]|```|~~~|\|/;

/**
 * Marks texts that browsers do not show as `<comment: text>`: comments, scripts, alternative texts, titles, other
 * attributes, definitions, unused footnotes, cells beyond the header of a table, and what follows the language of a
 * block of code. Entities of invisible characters are shown by their code. Takes linear time.
 */
export const showHidden = (text: string): string => {
  if (!mightHide.test(text)) return text;
  const leaves = readLeaves(text, true);
  const open = leaves.findIndex((leaf) => leaf.kind === 'html' && isUnclosed(leafText(leaf).toLowerCase()));
  const [seen, rest] = open === -1 ? [leaves, []] : [leaves.slice(0, open + 1), leaves.slice(open + 1)];
  const hidden = rest.map((leaf) => withContent(leaf, leafText(leaf))).join('');
  return shownLeaves(seen, text) + (hidden.trim() === '' ? hidden : marked('comment', hidden));
};

const shownLeaves = (leaves: readonly Leaf[], text: string): string => {
  const isUnused = unusedFootnotes(text);
  let columns = 0;
  return leaves.map((leaf, i) => {
    const content = leafText(leaf);
    if (leaf.kind === 'row') {
      if (leaves[i + 1]?.kind === 'rule') columns = tableCells(content).length;
      return withContent(leaf, shownRow(content, columns));
    }
    return leaf.kind === 'paragraph' && isUnused(content) ? withContent(leaf, marked('footnote', content))
      : shownLeaf(leaf, content);
  }).join('');
};

const shownRow = (row: string, columns: number): string => {
  const cells = row.split(/(?<=(?<!\\)\|)/);
  const end = columns + (/^\s*\|/.test(row) ? 1 : 0);
  return cells.map((cell, i) => i < end || cell.trim() === '' ? shownParagraph(cell) : marked('cell', cell)).join('');
};

/** Whether a paragraph is a footnote to which the text does not refer. */
const unusedFootnotes = (text: string): ((paragraph: string) => boolean) => {
  const footnote = /^\[\^([^\]\s]+)\]:/;
  const names = [...text.matchAll(/\[\^([^\]\s]+)\](?!:)/g)].map(([, name]) => name!.toLowerCase());
  const used = new Set(names);
  return (paragraph) => {
    const [, name] = footnote.exec(paragraph) ?? [];
    return name !== undefined && !used.has(name.toLowerCase());
  };
};

/** Browsers read a comment or a script on behind the end of the block. */
const isUnclosed = (html: string): boolean => [['<!--', '-->'], ['<script', '</script'], ['<style', '</style']]
  .some(([start, end]) => html.lastIndexOf(start!) > html.lastIndexOf(end!));

const infoOfFence = /^((?:`+(?!`)|~+(?!~))\s*\S+\s+)(\S[^]*)$/;

const shownLeaf = (leaf: Leaf, content: string): string => {
  switch (leaf.kind) {
    case 'code': case 'close': case 'rule': return withContent(leaf, content);
    case 'open': return withContent(leaf, content.replace(infoOfFence, (_, language: string, info: string) =>
      language + marked('info', info)));
    case 'html': return withContent(leaf, shownText(content, 0, [], blockSyntax));
    case 'row': case 'paragraph': case 'heading': return withContent(leaf, shownParagraph(content));
  }
};

const shownParagraph = (text: string): string => {
  let [shown, start] = ['', 0];
  for (const { to } of definitionsIn(text)) {
    const definition = text.slice(start, to);
    shown += marked('definition', definition.trimEnd()) + (definition.endsWith('\n') ? '\n' : '');
    start = to;
  }
  const parts = inlineParts(text, { ...options, hasAlts: true }, start);
  return shown + shownText(text, start, parts.filter(({ kind }) => kind === 'code' || kind === 'alt'), inlineSyntax);
};

interface Mark { readonly from: number; readonly to: number; readonly shown: string }
type Start = Pick<Mark, 'from' | 'to'> & { readonly kind: InlinePart['kind'] | undefined };
type Groups = Readonly<Record<string, string | undefined>>;

/** Of parts in parts, the outer ones count. */
const shownText = (text: string, start: number, parts: readonly InlinePart[], syntax: Syntax): string => {
  const starts = [...text.matchAll(syntax.starts)].map(({ index }) => ({ from: index, to: index, kind: undefined }));
  let [shown, at] = ['', start];
  for (const part of [...parts, ...starts].sort((a, b) => a.from - b.from)) {
    const mark = part.from < at ? null : markOf(text, part, syntax);
    if (!mark) continue;
    shown += shownEntities(text.slice(at, mark.from), syntax);
    shown += part.kind === 'code' ? mark.shown : shownEntities(mark.shown, syntax);
    at = mark.to;
  }
  return shown + shownEntities(text.slice(at), syntax);
};

const markOf = (text: string, { from, to, kind }: Start, { markup }: Syntax): Mark | null => {
  const content = text.slice(from, to);
  if (kind !== undefined) return { from, to, shown: kind === 'alt' ? marked('alt', content) : content };
  if (text[from] === ']') return titleMark(text, from + 1);
  markup.lastIndex = from;
  const found = markup.exec(text);
  return found && markupMark(text, from, markup.lastIndex, found.groups!);
};

const titleMark = (text: string, at: number): Mark | null => {
  const { title: from, titleEnd: to } = inlineTarget(text, at) ?? { title: -1, titleEnd: -1 };
  return to === -1 ? null : { from, to, shown: marked('title', text.slice(from + 1, to - 1)) };
};

const markupMark = (
  text: string, from: number, to: number, { comment, other = comment, tag, name = '', rest = '', close = '' }: Groups,
): Mark => {
  if (other !== undefined) return { from, to, shown: marked('comment', other) };
  const shown = tag?.replace(attribute, shownAttribute)
    ?? `${name}${/[^\s/]/.test(rest) ? ` ${marked('attribute', rest)}` : rest}${close}`;
  const [, raw] = /^<(script|style)(?![\w-])/i.exec(text.slice(from, from + 8)) ?? [];
  if (raw === undefined) return { from, to, shown };
  const content = new RegExp(`[^]*?(?=</${raw}|$)`, 'iy');
  content.lastIndex = to;
  const [script] = content.exec(text)!;
  const after = script.trim() === '' ? script : marked(raw.toLowerCase(), script);
  return { from, to: content.lastIndex, shown: shown + after };
};

const shownEntities = (text: string, { entities }: Syntax): string => text.replace(entities, (found, ...rest) => {
  const { hex, decimal } = rest.at(-1) as Groups;
  const number = hex === undefined ? decimal : `x${hex}`;
  const character = decodeEntity(number === undefined ? found : `&#${number};`);
  return character === null || isPlain(character) ? found : plainText(character);
});

const shownAttribute = (found: string, space: string, name: string, equals?: string, value?: string): string => {
  if (plainAttributes.test(name)) return found;
  if (value === undefined) return `${space}${marked('attribute', name)}`;
  return `${space}${name}${equals}${marked(name.toLowerCase(), value.replace(/^["']|["']$/g, ''))}`;
};

const marked = (name: string, text: string): string => `<${name}: ${text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')}>`;

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
