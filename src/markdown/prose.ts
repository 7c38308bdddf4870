import { type Leaf, readLeaves, tagPattern } from './blocks.js';
import { definitionAt, htmlParts, type InlinePart, inlineParts } from './inline.js';

const quoted = String.raw`"(?:[^"\\]|\\[^]){0,2000}"|'(?:[^'\\]|\\[^]){0,2000}'|\((?:[^()\\]|\\[^]){0,2000}\)`;
const target = String.raw`(?:<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,5})`;

const hiding = new RegExp([
  /\\[!-/:-@[-`{-~]/.source,
  String.raw`<!--(?<comment>[^]*?)(?:-->|$)`, String.raw`<[?!](?<instruction>[^>]*)(?:>|$)`, `(?<tag>${tagPattern})`,
  String.raw`!\[(?<alt>(?:[^\[\]\\]|\\[^]|\[[^\[\]]{0,200}\]){1,1000})(?=\])`,
  String.raw`(?<link>\]\(\s*${target}\s+)(?<title>${quoted})(?=\s*\))`,
].join('|'), 'gu');

const attribute = /(\s)([A-Za-z_:][\w.:-]*)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

/** The address of a link is no text, and people see the others. */
const plainAttributes = /^(?:href|src|width|height|align|start|type|open|colspan|rowspan|dir|lang)$/i;

const mightHide = /<[A-Za-z!?/]|!\[|\]\(|\]:/;

/**
 * Marks texts that browsers do not show as `<comment: text>`: comments, alternative texts, titles, other attributes,
 * definitions. Takes linear time.
 */
export const showHidden = (text: string): string => mightHide.test(text)
  ? readLeaves(text, true).map(shownLeaf).join('') : text;

const shownLeaf = ({ kind, lines }: Leaf): string => {
  const before = lines.map(({ content }) => content).join('\n');
  const shown = kind === 'code' || kind === 'open' || kind === 'close' ? before
    : kind === 'html' ? shownPart(before) : shownParagraph(before);
  const contents = shown.split('\n');
  return lines.map(({ prefix, end }, i) => prefix + contents[i]! + end).join('');
};

const shownParagraph = (text: string): string => {
  let start = 0;
  let shown = '';
  for (let found = definitionAt(text, 0); found; found = text[start] === '[' ? definitionAt(text, start) : null) {
    const definition = text.slice(start, found.to);
    shown += marked('definition', definition.trimEnd()) + (definition.endsWith('\n') ? '\n' : '');
    start = found.to;
  }
  for (const { from, to } of codeIn(text, start)) {
    shown += shownPart(text.slice(start, from)) + text.slice(from, to);
    start = to;
  }
  return shown + shownPart(text.slice(start));
};

/** A backtick in a comment begins no code. */
const codeIn = (text: string, start: number) =>
  text.includes('`') ? inlineParts(text, noLabels, start).filter(({ kind }) => kind === 'code') : [];

const noLabels = { isHtml: true, externalLabels: new Set<string>() };

const shownPart = (text: string): string => text.replace(hiding, (found, ...rest) => {
  const { comment, instruction, tag, alt, link, title } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
  if (comment !== undefined) return marked('comment', comment);
  if (instruction !== undefined) return marked('comment', instruction);
  if (tag !== undefined) return tag.replace(attribute, shownAttribute);
  if (alt !== undefined) return `![${marked('alt', alt)}`;
  return title === undefined ? found : `${link!}${marked('title', title.slice(1, -1))}`;
});

const shownAttribute = (found: string, space: string, name: string, equals: string, value: string): string => {
  if (plainAttributes.test(name)) return found;
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

const proseOf = ({ kind, lines }: Leaf): string => {
  const text = lines.map(({ content }) => content).join('\n');
  switch (kind) {
    case 'code': case 'open': case 'close': case 'rule': return '';
    case 'html': return withoutParts(text, htmlParts(text));
    default: return withoutParts(text, inlineParts(text, { isHtml: true, externalLabels: new Set() }));
  }
};

const withoutParts = (text: string, parts: readonly InlinePart[]): string => {
  let shown = '';
  let at = 0;
  for (const { from, to, kind } of parts) {
    shown += text.slice(at, from) + (kind === 'tag' ? '' : '\ufffc');
    at = to;
  }
  return shown + text.slice(at);
};

/** The change must keep the number of lines. */
export const changeOutsideCode = (text: string, change: (part: string) => string): string =>
  readLeaves(text, true).map((leaf) => changeLeaf(leaf, change)).join('');

const changeLeaf = ({ kind, lines }: Leaf, change: (part: string) => string): string => {
  const contents = lines.map(({ content }) => content);
  const changed = kind === 'code' || kind === 'open' ? contents : changeText(contents.join('\n'), change).split('\n');
  return lines.map(({ prefix, end }, i) => prefix + changed[i]! + end).join('');
};

const changeText = (text: string, change: (part: string) => string): string => {
  let [done, at] = ['', 0];
  for (const { kind, from, to } of inlineParts(text, { isHtml: true, externalLabels: new Set() })) {
    if (kind !== 'code') continue;
    done += change(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return done + change(text.slice(at));
};
