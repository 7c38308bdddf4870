import type { MarkedToken, Token, Tokens } from 'marked';
import wrapAnsi from 'wrap-ansi';
import { widthOf } from '../io/width.js';
import { inline, withoutTags, type Rendering } from './markdown.js';

/** Blocks one below the other with an empty line between them, no line wider than `width` that can be broken. */
export const blocks = (tokens: readonly Token[], width: number, on: Rendering): string =>
  tokens.map((token) => block(token as MarkedToken, width, on)).filter((text) => text !== '').join('\n\n');

const block = (token: MarkedToken, width: number, on: Rendering): string => {
  switch (token.type) {
    case 'space': case 'def': return '';
    case 'heading': return on.paint('strong', wrapped(`${'#'.repeat(token.depth)} ${inline(token.tokens, on)}`, width));
    case 'code': return code(token, on);
    case 'hr': return on.paint('faint', '─'.repeat(Math.min(width, 20)));
    case 'blockquote': return below(blocks(token.tokens, inside(width, 2), on), on.paint('faint', '│ '));
    case 'list': return list(token, width, on);
    case 'table': return table(token, on);
    case 'html': return wrapped(withoutTags(token.text).trim(), width);
    case 'paragraph': return wrapped(inline(token.tokens, on), width);
    default: return wrapped(inline([token], on), width);
  }
};

const narrowest = 20;
const inside = (width: number, less: number): number => Math.max(narrowest, width - less);

/** A word is broken only where no address would be cut through. */
const wrapped = (text: string, width: number): string =>
  wrapAnsi(text, Math.max(narrowest, width), { hard: !text.includes('://'), trim: true });

/** A text with a mark before each of its lines. */
const below = (text: string, mark: string): string =>
  text.split('\n').map((line) => (mark + line).trimEnd()).join('\n');

/** Code stays as it is, whatever the width: a broken line would be another line. */
const code = ({ text, lang }: Tokens.Code, { paint }: Rendering): string => {
  const label = lang ? [paint('faint', lang)] : [];
  const lines = text.split('\n').map((line) => paint('code', line));
  return below([...label, ...lines].join('\n'), '    ');
};

const list = ({ items, ordered, start, loose }: Tokens.List, width: number, on: Rendering): string =>
  items.map((item, i) => {
    const bullet = ordered ? `${Number(start) + i}. ` : '- ';
    const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
    const text = itemBlocks(item, inside(width, bullet.length), on);
    return bullet + box + text.replaceAll('\n', `\n${' '.repeat(bullet.length)}`).replace(/ +$/gm, '');
  }).join(loose ? '\n\n' : '\n');

/** In a list that is tight a list below an item stands right below its text. */
const itemBlocks = ({ tokens, loose }: Tokens.ListItem, width: number, on: Rendering): string =>
  tokens.filter(({ type }) => type !== 'checkbox').map((token) => block(token as MarkedToken, width, on))
    .filter((text) => text !== '').join(loose ? '\n\n' : '\n');

const table = ({ header, rows }: Tokens.Table, on: Rendering): string => {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens, on).replaceAll('\n', ' ')));
  const wide = header.map((_, i) => Math.max(...cells.map((row) => widthOf(row[i] ?? ''))));
  const padded = (cell: string, i: number) => cell + ' '.repeat(wide[i]! - widthOf(cell));
  const lines = cells.map((row) => row.map(padded).join('  ').trimEnd());
  const rule = wide.map((width) => '-'.repeat(width)).join('  ');
  return [on.paint('strong', lines[0]!), rule, ...lines.slice(1)].join('\n');
};
