import { rateHeaders } from '../../contract/conventions.js';
import { isUnknownRoute, saysNothingStored } from '../../wire/error-body.js';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import { ConnectionError, requestLine } from '../errors.js';
import { bodyOf } from '../response.js';
import type { Time } from '../time.js';
import { isPermanent } from '../transport/network-errors.js';
import type { Observer } from './events.js';

type Outcome = HttpResponse | ConnectionError;

/** A request that this middleware repeats, unless its sender does. */
export interface RepeatedRequest extends HttpRequest {
  /** Returns a 429 at once, because the sender looks for the effect of the request before it repeats it. */
  readonly returns429?: boolean;
}

/** A transport that repeats failed requests. */
export type RepeatingTransport = (request: RepeatedRequest, signal?: AbortSignal) => Promise<HttpResponse>;

/**
 * Repeats failed requests if that is safe and can help.
 *
 * GET, HEAD, PUT and DELETE: after a lost connection and on 429, 502, 503 and 504. POST: only if the request was never
 * sent, on 429, which normally comes before any change, and on a 503 with Retry-After and the message that nothing was
 * stored; otherwise a comment could be posted twice (wire-facts 4.5.15). A DELETE that gets 404 after an attempt of
 * unknown outcome has succeeded and returns 204.
 * After the last attempt the response is returned or the ConnectionError thrown.
 */
export const withRetry = (
  transport: Transport, policy: RetryPolicy, time: Time, observe: Observer,
): RepeatingTransport =>
  async ({ returns429 = false, ...request }, signal) => {
    let waited = 0;
    let isUnsure = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await outcomeOf(transport, request, signal);
      if (isUnsure && isGone(request, outcome)) return { status: 204, headers: {}, body: '' };
      if (returns429 && 'status' in outcome && outcome.status === 429) return outcome;
      const reason = retryReason(request.method, outcome, policy);
      const attempts = maxRetries(policy, outcome) + 1;
      if (reason === null || attempt >= attempts) return settle(outcome);
      const wait = retryDelay(outcome instanceof ConnectionError ? null : outcome, attempt, policy, time);
      if (waited + wait > policy.totalWait) return settle(outcome);
      observe({ type: 'retry', request: requestLine(request), attempt: attempt + 1, attempts, wait, reason });
      await time.sleep(wait, signal);
      waited += wait;
      isUnsure ||= isOutcomeUnknown(outcome);
    }
  };

const outcomeOf = async (transport: Transport, request: HttpRequest, signal?: AbortSignal): Promise<Outcome> => {
  try {
    return await transport(request, signal);
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  }
};

const settle = (outcome: Outcome): HttpResponse => {
  if (outcome instanceof ConnectionError) throw outcome;
  return outcome;
};

const temporaryStatuses = new Set([502, 503, 504]);
const idempotentMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

const retryReason = (method: string, outcome: Outcome, { serverErrors }: RetryPolicy): string | null => {
  if (outcome instanceof ConnectionError) {
    return !isPermanent(outcome.code) && (idempotentMethods.has(method) || !outcome.sent) ? outcome.code : null;
  }
  const isTemporary = outcome.status === 429
    || (outcome.status === 500 && serverErrors === true && idempotentMethods.has(method))
    || (temporaryStatuses.has(outcome.status) && (idempotentMethods.has(method) || isRetryInvited(outcome)));
  return isTemporary ? `status ${outcome.status}` : null;
};

const maxRetries = ({ retries, unreached }: RetryPolicy, outcome: Outcome): number =>
  outcome instanceof ConnectionError && !outcome.sent ? Math.min(retries, unreached) : retries;

const isRetryInvited = (outcome: HttpResponse): boolean =>
  outcome.headers['retry-after'] !== undefined && saysNothingStored(bodyOf(outcome));

const isOutcomeUnknown = (outcome: Outcome): boolean =>
  outcome instanceof ConnectionError ? outcome.sent
    : (outcome.status === 500 || temporaryStatuses.has(outcome.status)) && !saysNothingStored(bodyOf(outcome));

const isGone = (request: HttpRequest, outcome: Outcome): boolean =>
  request.method === 'DELETE' && !(outcome instanceof ConnectionError)
  && outcome.status === 404 && !isUnknownRoute(404, bodyOf(outcome));

/** When to repeat a failed request. All times are in milliseconds. */
export interface RetryPolicy {
  /** The maximum number of retries; 0 for none. */
  readonly retries: number;
  /** The maximum number of retries if the service was not reached at all: a wrong address fails quickly. */
  readonly unreached: number;
  /** The wait before the first retry if the service names none; doubles with each retry. */
  readonly firstWait: number;
  /** The same after a 429: limits are per minute, and older services name no time (wire-facts 4.12.2). */
  readonly limitedWait: number;
  /** The longest wait if the service names none. */
  readonly longestWait: number;
  /** The maximum sum of all waits of one call; a call that needs a longer wait fails at once. */
  readonly totalWait: number;
  /** Whether GET, HEAD, PUT and DELETE are repeated after a 500 or a damaged response too; false by default. */
  readonly serverErrors?: boolean;
}

/** Gives up on an unreachable service within a second, and waits out a rate limit per minute. */
export const defaultRetry: RetryPolicy = {
  retries: 5, unreached: 2, firstWait: 200, limitedWait: 2_000, longestWait: 30_000, totalWait: 90_000,
};

/** Never retries. */
export const noRetry: RetryPolicy = { ...defaultRetry, retries: 0 };

type Headers = Readonly<Record<string, string>>;

/**
 * Milliseconds to wait before a retry: the value of `Retry-After`, else until an exhausted rate limit is reset, else an
 * exponential backoff with jitter (wire-facts 4.12).
 * @param response the failed response; null if there is none
 * @param attempt the number of the failed attempt, from 1
 */
export const retryDelay = (
  response: Pick<HttpResponse, 'status' | 'headers'> | null, attempt: number, policy: RetryPolicy, time: Time,
): number => {
  const headers = response?.headers ?? {};
  const now = Date.parse(headers['date'] ?? '') || time.now();
  const first = response?.status === 429 ? policy.limitedWait : policy.firstWait;
  return retryAfter(headers, now) ?? untilReset(headers, now) ?? backoff(first, attempt, policy, time);
};

/** Seconds, or an HTTP date relative to the `Date` of the response, so that a wrong local clock does no harm. */
const retryAfter = (headers: Headers, now: number): number | null => {
  const value = (headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
};

const untilReset = (headers: Headers, now: number): number | null => {
  const reset = headers[rateHeaders.reset] ?? '';
  if (headers[rateHeaders.remaining] !== '0' || !/^\d+$/.test(reset)) return null;
  const wait = Number(reset) * 1000 - now;
  return wait > 0 ? wait : null;
};

/** Between half and all of the doubled wait, so that clients that failed together do not retry together. */
const backoff = (first: number, attempt: number, policy: RetryPolicy, time: Time): number =>
  Math.min(policy.longestWait, first * 2 ** (attempt - 1)) * (0.5 + time.random() / 2);
