import { rateHeaders } from '../../contract/conventions.js';
import { isUnknownRoute, leftNothing } from '../../wire/error-body.js';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import { ConnectionError, requestLine } from '../errors.js';
import { bodyOf } from '../response/read.js';
import type { Time } from '../time.js';
import { isPermanent } from '../transport/network-errors.js';
import type { Observer } from './events.js';

type Outcome = HttpResponse | ConnectionError;

/**
 * Sends a request again where that may help and can do no harm.
 *
 * GET, HEAD, PUT and DELETE: after a lost connection and on 429, 502, 503 and 504. POST: only when the request surely
 * never arrived, on 429, which is answered before anything is done, and on a 503 with Retry-After which says that
 * nothing was stored; anything else could post a comment twice (wire-facts 4.5.15). A DELETE that finds nothing after
 * an attempt of unknown outcome has succeeded: it answers 204.
 * When the policy is used up the last failure stands: the answer is returned, the ConnectionError thrown.
 */
export const withRetry = (transport: Transport, policy: RetryPolicy, time: Time, tell: Observer): Transport =>
  async (request, signal) => {
    let waited = 0;
    let unsure = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await outcomeOf(transport, request, signal);
      if (unsure && isGone(request, outcome)) return { status: 204, headers: {}, body: '' };
      const reason = reasonToRepeat(request.method, outcome);
      if (reason === null || attempt > repeatsOf(policy, outcome)) return settle(outcome);
      const wait = waitBefore(outcome instanceof ConnectionError ? null : outcome, attempt, policy, time);
      if (waited + wait > policy.totalWait) return settle(outcome);
      tell({ type: 'retry', request: requestLine(request), attempt: attempt + 1, wait, reason });
      await time.sleep(wait, signal);
      waited += wait;
      unsure ||= mayBeDone(outcome);
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

const passing = new Set([502, 503, 504]);
const repeatable = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

const reasonToRepeat = (method: string, outcome: Outcome): string | null => {
  if (outcome instanceof ConnectionError) {
    return !isPermanent(outcome.code) && (repeatable.has(method) || !outcome.sent) ? outcome.code : null;
  }
  const fits = outcome.status === 429
    || (passing.has(outcome.status) && (repeatable.has(method) || invitesRepeat(outcome)));
  return fits ? `status ${outcome.status}` : null;
};

const repeatsOf = ({ retries, unreached }: RetryPolicy, outcome: Outcome): number =>
  outcome instanceof ConnectionError && !outcome.sent ? Math.min(retries, unreached) : retries;

const invitesRepeat = (outcome: HttpResponse): boolean =>
  outcome.headers['retry-after'] !== undefined && leftNothing(bodyOf(outcome));

const mayBeDone = (outcome: Outcome): boolean =>
  outcome instanceof ConnectionError ? outcome.sent : passing.has(outcome.status) && !leftNothing(bodyOf(outcome));

const isGone = (request: HttpRequest, outcome: Outcome): boolean =>
  request.method === 'DELETE' && !(outcome instanceof ConnectionError)
  && outcome.status === 404 && !isUnknownRoute(404, bodyOf(outcome));

/** When a failed request is sent again, as one value. All times in milliseconds. */
export interface RetryPolicy {
  /** How often a request is sent again at most; 0 for never. */
  readonly retries: number;
  /** How often at most where nothing was reached at all: a wrong address is to be told soon. */
  readonly unreached: number;
  /** The wait before the first repeat where the service names none; doubles with each. */
  readonly firstWait: number;
  /** The same after a 429: limits are counted by the minute, and older services name no time (wire-facts 4.12.2). */
  readonly limitedWait: number;
  /** The longest wait that is chosen where the service names none. */
  readonly longestWait: number;
  /** What all waits of one call may add up to; a longer one is not begun and the failure stands. */
  readonly totalWait: number;
}

/** Gives up on what is not there within a second, and waits out a rate limit counted by the minute. */
export const defaultRetry: RetryPolicy = {
  retries: 5, unreached: 2, firstWait: 200, limitedWait: 2_000, longestWait: 30_000, totalWait: 90_000,
};

/** Every failure stands at once. */
export const noRetry: RetryPolicy = { ...defaultRetry, retries: 0 };

type Headers = Readonly<Record<string, string>>;

/**
 * Milliseconds to wait before a repeat: as `Retry-After` says, else until the rate limit is reset where it is used up,
 * else doubling with jitter (wire-facts 4.12).
 * @param answer that is not good enough; null where none came
 * @param attempt the number of the attempt that failed, from 1
 */
export const waitBefore = (
  answer: Pick<HttpResponse, 'status' | 'headers'> | null, attempt: number, policy: RetryPolicy, time: Time,
): number => {
  const headers = answer?.headers ?? {};
  const now = Date.parse(headers['date'] ?? '') || time.now();
  const first = answer?.status === 429 ? policy.limitedWait : policy.firstWait;
  return retryAfter(headers, now) ?? untilReset(headers, now) ?? backoff(first, attempt, policy, time);
};

/** Seconds, or an HTTP date counted from the answer's own `Date`, so that a clock that is off does no harm. */
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

/** Between half and all of the doubled wait, so that clients that failed together don't return together. */
const backoff = (first: number, attempt: number, policy: RetryPolicy, time: Time): number =>
  Math.min(policy.longestWait, first * 2 ** (attempt - 1)) * (0.5 + time.random() / 2);
