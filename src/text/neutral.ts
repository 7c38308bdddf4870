import { decoded, entityOf } from './entities.js';
import { cellsOf, leavesOf, type Leaf, type Line } from './markdown-blocks.js';
import {
  definitionAt, externalLabelsIn, htmlPartsOf, partsOf, type InlineOptions, type Part,
} from './markdown-inline.js';

/** U+2060, which is invisible and has no width. */
const wordJoiner = '\u2060';

/** How a text is made neutral. */
export interface NeutralOptions {
  /** Whether the text may contain HTML. If not, each `<` outside code and links is escaped, so that it is shown. */
  readonly isHtml?: boolean;
  /** Whether the text goes into a line of another one, so that it has no blocks. */
  readonly isInline?: boolean;
}

/**
 * Makes a text from outside harmless in a note: it runs no quick action, mentions nobody, refers to nothing, suggests
 * no change and loads no image of another host. An invisible word joiner separates the character that has the effect
 * from what follows it, also where that character is escaped or an entity: the service resolves references after
 * Markdown has decoded these. Code and the addresses of links stay as they are. Takes linear time.
 */
export const neutralText = (text: string, { isHtml = true, isInline = false }: NeutralOptions = {}): string => {
  if (isInline) return neutralInline(text, partsOf(text, { isHtml, externalLabels: new Set() })).replaceAll('\0', ' ');
  const leaves = leavesOf(text.replaceAll('\0', '\ufffd'), isHtml);
  const options = { isHtml, externalLabels: new Set(leaves.flatMap((leaf) => labelsIn(leaf))) };
  const lines = leaves.flatMap((leaf) => neutralLeaf(leaf, options));
  return withInertCode(lines).map(({ prefix, content, end }) => prefix + content + end).join('');
};

/** A text in a block of code made for it. A quick action after a fence in the text would run, as in `neutralText`. */
export const inertInCode = (text: string): string =>
  /^(?:```|~~~|>>>)/m.test(text) ? text.replace(quickAction, `$1${wordJoiner}/`) : text;

const labelsIn = ({ kind, lines }: Leaf): string[] => kind === 'paragraph' ? externalLabelsIn(contentOf(lines)) : [];

const contentOf = (lines: readonly Line[]): string => lines.map(({ content }) => content).join('\n');

interface OutputLine extends Line { readonly isCode: boolean; readonly isFence: boolean }

const neutralLeaf = ({ kind, lines }: Leaf, options: InlineOptions): OutputLine[] => {
  const outputs = (contents: readonly string[]) => lines.map((line, i): OutputLine =>
    ({ ...line, content: contents[i]!, isCode: kind === 'code', isFence: kind === 'open' || kind === 'close' }));
  switch (kind) {
    case 'open': return outputs(lines.map(({ content }) => withoutSuggestion(content)));
    case 'code': case 'close': case 'rule': return outputs(lines.map(({ content }) => content));
    case 'row': return outputs(lines.map(({ content }) => neutralRow(content, options)));
    case 'heading': return outputs(lines.map(({ content }) => neutralInline(content, partsOf(content, options))));
    case 'html': return joined(lines, neutralInline(contentOf(lines), htmlPartsOf(contentOf(lines))));
    case 'paragraph': return joined(lines, neutralParagraph(contentOf(lines), options));
  }
};

/** The lines of a leaf with a new text, in which NUL is a line break that becomes a space. */
const joined = (lines: readonly Line[], text: string): OutputLine[] => {
  const outputs: OutputLine[] = [];
  const [first = '', ...others] = text.split(/(?=[\n\0])/);
  for (const [i, content] of [`\n${first}`, ...others].entries()) {
    const { prefix, end } = lines[i]!;
    const last = outputs.at(-1);
    if (content.startsWith('\0') && last) {
      outputs[outputs.length - 1] = { ...last, content: `${last.content} ${content.slice(1)}`, end };
    } else outputs.push({ prefix, content: content.slice(1), end, isCode: false, isFence: false });
  }
  return outputs;
};

/** A suggestion can be applied with one click; without the word, its block is plain code. */
const withoutSuggestion = (fence: string): string => {
  const [, mark, info] = /^(`{3,}|~{3,})(.*)$/.exec(fence)!;
  return /^\s*suggestion/i.test(decoded(info!)) ? mark! : fence;
};

const neutralRow = (row: string, options: InlineOptions): string => {
  const parts: Part[] = [];
  let at = 0;
  for (const cell of cellsOf(row)) {
    const from = row.indexOf(cell, at);
    parts.push(...partsOf(cell, options).map((part) => ({ ...part, from: part.from + from, to: part.to + from })));
    at = from + cell.length;
  }
  return neutralInline(row, parts);
};

const neutralParagraph = (text: string, options: InlineOptions): string => {
  const parts: Part[] = [];
  let start = 0;
  for (let found = definitionAt(text, 0); found; found = text[start] === '[' ? definitionAt(text, start) : null) {
    parts.push({ from: found.from, to: found.end, kind: 'target' });
    start = found.to;
  }
  return neutralInline(text, [...parts, ...partsOf(text, options, start)]);
};

/** What a text shows, and where each UTF-16 unit of it is in the text. Code and addresses are one character. */
interface Shown {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const shownOf = (text: string, parts: readonly Part[]): Shown => {
  const [shown, starts, ends]: [string[], number[], number[]] = [[], [], []];
  const show = (characters: string, from: number, to: number) => {
    shown.push(characters);
    for (let i = 0; i < characters.length; i++) {
      starts.push(from);
      ends.push(to);
    }
  };
  const showText = (from: number, to: number) => {
    for (const { 0: raw, index } of text.slice(from, to).matchAll(/&#?\w{1,32};|\\[!-/:-@[-`{-~]|[^]/gu)) {
      const character = raw.length === 1 ? raw : raw.startsWith('\\') ? raw[1]! : entityOf(raw);
      if (character !== null) show(character, from + index, from + index + raw.length);
      else for (let i = 0; i < raw.length; i++) show(raw[i]!, from + index + i, from + index + i + 1);
    }
  };
  let at = 0;
  for (const { from, to, kind, next } of parts) {
    showText(at, from);
    if (kind !== 'tag') show('\ufffc', from, to);
    else if (next === '&lt;') show('<', from, to);
    at = to;
  }
  showText(at, text.length);
  return { text: shown.join(''), starts, ends };
};

/** A command at the start of a line; the service ignores white space before it. */
const quickAction = /((?:^|[\r\n\u2028\u2029])[^\S\r\n\u2028\u2029]*)\/(?=[A-Za-z_])/g;
/** The character that has an effect is the last one of each match. */
const effects: readonly RegExp[] = [
  /@(?=["\p{L}\p{N}_.-])/gu,
  // Issues, merge requests, epics, snippets, milestones and labels.
  /[#!&$%](?=\d)|[%~](?=["\p{L}\p{N}_])/gu,
  // Entities without a semicolon, which browsers decode in blocks of HTML.
  /&#(?=[xX]?[\da-fA-F])|&(?=amp\d)/gi,
  // `GL-12` and `[work_item:acme/app/12]`, other forms of a reference, and `[[page]]`.
  /\bGL(?=-\d)|\*iteration(?=:)|\[(?:issue|work_item|epic|vulnerability|feature_flag|contact|wiki_page):|\[(?=\[)/g,
];

const neutralInline = (text: string, parts: readonly Part[]): string => {
  const shown = shownOf(text, parts);
  const joiners = new Set<number>();
  for (const effect of effects) {
    for (const { 0: match, index } of shown.text.matchAll(effect)) joiners.add(shown.ends[index + match.length - 1]!);
  }
  for (const { 0: match, index } of shown.text.matchAll(quickAction)) {
    joiners.add(shown.starts[index + match.length - 1]!);
  }
  return withParts(text, parts, [...joiners].sort((a, b) => a - b));
};

const withParts = (text: string, parts: readonly Part[], joiners: readonly number[]): string => {
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
    pieces.push(next ?? withoutLineStarts(text.slice(from, to)));
    at = to;
  }
  copy(text.length);
  return pieces.join('');
};

/** A command at the start of a line would run although it is in code; a space means the same there as a line break. */
const withoutLineStarts = (part: string): string => part.replace(/\n(?=\s*\/[A-Za-z_])/g, '\0');

const isAction = ({ prefix, content }: Line): boolean => prefix === '' && /^\/[A-Za-z_]/.test(content);

/** Services read quick actions by lines: in code, one is ignored only between fences of three characters. */
const withInertCode = (lines: readonly OutputLine[]): readonly OutputLine[] => {
  if (!lines.some((line) => line.isCode && isAction(line))) return lines;
  const fenced = withShortFences(lines);
  const isIgnored = ignoredLines(fenced.map(({ prefix, content }) => prefix + content));
  return fenced.map((line, i) =>
    line.isCode && isAction(line) && !isIgnored[i] ? { ...line, content: wordJoiner + line.content } : line);
};

const withShortFences = (lines: readonly OutputLine[]): OutputLine[] => {
  const result: OutputLine[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at + 1;
    if (lines[at]!.isFence) while (lines[end]?.isCode) end++;
    const block = lines.slice(at, end);
    const mark = shortFence(block);
    const close = mark === null ? undefined : lines[end];
    if (close?.isFence) {
      const [open, ...code] = block.map((line) => ({ ...line, prefix: '' }));
      const content = open!.content.replace(/^(?:`+|~+)/, mark!);
      result.push({ ...open!, content }, ...code, { ...close, prefix: '', content: mark! });
      end++;
    } else result.push(...block);
    at = end;
  }
  return result;
};

/** The fence of three characters around the same code; null if there is none. */
const shortFence = ([open, ...code]: readonly OutputLine[]): string | null => {
  const [, mark, info] = open!.isFence ? /^(`{3,}|~{3,})(.*)$/.exec(open!.content) ?? [] : [];
  const isReadable = code.length > 0 && (open!.prefix === '' || code.some(isAction));
  if (mark === undefined || !isReadable) return null;
  const fits = (fence: string) =>
    !code.some(({ content }) => content.startsWith(fence)) && (fence === '~~~' || !info!.includes('`'));
  return (mark.startsWith('`') ? ['```', '~~~'] : ['~~~', '```']).find(fits) ?? null;
};

/** Blocks by the lines that open and close them, as services find them before they read Markdown. */
const blocks = [
  { open: /^```/, close: /^```\s*$/ }, { open: /^~~~/, close: /^~~~\s*$/ }, { open: /^>>>\s*$/, close: /^>>>\s*$/ },
  { open: /^<[a-z][^>]*>\s*$/i, close: /^<\/[^>]+>\s*$/ },
];

const ignoredLines = (lines: readonly string[]): boolean[] => {
  const last = blocks.map(({ close }) => lines.findLastIndex((line) => close.test(line)));
  let block: (typeof blocks)[number] | undefined;
  return lines.map((line, i) => {
    if (!block) {
      block = blocks.find(({ open }, kind) => last[kind]! > i && open.test(line));
      return block !== undefined;
    }
    if (block.close.test(line)) block = undefined;
    return true;
  });
};
