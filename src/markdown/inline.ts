import { decodeEscapes } from './entities.js';
import { harmlessTag, isExternal, isReference, tagPattern } from './html.js';

/** What is not shown as it stands: code, the address of a link, or a tag. Without `next`, it stays. */
export interface InlinePart {
  readonly from: number;
  readonly to: number;
  readonly kind: 'code' | 'target' | 'tag' | 'alt';
  readonly next?: string;
}

export interface InlineOptions {
  /** If not, `<` is escaped. */
  readonly isHtml: boolean;
  /** The labels of definitions whose addresses are on other hosts. */
  readonly externalLabels: ReadonlySet<string>;
  /**
   * Whether versions of Markdown differ in what is code, so that code and the addresses of links are read as text. If
   * it is not given, the text of the paragraph decides.
   */
  readonly isAmbiguous?: boolean;
  /** The texts of images are parts, too. */
  readonly hasAlts?: boolean;
}

interface Scan {
  readonly text: string;
  readonly options: InlineOptions;
  readonly parts: InlinePart[];
  readonly openers: { readonly at: number; readonly isImage: boolean }[];
  /** Openers below this index are outside a link that has ended, so they start none. */
  inactive: number;
  /** By the index of the `!`; these images must not load anything. */
  readonly images: { readonly at: number; readonly textEnd: number; readonly to: number }[];
  readonly links: { readonly from: number; readonly to: number }[];
  readonly ticks: Map<number, number[]>;
  /** Ends of comments and the like that do not occur any more. */
  readonly missing: Set<string>;
  isAmbiguous: boolean;
}

const scanOf = (text: string, options: InlineOptions): Scan => ({
  text, options, parts: [], openers: [], inactive: 0, images: [], links: [], ticks: ticksIn(text), missing: new Set(),
  isAmbiguous: false,
});

export const inlineParts = (text: string, options: InlineOptions, start = 0): InlinePart[] => {
  const scan = scanOf(text, options);
  for (let at = start; at < text.length;) at = readers.get(text[at]!)?.(scan, at) ?? at + 1;
  return scan.isAmbiguous && options.isAmbiguous === undefined
    ? inlineParts(text, { ...options, isAmbiguous: true }, start) : withImages(scan);
};

/** Some versions of Markdown define a link with an address that opens more parentheses than it closes. */
export const mayDefine = (text: string): boolean => {
  const label = labelAt(text, [...definitionsIn(text)].at(-1)?.to ?? 0);
  return label !== null && match(/:\s*[^\s(]*\(/y, text, label.to) !== undefined;
};

export const htmlParts = (text: string): InlinePart[] => {
  const scan = scanOf(text, { isHtml: true, externalLabels: new Set() });
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) at = readTag(scan, at);
  return scan.parts;
};

type Reader = (scan: Scan, at: number) => number;

const readEscape: Reader = ({ text }, at) => at + (/^[!-/:-@[-`{-~]/.test(text[at + 1] ?? '') ? 2 : 1);

const readOpener: Reader = ({ text, openers }, at) => {
  const isImage = text[at] === '!';
  if (isImage && text[at + 1] !== '[') return at + 1;
  openers.push({ at, isImage });
  return at + (isImage ? 2 : 1);
};

const add = ({ parts }: Scan, part: InlinePart): number => {
  parts.push(part);
  return part.to;
};

const match = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** The runs of backticks by their length, the last one first. */
const ticksIn = (text: string): Map<number, number[]> => {
  const found = new Map<number, number[]>();
  for (const { 0: { length }, index } of text.matchAll(/`+/g)) {
    const runs = found.get(length);
    if (runs) runs.push(index);
    else found.set(length, [index]);
  }
  for (const runs of found.values()) runs.reverse();
  return found;
};

const readCode = (scan: Scan, at: number): number => {
  const { length } = match(/`+/y, scan.text, at)!;
  if (scan.options.isAmbiguous) return at + length;
  const runs = scan.ticks.get(length) ?? [];
  while (runs.length > 0 && runs.at(-1)! < at + length) runs.pop();
  const close = runs.at(-1);
  if (close === undefined) {
    scan.missing.add('`');
    return at + length;
  }
  // After backticks that nothing closes, some versions miss code.
  scan.isAmbiguous ||= scan.missing.has('`');
  return add(scan, { from: at, to: close + length, kind: 'code' });
};

const autolink = new RegExp(String.raw`<(?:[A-Za-z][A-Za-z0-9+.\-]{1,31}:[^\s<>\p{Cc}]*`
  + String.raw`|[\w.!#$%&'*+\/=?^${'`'}\{\|\}~\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*)>`, 'uy');

const readAngle = (scan: Scan, at: number): number => {
  const link = match(autolink, scan.text, at);
  return link === undefined ? readTag(scan, at) : add(scan, { from: at, to: at + link.length, kind: 'target' });
};

const tag = new RegExp(tagPattern, 'y');

const readTag: Reader = (scan, at) => {
  const { text, options } = scan;
  const found = match(tag, text, at);
  const next = options.isHtml ? harmlessTag(found, text.slice(at, at + 200)) : '&lt;';
  if (next === '&lt;') return add(scan, { from: at, to: at + 1, kind: 'tag', next });
  if (found === undefined || (options.isAmbiguous && /[\n`]/.test(found))) return readOther(scan, at);
  return add(scan, { from: at, to: at + found.length, kind: 'tag', ...next !== undefined && { next } });
};

/** What only some versions of Markdown end at the first end, or start there at all. */
const isDisputed = (other: string): boolean => /^<!--(?:-?>|[^]*?--[^>])|[\]?]{3}>$|\?\?>$/.test(other)
  || (/^<!(?!--|\[CDATA\[)/.test(other) && !/^<![A-Z]+\s/.test(other));

const otherEnds = new Map([['<!--', '-->'], ['<?', '?>'], ['<![CDATA[', ']]>']]);

const readOther: Reader = (scan, at) => {
  const { text, missing } = scan;
  const open = scan.options.isAmbiguous ? undefined : match(/<(?:\?|!--|!\[CDATA\[|![A-Za-z])/y, text, at);
  if (open === undefined) return at + 1;
  const end = otherEnds.get(open) ?? '>';
  const close = missing.has(end) ? -1 : text.indexOf(end, at + open.length);
  if (close === -1) {
    missing.add(end);
    return at + 1;
  }
  const to = close + end.length;
  scan.isAmbiguous ||= isDisputed(text.slice(at, to));
  return add(scan, { from: at, to, kind: 'tag' });
};

const readBracket: Reader = (scan, at) => {
  const { text, openers, options } = scan;
  const opener = openers.pop();
  if (!opener || (!opener.isImage && openers.length < scan.inactive)) return at + 1;
  const target = inlineTarget(text, at + 1);
  if (target && !options.isAmbiguous && !isReference(decodeEscapes(target.address))) {
    add(scan, { from: target.from, to: target.end, kind: 'target' });
  }
  if (opener.isImage && options.hasAlts && at > opener.at + 2) add(scan, { from: opener.at + 2, to: at, kind: 'alt' });
  if (opener.isImage) blockImage(scan, opener.at, at, target);
  else if (target) {
    scan.inactive = openers.length;
    scan.links.push({ from: opener.at, to: target.to });
  }
  return target?.to ?? at + 1;
};

const blockImage = (
  { text, options, images }: Scan, at: number, textEnd: number, target: ReturnType<typeof inlineTarget>,
): void => {
  const reference = target ? null : labelAt(text, textEnd + 1);
  const hasLabel = reference !== null && reference.label !== '';
  const label = linkLabel(hasLabel ? reference.label : text.slice(at + 2, Math.min(textEnd, at + 1002)));
  const isBlocked = target ? isExternal(decodeEscapes(target.address)) : options.externalLabels.has(label);
  if (isBlocked) images.push({ at, textEnd, to: target?.to ?? (hasLabel ? reference.to : textEnd + 1) });
};

const [space, lineBreak, lineEnd] = [/\s*/y, /[ \t]*\n?[ \t]*/y, /[ \t]*(?:\n|$)/y];

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

/** `(address "title")`. `from` and `end` enclose the address, `title` and `titleEnd` its title; -1 without one. */
export const inlineTarget = (text: string, at: number) => {
  if (text[at] !== '(') return null;
  const from = matchEnd(space, text, at + 1);
  const address = targetAt(text, from);
  if (!address) return null;
  const title = matchEnd(space, text, address.end);
  const titleEnd = title > address.end ? matchEnd(titlePattern, text, title) : -1;
  const close = matchEnd(space, text, titleEnd === -1 ? title : titleEnd);
  return text[close] === ')' ? { ...address, from, to: close + 1, title, titleEnd } : null;
};

const titlePattern = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)/y;

const targetAt = (text: string, from: number): { readonly address: string; readonly end: number } | null => {
  if (text[from] === '<') {
    const pointed = match(/<(?:[^<>\\\r\n]|\\.)*>/y, text, from);
    return pointed === undefined ? null : { address: pointed.slice(1, -1), end: from + pointed.length };
  }
  let depth = 0;
  let end = from;
  for (; end < text.length; end++) {
    const character = text[end]!;
    if (character <= ' ' || character === '\u007f') break;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text[end + 1] ?? '')) end++;
    else if (character === '(' && ++depth > 32) return null;
    else if (character === ')' && --depth < 0) break;
  }
  return depth > 0 ? null : { address: text.slice(from, end), end };
};

const labelPattern = /\[((?:[^\\[\]]|\\[^]){0,999})\]/y;

const labelAt = (text: string, at: number): { readonly label: string; readonly to: number } | null => {
  labelPattern.lastIndex = at;
  const found = labelPattern.exec(text);
  return found ? { label: found[1]!, to: at + found[0].length } : null;
};

const linkLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();

/** `[label]: address "title"`. `from` and `end` enclose the address, and its angle brackets. */
export const definitionAt = (text: string, at: number) => {
  const found = labelAt(text, at);
  if (!found || found.label.trim() === '' || found.label.startsWith('^') || text[found.to] !== ':') return null;
  const from = matchEnd(space, text, found.to + 1);
  const { address, end } = targetAt(text, from) ?? { address: '', end: from };
  if (end === from) return null;
  const title = matchEnd(lineBreak, text, end);
  const titleEnd = title > end ? matchEnd(titlePattern, text, title) : -1;
  const afterTitle = titleEnd === -1 ? -1 : matchEnd(lineEnd, text, titleEnd);
  const to = afterTitle === -1 ? matchEnd(lineEnd, text, end) : afterTitle;
  return to === -1 ? null : { address, from, end, to };
};

/** The definitions of links at the start of a paragraph. */
export function* definitionsIn(text: string) {
  for (let next = definitionAt(text, 0); next; next = definitionAt(text, next.to)) yield next;
}

/** A paragraph of nothing else is none, so that no line under it makes it a heading. */
export const isDefinitions = (text: string): boolean => [...definitionsIn(text)].at(-1)?.to === text.length;

export const externalLabelsIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*\[/gm)].flatMap(({ 0: start, index }) => {
    const at = index + start.length - 1;
    const found = labelAt(text, at);
    if (!found || text[found.to] !== ':') return [];
    const target = targetAt(text, matchEnd(space, text, found.to + 1));
    return target && isExternal(decodeEscapes(target.address)) ? [linkLabel(found.label)] : [];
  });

/** The service reads no mention directly after a word. */
const readEmail = (scan: Scan, at: number): number => {
  const isAfterWord = /[A-Za-z0-9_]/.test(scan.text[at - 1] ?? '');
  const host = isAfterWord ? match(/@[\w-]+(?:\.[\w-]+)+(?<![-_])/y, scan.text, at) : undefined;
  return host === undefined ? at + 1 : add(scan, { from: at, to: at + host.length, kind: 'target' });
};

/** Services with formulas between dollars read a backtick in them as part of the formula. */
const readDollar: Reader = (scan, at) => {
  const { text, missing } = scan;
  const end = missing.has('$') ? -1 : text.indexOf('$', at + 1);
  if (end === -1) missing.add('$');
  else scan.isAmbiguous ||= text.slice(at, end).includes('`');
  return at + 1;
};

const readUrl = (scan: Scan, at: number): number => {
  const { text } = scan;
  const isWord = /[A-Za-z0-9]/.test(text[at - 1] ?? '');
  const found = match(/(?:https?|ftp):\/\/[A-Za-z0-9-][^\s<]*/iy, text, at)
    ?? (isWord ? undefined : match(/www\.[A-Za-z0-9-][^\s<]*/iy, text, at));
  if (found === undefined) return at + 1;
  const to = at + lengthOfUrl(found);
  const tick = found.indexOf('`');
  if (tick === -1 || at + tick >= to) return add(scan, { from: at, to, kind: 'target' });
  // Services differ in whether the backtick starts code.
  add(scan, { from: at, to: at + tick, kind: 'target' });
  return at + found.length;
};

/** A closing bracket without an opening one, and punctuation at the end, do not belong to a URL. */
const lengthOfUrl = (url: string): number => {
  let [brackets, parentheses, length] = [0, 0, url.length];
  for (let i = 0; i < url.length; i++) {
    if (url[i] === '[') brackets++;
    else if (url[i] === ']' && --brackets < 0) {
      length = i;
      break;
    } else if (url[i] === '(') parentheses++;
    else if (url[i] === ')') parentheses--;
  }
  for (;; length--) {
    const last = url[length - 1]!;
    if (last === ')' && parentheses < 0) parentheses++;
    else if (last === ';' && /&[A-Za-z0-9]{1,32};$/.test(url.slice(Math.max(0, length - 34), length))) {
      length = url.lastIndexOf('&', length - 1) + 1;
    } else if (!/[?!.,:*_~'"]/.test(last)) return length;
  }
};

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['\\', readEscape], ['`', readCode], ['<', readAngle], ['[', readOpener], ['!', readOpener], [']', readBracket],
  ['@', readEmail], ['$', readDollar], ...[...'hHfFwW'].map((letter): [string, Reader] => [letter, readUrl]),
]);

/** Takes the `!` of an image away, so that it is a link; inside a link, its text is left. */
const withImages = ({ parts, images, links, text }: Scan): InlinePart[] => {
  if (images.length === 0) return parts;
  const outer = [...links].sort((a, b) => a.from - b.from);
  const edits: InlinePart[] = [];
  let index = 0;
  let end = -1;
  for (const { at, textEnd, to } of [...images].sort((a, b) => a.at - b.at)) {
    for (; index < outer.length && outer[index]!.from < at; index++) end = Math.max(end, outer[index]!.to);
    const isInLink = to <= end;
    end = Math.max(end, to);
    edits.push({ from: at, to: at + (isInLink ? 2 : 1), kind: 'tag', next: text[at - 1] === '!' ? '\u2060' : '' });
    if (isInLink) edits.push({ from: textEnd, to, kind: 'tag', next: '' });
  }
  const removed = edits.filter((edit) => edit.to - edit.from > 1).sort((a, b) => a.from - b.from);
  return [...parts.filter((part) => !isInside(part, removed)), ...edits].sort((a, b) => a.from - b.from);
};

const isInside = (part: InlinePart, ranges: readonly InlinePart[]): boolean => {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.from <= part.from) low = middle + 1;
    else high = middle;
  }
  return low > 0 && part.to <= ranges[low - 1]!.to;
};
