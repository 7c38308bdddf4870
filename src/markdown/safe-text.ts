import { leafText, readBlocks, tableCells, type Leaf, type MarkdownLine } from './blocks.js';
import { decodeEntity, decodeEscapes } from './entities.js';
import { isReference } from './html.js';
import {
  definitionsIn, externalLabelsIn, htmlParts, inlineParts, mayDefine, type InlineOptions, type InlinePart,
} from './inline.js';
import { actionsByLine } from './quick-actions.js';

/** Invisible and without width (U+2060). */
const wordJoiner = '\u2060';

interface Effects {
  readonly mentions: number;
  readonly commands: number;
  readonly references: number;
  readonly suggestions: number;
}

type Count = (kind: keyof Effects, times?: number) => void;

interface NeutralOptions {
  /** If not, each `<` outside code and links is escaped, so that it is shown. */
  readonly isHtml?: boolean;
  /** The text goes into a line of another one, so that it has no blocks. */
  readonly isInline?: boolean;
}

/**
 * Makes a text from outside harmless in a note: no quick actions, mentions, references, suggestions, images of other
 * hosts. A word joiner follows the character that has the effect, even if that is escaped or an entity: the service
 * resolves references after Markdown has decoded these. Takes linear time.
 */
export const neutralText = (text: string, options: NeutralOptions = {}): string => neutralized(text, options).text;

export const neutralized = (
  given: string, { isHtml = true, isInline = false }: NeutralOptions = {},
): { readonly text: string; readonly effects: Effects } => {
  const text = withoutReturns(given, isInline ? ' ' : '\n');
  const effects = { mentions: 0, commands: 0, references: 0, suggestions: 0 };
  const count: Count = (kind, times = 1) => { effects[kind] += times; };
  if (isInline) {
    const parts = inlineParts(text, { isHtml, externalLabels: new Set() });
    return { text: neutralInline(text, parts, count).replaceAll('\0', ' '), effects };
  }
  const { leaves, ...blocks } = readBlocks(text.replaceAll('\0', '\ufffd'), isHtml);
  const isAmbiguous = blocks.isAmbiguous || hasExtensions(text) || leaves.some(isDoubtful);
  const externalLabels = new Set(leaves.flatMap((leaf) => labelsIn(leaf, isAmbiguous)));
  const options = { isHtml, externalLabels, ...isAmbiguous && { isAmbiguous } };
  const neutral = withInertCode(leaves.map((leaf) => neutralLeaf(leaf, options, count)), count)
    .map(({ lines }) => lines.map(({ prefix, content, end }) => prefix + content + end).join('')).join('');
  return { text: neutral, effects };
};

/** Services delete carriage returns, which would join what they separate; Markdown takes them for line breaks. */
const withoutReturns = (text: string, separator = '\n'): string => text.replace(/\r(?!\n)/g, separator);

/** The text as it was before `neutralText`, for a terminal. */
export const withoutJoiners = (text: string): string => text.replaceAll(wordJoiner, '');

/**
 * What services read besides Markdown: a block at the start that has settings, and quotes, footnotes and descriptions
 * that can have code. What is code without these may be text, and the other way round.
 */
const hasExtensions = (text: string): boolean =>
  /^(?:[^\n]*coding:[^\n]*\n\s*)?(?:---|\+\+\+|;;;)/.test(text.trimStart())
  || />>>[ \t]*$|^[ \t>*+.)\d-]*(?:\[\^[^\]\s]{1,1000}\]:|:[ \t])/m.test(text);

/** Replacing the first tag of a block of HTML makes it another block, and versions differ in where some of them end. */
const isDoubtful = (leaf: Leaf): boolean => {
  const text = leafText(leaf);
  if (leaf.kind === 'paragraph') return mayDefine(text);
  if (leaf.kind !== 'html') return false;
  const next = htmlParts(text)[0]?.next;
  const isAlone = leaf.lines.length === 1 && leaf.lines[0]!.prefix === '';
  return /<\/?textarea\b|^<\/?search\b/i.test(text) || next === '&lt;' || (next !== undefined && !isAlone);
};

const labelsIn = (leaf: Leaf, isAmbiguous: boolean): string[] =>
  leaf.kind === 'paragraph' || (isAmbiguous && /^(?:code|html)$/.test(leaf.kind))
    ? externalLabelsIn(leafText(leaf)) : [];

const neutralLeaf = (leaf: Leaf, options: InlineOptions, count: Count): Leaf => {
  const { kind, lines } = leaf;
  const byLine = (neutral: (content: string) => string): Leaf =>
    ({ kind, lines: lines.map((line) => ({ ...line, content: neutral(line.content) })) });
  switch (kind) {
    case 'close': case 'rule': return leaf;
    case 'open': return byLine((content) => neutralFence(content, options, count));
    case 'row': return byLine((content) => neutralRow(content, options, count));
    case 'heading': return byLine((content) => neutralInline(content, inlineParts(content, options), count));
    case 'html': case 'code': case 'paragraph': break;
  }
  const text = leafText(leaf);
  if (options.isAmbiguous) {
    const plain = text.replace(fenceLine, (fence, mark: string, info: string) =>
      withoutLanguage(mark, info, count) ?? fence);
    return joined(leaf, neutralParagraph(plain, options, count));
  }
  if (kind === 'paragraph') return joined(leaf, neutralParagraph(text, options, count));
  return kind === 'code' ? leaf : joined(leaf, neutralInline(text, htmlParts(text), count));
};

const fenceLine = /^([ \t>*+.)\d-]*(?:`{3,}(?=[^`\n]*$)|~{3,}))([^\n]*)/gm;

/** NUL is a line break that becomes a space. */
const joined = ({ kind, lines }: Leaf, text: string): Leaf => {
  let next = 0;
  return { kind, lines: text.split('\n').map((line) => {
    const { prefix } = lines[next]!;
    const pieces = line.split('\0');
    next += pieces.length;
    return { prefix, content: pieces.join(' '), end: lines[next - 1]!.end };
  }) };
};

const neutralFence = (fence: string, options: InlineOptions, count: Count): string => {
  const [, mark = '', info = ''] = /^(`{3,}|~{3,})([^]*)$/.exec(fence)!;
  return withoutLanguage(mark, info, count)
    ?? (options.isAmbiguous ? mark + neutralInline(info, inlineParts(info, options), count) : fence);
};

const withoutLanguage = (mark: string, info: string, count: Count): string | null => {
  const [, language] = /^\s*(suggestion|json(?=[^]*table))/i.exec(decodeEscapes(info)) ?? [];
  if (language === undefined) return null;
  if (/^s/i.test(language)) count('suggestions');
  return mark;
};

const neutralRow = (row: string, options: InlineOptions, count: Count): string => {
  const parts: InlinePart[] = [];
  let at = 0;
  for (const cell of tableCells(row)) {
    const from = row.indexOf(cell, at);
    parts.push(...inlineParts(cell, options).map((part) => ({ ...part, from: part.from + from, to: part.to + from })));
    at = from + cell.length;
  }
  return neutralInline(row, parts, count);
};

const neutralParagraph = (text: string, options: InlineOptions, count: Count): string => {
  const definitions = options.isAmbiguous ? [] : [...definitionsIn(text)];
  const addresses = definitions.flatMap(({ address, from, end }): InlinePart[] =>
    isReference(decodeEscapes(address)) ? [] : [{ from, to: end, kind: 'target' }]);
  return neutralInline(text, [...addresses, ...inlineParts(text, options, definitions.at(-1)?.to)], count);
};

/** What is not plain stands for all between `from` and `to`. */
interface Piece {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly isPlain: boolean;
}

const shownText = (text: string, parts: readonly InlinePart[]) => {
  const [shown, pieces]: [string[], Piece[]] = [[], []];
  let length = 0;
  const show = (characters: string, from: number, to: number, isPlain = false) => {
    if (characters === '') return;
    shown.push(characters);
    pieces.push({ at: length, from, to, isPlain });
    length += characters.length;
  };
  const showText = (from: number, to: number) => {
    let at = from;
    for (const { 0: raw, index } of text.slice(from, to).matchAll(/&#?\w{1,32};|\\[!-/:-@[-`{-~]/g)) {
      const character = raw.startsWith('\\') ? raw[1]! : decodeEntity(raw);
      if (character === null) continue;
      const start = from + index;
      show(text.slice(at, start), at, start, true);
      at = start + raw.length;
      show(character, start, at);
    }
    show(text.slice(at, to), at, to, true);
  };
  let at = 0;
  for (const { from, to, kind, next } of parts) {
    showText(at, from);
    if (kind !== 'tag') show('\ufffc', from, to);
    else if (next === '&lt;') show('<', from, to);
    at = to;
  }
  showText(at, text.length);
  return { shown: shown.join(''), pieces };
};

const command = String.raw`^[^\S\r\n\u2028\u2029]*\/(?=[A-Za-z_])`;
/** The last character of each match has the effect. */
const effects = new RegExp([
  command, String.raw`@(?=["\p{L}\p{N}_.\-])`,
  // Issues, merge requests, epics, snippets, milestones and labels.
  String.raw`[#!&$%](?=\d)|[%~](?=["\p{L}\p{N}_])`,
  // Entities without a semicolon, which browsers decode in blocks of HTML.
  String.raw`&#(?=[xX]?[\da-fA-F])|&(?=[aA][mM][pP]\d)`,
  // `GL-12` and `[work_item:acme/app/12]`, other forms of a reference, and `[[page]]`.
  String.raw`\bGL(?=-\d)|\*iteration(?=:)|\[(?:issue|work_item|epic|vulnerability|feature_flag|contact|wiki_page):`,
  String.raw`\[(?=\[)`,
].join('|'), 'gmu');

const effectKind = (effect: string): keyof Effects =>
  effect.endsWith('/') ? 'commands' : effect.endsWith('@') ? 'mentions' : 'references';

const neutralInline = (text: string, parts: readonly InlinePart[], count: Count): string => {
  const { shown, pieces } = shownText(text, parts);
  const joiners: number[] = [];
  let piece = 0;
  for (const { 0: match, index } of shown.matchAll(effects)) {
    count(effectKind(match));
    const last = index + match.length - 1;
    while (piece + 1 < pieces.length && pieces[piece + 1]!.at <= last) piece++;
    const { at, from, to, isPlain } = pieces[piece]!;
    const isBefore = match.endsWith('/');
    joiners.push(isPlain ? from + last - at + (isBefore ? 0 : 1) : isBefore ? from : to);
  }
  return withParts(text, parts, joiners, count);
};

const withParts = (text: string, parts: readonly InlinePart[], joiners: readonly number[], count: Count): string => {
  const pieces: string[] = [];
  let at = 0;
  let i = 0;
  const copy = (to: number) => {
    for (; i < joiners.length && joiners[i]! <= to; i++) {
      pieces.push(text.slice(at, joiners[i]), wordJoiner);
      at = joiners[i]!;
    }
    pieces.push(text.slice(at, to));
    at = to;
  };
  for (const { from, to, next } of parts) {
    copy(from);
    pieces.push(next ?? withoutLineStarts(text.slice(from, to), count));
    at = to;
  }
  copy(text.length);
  return pieces.join('');
};

/** A command at the start of a line would run although it is in code; a space means the same there as a line break. */
const withoutLineStarts = (part: string, count: Count): string =>
  part.replace(/(?<!\s)\s+(?=\/[A-Za-z_])/g, (space) => {
    if (space.includes('\n')) count('commands');
    return space.replaceAll('\n', '\0');
  });

const isAction = ({ prefix, content }: MarkdownLine): boolean => prefix === '' && /^\/[A-Za-z_]/.test(content);

const hasAction = ({ kind, lines }: Leaf): boolean => kind === 'code' && lines.some(isAction);

/** Older services find quick actions by lines; a block of code with a fence of three backticks has none for them. */
const withInertCode = (leaves: readonly Leaf[], count: Count): readonly Leaf[] => {
  if (!leaves.some(hasAction)) return leaves;
  const fenced = withShortFences(leaves);
  const found = actionsByLine(fenced.flatMap(({ lines }) => lines)
    .map(({ prefix, content, end }) => prefix + content + end).join(''));
  let at = 0;
  return fenced.map((leaf) => ({ ...leaf, lines: leaf.lines.map((line) => {
    const start = at;
    at += line.prefix.length + line.content.length + line.end.length;
    if (leaf.kind !== 'code' || !isAction(line) || !found.has(start)) return line;
    count('commands');
    return { ...line, content: wordJoiner + line.content };
  }) }));
};

const withShortFences = (leaves: readonly Leaf[]): Leaf[] => {
  const result = [...leaves];
  for (const [i, open] of leaves.entries()) {
    const [code, close] = [leaves[i + 1], leaves[i + 2]];
    if (open.kind !== 'open' || code?.kind !== 'code' || close?.kind !== 'close') continue;
    if (open.lines[0]!.prefix !== '' && !code.lines.some(isAction)) continue;
    if (!fitsShortFence(open.lines[0]!, code.lines)) continue;
    result[i] = unindented(open, (content) => content.replace(/^(?:`+|~+)/, '```'));
    result[i + 1] = unindented(code, (content) => content);
    result[i + 2] = unindented(close, () => '```');
  }
  return result;
};

const unindented = ({ kind, lines }: Leaf, changed: (content: string) => string): Leaf =>
  ({ kind, lines: lines.map(({ content, end }) => ({ prefix: '', content: changed(content), end })) });

const fitsShortFence = ({ content: open }: MarkdownLine, code: readonly MarkdownLine[]): boolean =>
  !/^~[^]*`/.test(open) && !code.some(({ content }) => content.startsWith('```'));

/** Text for a block of code, in which nothing that services read before Markdown ends the block for them. */
export const inertInCode = (given: string): string => {
  const text = withoutReturns(given);
  return /^(?:```|~~~|>>>|<)/m.test(text) ? text.replace(/^(?=\/[A-Za-z_])/gm, wordJoiner) : text;
};

export const withoutCommands = (given: string): string => {
  const text = withoutReturns(given);
  let [inert, done] = ['', 0];
  for (const at of actionsByLine(text)) {
    inert += text.slice(done, at) + wordJoiner;
    done = at;
  }
  return inert + text.slice(done);
};
