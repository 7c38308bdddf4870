import { createHash } from 'node:crypto';
import { rateHeaders, tokenHeader } from '../contract/conventions.js';
import type { HttpRequest, HttpResponse } from '../wire/http.js';

/** What one request took of the limit. */
export interface Taken { readonly refused: HttpResponse | null; readonly headers: Record<string, string> }

/** Counts requests and says when there were too many. */
export interface RateLimit {
  /** The refusal, or null; and the headers that every answer carries (wire-facts 4.12.1). */
  take(request: HttpRequest, now: Date): Taken;
}

const period = 60;

/** So many requests a minute for each token, all callers without one together. */
export const createRateLimit = (perMinute: number): RateLimit => {
  let minute = 0;
  let counts = new Map<string, number>();
  const take = (request: HttpRequest, now: Date) => {
    const seconds = Math.floor(now.getTime() / 1000);
    if (Math.floor(seconds / period) !== minute) [minute, counts] = [Math.floor(seconds / period), new Map()];
    const key = keyOf(request);
    const observed = (counts.get(key) ?? 0) + 1;
    counts.set(key, observed);
    const headers = headersOf(perMinute, observed, (minute + 1) * period);
    return { refused: observed > perMinute ? refusalOf((minute + 1) * period - seconds) : null, headers };
  };
  return { take };
};

/** The digest of the token, never the token. */
const keyOf = ({ headers }: HttpRequest): string => {
  const token = headers[tokenHeader] ?? headers['authorization'];
  return token === undefined ? '' : createHash('sha256').update(token).digest('base64');
};

const headersOf = (limit: number, observed: number, reset: number): Record<string, string> => ({
  [rateHeaders.name]: 'throttle_authenticated_api',
  [rateHeaders.limit]: String(limit),
  [rateHeaders.observed]: String(observed),
  [rateHeaders.remaining]: String(Math.max(0, limit - observed)),
  [rateHeaders.reset]: String(reset),
  [rateHeaders.resetTime]: new Date(reset * 1000).toUTCString(),
});

/** Plain text, as the middleware of the real service answers (wire-facts 4.12.1). */
const refusalOf = (wait: number): HttpResponse => ({
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': String(wait) },
  body: 'Retry later\n',
});
