import { isSecretHeader, maskOfKnown, redactTokens } from '../wire/redact.js';
import type { HttpRequest } from '../wire/http.js';

/** The tokens that requests had. */
interface KnownTokens {
  learn(headers: HttpRequest['headers']): void;
  /** Without them, and without what looks like a token. */
  hide(text: string): string;
  readonly size: number;
}

export const createKnownTokens = (): KnownTokens => {
  const known = new Set<string>();
  let mask = maskOfKnown(known);
  return {
    learn: (headers) => {
      const before = known.size;
      for (const [name, value] of Object.entries(headers)) {
        if (isSecretHeader(name)) known.add(value.replace(/^(?:bearer|basic) /i, ''));
      }
      if (known.size > before) mask = maskOfKnown(known);
    },
    hide: (text) => redactTokens(mask(text)),
    get size() { return known.size; },
  };
};
