import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { decodeEntities } from '../../../markdown/entities.js';
import { counted } from '../../../text/messages.js';
import { plainLine, plainText } from '../../../text/plain.js';
import { linked, safeAddress, type Paint, type Tone } from '../../terminal/io/style.js';
import { unbroken, widthOf, withSpaces, wrapWords } from '../../terminal/io/width.js';

/** Longer text is not rendered, because the parser takes more than linear time for some. */
const maxLength = 20_000;

/** Control characters are escaped before parsing and again after entities are decoded. */
export const markdownText = (source: string, width: number, on: Rendering): string => {
  const safe = plainText(source).replace(/(?<!\n)\n+$/, '');
  if (safe.length > maxLength) return safe;
  try {
    return withSpaces(blocks(new Lexer({ gfm: true }).lex(safe), width, on));
  } catch (error) {
    if (error instanceof RangeError) return safe;   // deeply nested quotes overflow the stack of the parser
    throw error;
  }
};

interface Rendering {
  readonly paint: Paint;
  readonly links: boolean;
  readonly resolveLink: (href: string) => string | null;
}

const blocks = (tokens: readonly Token[], width: number, on: Rendering): string =>
  foldedTokens(tokens).map((one) => 'folded' in one ? foldedText(one.folded, width, on)
    : block(one.token as MarkedToken, width, on)).filter((text) => text !== '').join('\n\n');

/** `folded` is the source of what a browser shows only after a click. */
type FoldedToken = { readonly token: Token } | { readonly folded: string };

/** `<details>` is folded up to its end, unless it is open. */
const foldedTokens = (tokens: readonly Token[]): readonly FoldedToken[] => {
  const shown: FoldedToken[] = [];
  const folds: boolean[] = [];
  let source = '';
  const end = () => {
    shown.push({ folded: source });
    source = '';
  };
  for (const token of tokens.flatMap(htmlPieces)) {
    const wasFolded = folds.includes(true);
    const [, slash, attributes = ''] = token.type === 'html' ? detailsTag.exec(token.raw) ?? [] : [];
    if (slash === '') folds.push(!/\sopen\b/i.test(attributes));
    if (slash === '/') folds.pop();
    if (wasFolded && !folds.includes(true)) end();
    else if (wasFolded) source += token.raw;
    else if (slash === undefined) shown.push({ token });
  }
  if (folds.includes(true)) end();
  return shown;
};

const detailsTag = /^<(\/?)details((?:\s[^<>]*)?)>$/i;

const htmlPieces = (token: Token): readonly Token[] => token.type !== 'html' ? [token]
  : token.raw.split(/(<\/?details(?:\s[^<>]*)?>)/i).filter((piece) => piece !== '')
    .map((piece) => ({ ...token, raw: piece, text: piece }));

const foldedText = (source: string, width: number, { paint }: Rendering): string => {
  const [whole = '', summary = 'Details'] = /^\s*<summary(?:\s[^<>]*)?>([^]*?)<\/summary>/i.exec(source) ?? [];
  const lines = source.replace(whole, '').split('\n').filter((line) => line.trim() !== '').length;
  const count = lines === 0 ? '' : paint('faint', ` (${counted(lines, 'line')} folded)`);
  return wrapWords(`▸ ${plainLine(stripTags(summary))}${count}`, width);
};

const block = (token: MarkedToken, width: number, on: Rendering): string => {
  switch (token.type) {
    case 'space': case 'def': return '';
    case 'heading':
      return on.paint('strong', wrapWords(`${'#'.repeat(token.depth)} ${inline(token.tokens, on)}`, width));
    case 'code': return code(token, on);
    case 'hr': return on.paint('faint', '─'.repeat(Math.min(width, 20)));
    case 'blockquote': return prefixLines(blocks(token.tokens, innerWidth(width, 2), on), on.paint('faint', '│ '));
    case 'list': return list(token, width, on);
    case 'table': return table(token, on);
    case 'html': return wrapWords(stripTags(token.text).trim(), width);
    case 'paragraph': return wrapWords(inline(token.tokens, on), width);
    default: return wrapWords(inline([token], on), width);
  }
};

const innerWidth = (width: number, less: number): number => Math.max(20, width - less);

const prefixLines = (text: string, mark: string): string =>
  text.split('\n').map((line) => (mark + line).trimEnd()).join('\n');

/** Code is not wrapped, because line breaks change its meaning. */
const code = ({ text, lang }: Tokens.Code, { paint }: Rendering): string => {
  const label = lang ? [paint('faint', lang)] : [];
  const lines = text.split('\n').map((line) => paint('code', line));
  return prefixLines([...label, ...lines].join('\n'), '    ');
};

const list = ({ items, ordered, start, loose }: Tokens.List, width: number, on: Rendering): string =>
  items.map((item, i) => {
    const bullet = ordered ? `${Number(start) + i}. ` : '- ';
    const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
    const text = itemBlocks(item, innerWidth(width, bullet.length), on);
    return bullet + box + text.replaceAll('\n', `\n${' '.repeat(bullet.length)}`).replace(/(?<! ) +$/gm, '');
  }).join(loose ? '\n\n' : '\n');

/** In a tight list, no empty line separates an item from its sublist. */
const itemBlocks = ({ tokens, loose }: Tokens.ListItem, width: number, on: Rendering): string =>
  tokens.filter(({ type }) => type !== 'checkbox').map((token) => block(token as MarkedToken, width, on))
    .filter((text) => text !== '').join(loose ? '\n\n' : '\n');

const table = ({ header, rows }: Tokens.Table, on: Rendering): string => {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens, on).replaceAll('\n', ' ')));
  const widths = header.map((_, i) => Math.max(...cells.map((row) => widthOf(row[i] ?? ''))));
  const padded = (cell: string, i: number) => cell + ' '.repeat(widths[i]! - widthOf(cell));
  const lines = cells.map((row) => row.map(padded).join('  ').trimEnd());
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [on.paint('strong', lines[0]!), rule, ...lines.slice(1)].join('\n');
};

/** Without colors, the Markdown marks stay. */
const inline = (tokens: readonly Token[] | undefined, on: Rendering): string =>
  (tokens ?? []).map((token) => inlineToken(token as MarkedToken, on)).join('');

const inlineToken = (token: MarkedToken, on: Rendering): string => {
  switch (token.type) {
    case 'strong': return styled('strong', '**', inline(token.tokens, on), on);
    case 'em': return styled('emphasis', '_', inline(token.tokens, on), on);
    case 'del': return styled('struck', '~~', inline(token.tokens, on), on);
    case 'codespan': return styled('code', '`', unbroken(plainEntities(token.text)), on);
    case 'br': return '\n';
    case 'link': return link(token, on);
    case 'image': return linkText(`image: ${plainEntities(token.text) || 'unnamed'}`, token.href, on);
    case 'html': return stripTags(token.text);
    case 'text': return token.tokens ? inline(token.tokens, on) : plainEntities(token.text);
    default: return plainEntities('text' in token ? token.text : token.raw);
  }
};

const styled = (tone: Tone, mark: string, text: string, { paint }: Rendering): string => {
  const painted = paint(tone, text);
  return painted === text ? mark + text + mark : painted;
};

/** A URL that is its own link text is shown once. */
const link = ({ tokens, href }: Tokens.Link, on: Rendering): string => {
  const text = inline(tokens, on);
  return linkText(text, plainEntities(href) === text ? '' : href, on, href);
};

const linkText = (text: string, shown: string, { paint, links, resolveLink }: Rendering, href = shown): string => {
  const address = resolveLink(href);
  const safe = address === null ? null : safeAddress(address);
  if (links && safe !== null) return linked(paint('link', text), safe);
  return shown === '' ? text : `${text} (${plainEntities(address ?? shown)})`;
};

const stripTags = (html: string): string => plainEntities(html
  .replace(/<!--[\s\S]*?(-->|$)/g, '').replace(/<br\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, ''));

/** Control characters among the entities are escaped too. */
const plainEntities = (text: string): string => plainText(decodeEntities(text));
