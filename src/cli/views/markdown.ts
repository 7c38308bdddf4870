import type { MarkedToken, Token, Tokens } from 'marked';
import { plainText } from '../io/plain.js';
import { linked, safeAddress, type Paint, type Tone } from '../io/style.js';

/** Longer texts are shown as they were written: some take the parser more than linear time. */
const maxLength = 20_000;

/**
 * Markdown as it reads on a terminal, without a line feed at its end. Whatever the text holds, nothing of it acts on
 * the terminal: it is made safe before it is parsed, and where references are resolved.
 */
export const markdownText = async (source: string, width: number, on: Rendering): Promise<string> => {
  const safe = plainText(source).replace(/\n+$/, '');
  if (safe.length > maxLength) return safe;
  const [{ Lexer }, { blocks }] = await Promise.all([import('marked'), import('./markdown-blocks.js')]);
  try {
    return blocks(new Lexer({ gfm: true }).lex(safe), width, on);
  } catch (error) {
    if (error instanceof RangeError) return safe;   // quotes in quotes in quotes: the parser's stack has an end
    throw error;
  }
};

/** What a text is rendered for. */
export interface Rendering {
  readonly paint: Paint;
  /** Whether links can stand behind words. */
  readonly links: boolean;
  /** Where a link of the text leads, or null where that can't be told. */
  readonly addressOf: (href: string) => string | null;
}

/** Running text with its marks turned into tones; where there are no tones the marks stay. */
export const inline = (tokens: readonly Token[] | undefined, on: Rendering): string =>
  (tokens ?? []).map((token) => piece(token as MarkedToken, on)).join('');

const piece = (token: MarkedToken, on: Rendering): string => {
  switch (token.type) {
    case 'strong': return marked('strong', '**', inline(token.tokens, on), on);
    case 'em': return marked('emphasis', '_', inline(token.tokens, on), on);
    case 'del': return marked('struck', '~~', inline(token.tokens, on), on);
    case 'codespan': return marked('code', '`', withoutReferences(token.text), on);
    case 'br': return '\n';
    case 'link': return link(token, on);
    case 'image': return linkText(`image: ${withoutReferences(token.text) || 'unnamed'}`, token.href, on);
    case 'html': return withoutTags(token.text);
    case 'text': return token.tokens ? inline(token.tokens, on) : withoutReferences(token.text);
    default: return withoutReferences('text' in token ? token.text : token.raw);
  }
};

const marked = (tone: Tone, mark: string, text: string, { paint }: Rendering): string => {
  const painted = paint(tone, text);
  return painted === text ? mark + text + mark : painted;
};

/** An address that stands for itself is shown once. */
const link = ({ tokens, href }: Tokens.Link, on: Rendering): string => {
  const text = inline(tokens, on);
  return linkText(text, withoutReferences(href) === text ? '' : href, on, href);
};

const linkText = (text: string, shown: string, { paint, links, addressOf }: Rendering, href = shown): string => {
  const address = addressOf(href);
  const safe = address === null ? null : safeAddress(address);
  if (links && safe !== null) return linked(paint('link', text), safe);
  return shown === '' ? text : `${text} (${withoutReferences(address ?? shown)})`;
};

/** What HTML says, without its tags and comments. */
export const withoutTags = (html: string): string => withoutReferences(html
  .replace(/<!--[\s\S]*?(-->|$)/g, '').replace(/<br\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, ''));

const named: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', hellip: '…', ndash: '–', mdash: '—', copy: '©',
};

/**
 * The characters behind HTML's references, the common ones by name and all by number. What comes out is made safe
 * again: a reference may stand for a character that acts on a terminal.
 */
export const withoutReferences = (text: string): string =>
  plainText(text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name: string) =>
    decimal || hex ? character(decimal ? Number(decimal) : parseInt(hex, 16)) : named[name] ?? whole));

const character = (code: number): string => code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
