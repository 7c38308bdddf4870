import { decodeForm } from '../wire/forms.js';
import { splitTarget, type HttpRequest } from '../wire/http.js';
import { isSecretHeader, maskOfKnown, mentionsSecret, redactTokens } from '../wire/redact.js';

/** The tokens that requests had. */
interface KnownTokens {
  learn(request: Pick<HttpRequest, 'target' | 'headers'>): void;
  /** Without them, and without what looks like a token. */
  hide(text: string): string;
  readonly size: number;
}

export const createKnownTokens = (): KnownTokens => {
  const known = new Set<string>();
  let mask = maskOfKnown(known);
  return {
    learn: ({ target, headers }) => {
      const before = known.size;
      for (const name of Object.keys(headers)) {
        if (isSecretHeader(name)) known.add(headers[name]!.replace(/^(?:bearer|basic) /i, ''));
      }
      const [, query] = splitTarget(target);
      if (mentionsSecret(query)) {
        for (const [name, value] of decodeForm(query)) if (value !== null && mentionsSecret(name)) known.add(value);
      }
      if (known.size > before) mask = maskOfKnown(known);
    },
    hide: (text) => redactTokens(mask(text)),
    get size() { return known.size; },
  };
};
