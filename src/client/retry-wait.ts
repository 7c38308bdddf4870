import { rateHeaders } from '../contract/conventions.js';
import type { HttpResponse } from '../wire/http.js';
import type { RetryPolicy } from './retry-policy.js';
import type { Time } from './time.js';

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
