import type { MarkedToken, Token, Tokens } from 'marked';
import { linked, safeAddress } from '../links.js';
import type { Paint, Tone } from '../tones.js';
import { withoutReferences } from './entities.js';

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
    case 'image': return leading(`image: ${withoutReferences(token.text) || 'unnamed'}`, token.href, on);
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
  return leading(text, withoutReferences(href) === text ? '' : href, on, href);
};

const leading = (text: string, shown: string, { paint, links, addressOf }: Rendering, href = shown): string => {
  const address = addressOf(href);
  const safe = address === null ? null : safeAddress(address);
  if (links && safe !== null) return linked(paint('link', text), safe);
  return shown === '' ? text : `${text} (${withoutReferences(address ?? shown)})`;
};

/** What HTML says, without its tags and comments. */
export const withoutTags = (html: string): string => withoutReferences(html
  .replace(/<!--[\s\S]*?(-->|$)/g, '').replace(/<br\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, ''));
