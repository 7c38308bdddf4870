import { createKnownMask } from '../wire/secrets/known.js';
import { credentialsOf, isFormatted, isPlaceholder, isWord, type OnSecret } from '../wire/secrets/shapes.js';
import { bytesOf, type RecordedBody } from './exchange.js';

/** The credentials that requests and responses had. */
interface KnownTokens {
  readonly learn: OnSecret;
  /** Without them, in whatever form. */
  readonly hide: (text: string) => string;
  /** Bytes that are not text change only if they have one. */
  readonly hideInBody: (body: RecordedBody) => RecordedBody;
  readonly size: number;
}

/** In characters. Shorter values are words that occur in many texts. */
const shortest = { certain: 6, word: 12 };

/** As in a field that has the value of a header. */
const withoutScheme = (secret: string): readonly string[] =>
  /^(?:bearer|basic|token|digest|apikey)[ \t]/i.test(secret) ? credentialsOf(secret) : [];

export const createKnownTokens = (): KnownTokens => {
  const known = new Set<string>();
  const { mask, add } = createKnownMask();
  return {
    learn: (secret, isCertain) => {
      for (const one of [secret, ...withoutScheme(secret)]) {
        const isCommon = !isCertain && (isFormatted(one) || (isWord(one) && one.length < shortest.word));
        if (one.length < shortest.certain || isCommon || isPlaceholder(one)) continue;
        known.add(one);
        add(one);
      }
    },
    hide: mask,
    hideInBody: (body) => {
      if (typeof body === 'string') return mask(body);
      const text = Buffer.from(bytesOf(body)).toString('latin1');
      const hidden = mask(text);
      return hidden === text ? body : { base64: Buffer.from(hidden, 'latin1').toString('base64') };
    },
    get size() { return known.size; },
  };
};
