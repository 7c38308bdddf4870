import type { MarkedToken, Token, Tokens } from 'marked';
import { plainText } from '../../../text/plain.js';
import { linked, safeAddress, type Paint, type Tone } from '../../terminal/io/style.js';

/** Longer texts are not rendered, because the parser takes more than linear time for some. */
const maxLength = 20_000;

/**
 * Renders Markdown for a terminal, without a final line break. Control characters are escaped before parsing and again
 * after entities are decoded.
 */
export const markdownText = async (source: string, width: number, on: Omit<Rendering, 'code'>): Promise<string> => {
  const safe = plainText(source).replace(/\n+$/, '');
  if (safe.length > maxLength) return safe;
  const [{ Lexer }, { blocks }, { unbroken, withSpaces }] =
    await Promise.all([import('marked'), import('./markdown-blocks.js'), import('../../terminal/io/wrap.js')]);
  try {
    return withSpaces(blocks(new Lexer({ gfm: true }).lex(safe), width, { ...on, code: unbroken }));
  } catch (error) {
    if (error instanceof RangeError) return safe;   // deeply nested quotes overflow the stack of the parser
    throw error;
  }
};

/** How a text is rendered. */
export interface Rendering {
  /** Marks code between words, which is not wrapped. */
  readonly code: (text: string) => string;
  readonly paint: Paint;
  /** Whether the terminal supports hyperlinks. */
  readonly links: boolean;
  /** Resolves a link in the text; null if unknown. */
  readonly resolveLink: (href: string) => string | null;
}

/** Renders inline tokens; without colors, the Markdown marks stay. */
export const inline = (tokens: readonly Token[] | undefined, on: Rendering): string =>
  (tokens ?? []).map((token) => inlineToken(token as MarkedToken, on)).join('');

const inlineToken = (token: MarkedToken, on: Rendering): string => {
  switch (token.type) {
    case 'strong': return styled('strong', '**', inline(token.tokens, on), on);
    case 'em': return styled('emphasis', '_', inline(token.tokens, on), on);
    case 'del': return styled('struck', '~~', inline(token.tokens, on), on);
    case 'codespan': return styled('code', '`', on.code(decodeEntities(token.text)), on);
    case 'br': return '\n';
    case 'link': return link(token, on);
    case 'image': return linkText(`image: ${decodeEntities(token.text) || 'unnamed'}`, token.href, on);
    case 'html': return stripTags(token.text);
    case 'text': return token.tokens ? inline(token.tokens, on) : decodeEntities(token.text);
    default: return decodeEntities('text' in token ? token.text : token.raw);
  }
};

const styled = (tone: Tone, mark: string, text: string, { paint }: Rendering): string => {
  const painted = paint(tone, text);
  return painted === text ? mark + text + mark : painted;
};

/** A URL that is its own link text is shown once. */
const link = ({ tokens, href }: Tokens.Link, on: Rendering): string => {
  const text = inline(tokens, on);
  return linkText(text, decodeEntities(href) === text ? '' : href, on, href);
};

const linkText = (text: string, shown: string, { paint, links, resolveLink }: Rendering, href = shown): string => {
  const address = resolveLink(href);
  const safe = address === null ? null : safeAddress(address);
  if (links && safe !== null) return linked(paint('link', text), safe);
  return shown === '' ? text : `${text} (${decodeEntities(address ?? shown)})`;
};

/** Removes tags and comments from HTML. */
export const stripTags = (html: string): string => decodeEntities(html
  .replace(/<!--[\s\S]*?(-->|$)/g, '').replace(/<br\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, ''));

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', hellip: '…', ndash: '–', mdash: '—', copy: '©',
};

/** Decodes the common named and all numeric HTML entities, and escapes the control characters among them. */
export const decodeEntities = (text: string): string =>
  plainText(text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name: string) =>
    decimal || hex ? character(decimal ? Number(decimal) : parseInt(hex, 16)) : namedEntities[name] ?? whole));

const character = (code: number): string => code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
