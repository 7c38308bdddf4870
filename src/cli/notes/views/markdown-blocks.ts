import type { MarkedToken, Token, Tokens } from 'marked';
import { widthOf } from '../../terminal/io/width.js';
import { wrapWords } from '../../terminal/io/wrap.js';
import { inline, stripTags, type Rendering } from './markdown.js';

/** Renders blocks with empty lines between them, wrapped to `width` where possible. */
export const blocks = (tokens: readonly Token[], width: number, on: Rendering): string =>
  tokens.map((token) => block(token as MarkedToken, width, on)).filter((text) => text !== '').join('\n\n');

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

const minWidth = 20;
const innerWidth = (width: number, less: number): number => Math.max(minWidth, width - less);

/** Prefixes each line of a text. */
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
    return bullet + box + text.replaceAll('\n', `\n${' '.repeat(bullet.length)}`).replace(/ +$/gm, '');
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
