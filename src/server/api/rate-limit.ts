import { rateHeaders } from '../../contract/conventions.js';
import type { Handler, HttpResponse } from '../../wire/http.js';
import { withHeaders } from '../http/middleware.js';
import { tooManyRequests } from '../http/response.js';
import { hashToken } from '../repositories/world.js';
import type { Call } from './context.js';
import { type ApiRequest, givenJobToken, givenToken } from './request.js';

interface RateLimitOptions {
  readonly perMinute: number;
  /** Whether every response has the headers (behavior: limits.rate-headers-always, limits.rate-headers-document). */
  readonly hasHeaders: () => boolean;
  readonly now: () => Date;
  readonly isToken: (digest: string) => Promise<boolean>;
  /** Requests of the current minute by token; clearing them starts again. */
  readonly counts?: Map<string, number>;
}

const period = 60;

/**
 * Per minute and token. All callers without an existing token share one counter, so that guessing tokens neither
 * bypasses the limit nor fills the memory (behavior: limits.rate-shared).
 */
export const withRateLimit = (
  handler: Handler<ApiRequest>, { perMinute, hasHeaders, now, isToken, counts = new Map() }: RateLimitOptions,
): Handler<ApiRequest> => {
  let minute = 0;

  const knownKey = async (token: string | null): Promise<string> => {
    if (token === null) return anonymous;
    const digest = hashToken(token);
    return counts.has(digest) || await isToken(digest) ? digest : anonymous;
  };

  const callerKey = async ({ headers, parameters: { all } }: ApiRequest): Promise<string> => {
    const given = await all().catch(() => ({}));
    return knownKey(givenToken(headers, given) ?? givenJobToken(headers, given));
  };

  return async (request) => {
    const seconds = Math.floor(now().getTime() / 1000);
    if (Math.floor(seconds / period) !== minute) {
      minute = Math.floor(seconds / period);
      counts.clear();
    }
    const reset = (minute + 1) * period;
    const key = await callerKey(request);
    const observed = (counts.get(key) ?? 0) + 1;
    counts.set(key, observed);
    const isOver = observed > perMinute;
    const response = isOver ? limitResponse(reset - seconds) : await handler(request);
    return isOver || hasHeaders() ? withHeaders(response, rateLimitHeaders(key, perMinute, observed, reset)) : response;
  };
};

export type NotesCreateLimit = ReturnType<typeof createNotesCreateLimit>;

export const createNotesCreateLimit = (now: () => Date) => {
  const counts = new Map<number, number>();
  const counted = new WeakSet<ApiRequest>();
  let minute = 0;
  return {
    /**
     * Counts a request once, however often its transaction runs.
     * @throws HttpError 429 (behavior: limits.notes-create)
     */
    count: (request: ApiRequest, { caller, edition, world }: Pick<Call, 'caller' | 'world' | 'edition'>): void => {
      const { notesCreateLimit: limit, unlimitedUsers } = world.settings;
      if (limit === 0 || unlimitedUsers.has(caller.username.toLowerCase()) || counted.has(request)) return;
      const current = Math.floor(now().getTime() / 1000 / period);
      if (current !== minute) counts.clear();
      minute = current;
      const observed = (counts.get(caller.id) ?? 0) + 1;
      counts.set(caller.id, observed);
      if (observed > limit) throw tooManyRequests(edition);
      counted.add(request);
    },
    reset: (): void => { counts.clear(); },
  };
};

const anonymous = '';

export const rateLimitResponse = (now: Date, wait: number, perMinute: number): HttpResponse => {
  const reset = Math.floor(now.getTime() / 1000) + wait;
  return withHeaders(limitResponse(wait), rateLimitHeaders('any', perMinute, perMinute + 1, reset));
};

/** behavior: limits.rate-headers, limits.rate-per-minute, limits.rate-reset */
const rateLimitHeaders = (key: string, limit: number, observed: number, reset: number): Record<string, string> => ({
  [rateHeaders.name]: key === anonymous ? 'throttle_unauthenticated_api' : 'throttle_authenticated_api',
  [rateHeaders.limit]: String(limit),
  [rateHeaders.observed]: String(observed),
  [rateHeaders.remaining]: String(Math.max(0, limit - observed)),
  [rateHeaders.reset]: String(reset),
  [rateHeaders.resetTime]: new Date(reset * 1000).toUTCString(),
});

/** Plain text, as the service responds (behavior: limits.rate-text). */
const limitResponse = (wait: number): HttpResponse => ({
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': String(wait) },
  body: 'Retry later\n',
});
