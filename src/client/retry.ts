import { rateHeaders } from '../contract/conventions.js';
import { isUnknownRoute, saysNothingStored } from '../wire/error-response.js';
import { type HttpRequest, type HttpResponse, readHttpDate, requestLine, type Transport } from '../wire/http.js';
import type { Time } from '../wire/time.js';
import {
  ConnectionError, type FinalResponse, isDamaged, isOutcomeUnknown, isUnknownResponse, withStackFromHere,
} from './errors.js';
import type { Observer } from './events.js';
import { parsedBody } from './response.js';
import { isPermanent } from './transport/network-errors.js';

/** When to repeat a failed request. All times are in milliseconds. */
export interface RetryPolicy {
  /** The maximum number of retries; 0 for none. */
  readonly retries: number;
  /** The maximum number of retries if the service was not reached at all: a wrong address fails quickly. */
  readonly unreached: number;
  /** The wait before the first retry if the service names none; doubles with each retry. */
  readonly firstWait: number;
  /** The same after a 429: limits are per minute, and older services name no time (behavior: limits.application). */
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

/** The default with the fields that are given; undefined ones are not. */
export const retryPolicy = (given: Partial<RetryPolicy> = {}): RetryPolicy =>
  ({ ...defaultRetry, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) });

/** Never retries. */
export const noRetry: RetryPolicy = { ...defaultRetry, retries: 0 };

/**
 * The value of `Retry-After`, else until an exhausted rate limit is reset, else an exponential backoff with jitter
 * (behavior: limits.rate-headers, limits.rate-reset). In milliseconds.
 * @param response null if there is none
 * @param attempt from 1
 */
export const retryDelay = (
  response: Pick<HttpResponse, 'status' | 'headers'> | null, attempt: number, policy: RetryPolicy, time: Time,
): number => {
  const headers = response?.headers ?? {};
  const now = readHttpDate(headers['date']) || time.now();
  const first = response?.status === 429 ? policy.limitedWait : policy.firstWait;
  return retryAfter(headers, now) ?? untilReset(headers, now) ?? backoff(first, attempt, policy, time);
};

/** Seconds, or an HTTP date relative to the `Date` of the response, as clocks differ; 0 and the past are no time. */
const retryAfter = (headers: HttpResponse['headers'], now: number): number | null => {
  const value = (headers['retry-after'] ?? '').trim();
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : /[a-z]/i.test(value) ? readHttpDate(value) - now : NaN;
  return wait > 0 ? wait : null;
};

const untilReset = (headers: HttpResponse['headers'], now: number): number | null => {
  const reset = headers[rateHeaders.reset] ?? '';
  if (headers[rateHeaders.remaining] !== '0' || !/^\d+$/.test(reset)) return null;
  const wait = Number(reset) * 1000 - now;
  return wait > 0 ? wait : null;
};

/** Between half and all of the doubled wait, so that clients that failed together do not retry together. */
const backoff = (first: number, attempt: number, policy: RetryPolicy, time: Time): number =>
  Math.min(policy.longestWait, first * 2 ** (attempt - 1)) * (0.5 + time.random() / 2);

/** The waits of one call. The policy limits their sum. */
export const waitsOf = ({ totalWait }: RetryPolicy, time: Time) => {
  let left = totalWait;
  return {
    fits: (milliseconds: number): boolean => milliseconds <= left,
    wait: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      if (milliseconds === 0) return;
      left -= milliseconds;
      await time.sleep(milliseconds, signal);
    },
  };
};

export type Waits = ReturnType<typeof waitsOf>;

interface Repeats<T> {
  /** 0 for an outcome that is final. */
  readonly most: (outcome: T) => number;
  readonly wait: (attempt: number, outcome: T) => number;
  /** Limits the sum of all waits. */
  readonly waits?: Waits;
  /** Waits, and reports it if that is worth it. */
  readonly pause: (retry: Retry, outcome: T) => Promise<void>;
}

interface Retry {
  readonly attempt: number;
  readonly attempts: number;
  readonly wait: number;
}

/** @returns the final outcome @param failures work that shares it is repeated less often together */
export const repeat = async <T>(
  work: () => Promise<T>, { most, wait: waitAfter, waits, pause }: Repeats<T>, failures = { count: 0 },
): Promise<T> => {
  for (;;) {
    const outcome = await work();
    const retries = most(outcome);
    if (retries === 0 || ++failures.count > retries) return outcome;
    const wait = waitAfter(failures.count, outcome);
    if (waits?.fits(wait) === false) return outcome;
    await pause({ attempt: failures.count + 1, attempts: retries + 1, wait }, outcome);
  }
};

/** How the sender of a request takes part in its repeats. */
export interface Handling {
  /** Returns a 429, because the sender looks for the effect of the request before it repeats it. */
  readonly returns429?: boolean;
  /** Never repeats the request, which would carry out a request of an earlier time. */
  readonly isSentOnce?: boolean;
  /** Repeats the request after server errors, whatever the policy says, and reports no such repeat. */
  readonly serverErrors?: boolean;
  /** Reads a response, so that the request is repeated after a damaged one. @throws ResponseError for a damaged one */
  readonly read?: (response: HttpResponse) => void;
}

export type RepeatingTransport =
  (request: HttpRequest, signal?: AbortSignal, handling?: Handling) => Promise<FinalResponse>;

/**
 * GET, HEAD, PUT and DELETE: after a lost connection and on 429, 502, 503 and 504, and with `serverErrors` on 500 and
 * after a damaged response. POST: only if the request was never sent, on 429, which normally comes before any change,
 * and on a 503 with Retry-After and the message that nothing was stored; otherwise a comment could be posted twice
 * (behavior: requests.no-idempotency). A DELETE that gets 404 after an attempt of unknown outcome has succeeded and
 * returns 204.
 */
export const withRetry = (
  transport: Transport, policy: RetryPolicy, time: Time, observe: Observer,
): RepeatingTransport => {
  // Until a response was valid, the address may be wrong: damaged responses are repeated less often.
  let isApi = false;
  return async (request, signal, handling = {}) => {
    const rules = rulesFor(request, policy, handling);
    const waits = waitsOf(policy, time);
    let isUnsure = false;
    let attempts = 0;
    let wasAnswered = false;
    const outcome = await repeat(async () => {
      const sent = await attempt(transport, request, signal, { ...rules, isUnsure });
      attempts++;
      wasAnswered ||= 'response' in sent;
      isApi ||= 'isRead' in sent && sent.isRead;
      return sent;
    }, {
      most: (failed) => retryReason(failed, rules) === null ? 0 : maxRetries(policy, failed, isApi),
      wait: (count, failed) => retryDelay('response' in failed && !failed.isDamaged ? failed.response : null, count,
        policy, time),
      waits,
      pause: async (retry, failed) => {
        const reason = retryReason(failed, { ...rules, serverErrors: policy.serverErrors ?? false });
        if (reason !== null) observe({ type: 'retry', request: requestLine(request), ...retry, reason });
        await waits.wait(retry.wait, signal);
        isUnsure ||= 'response' in failed ? failed.isDamaged || isUnknownResponse(failed.response)
          : isOutcomeUnknown(failed);
      },
    });
    if (!(outcome instanceof ConnectionError)) return finalResponse(outcome.response, attempts, rules, policy);
    throw withStackFromHere(attempts === 1 ? outcome : afterAttempts(outcome, attempts, wasAnswered));
  };
};

const afterAttempts = (cause: ConnectionError, attempts: number, wasAnswered: boolean): ConnectionError => {
  const { message, request, code, sent, proxyStatus, origin, proxy } = cause;
  const text = message.slice(`${request}: `.length);
  return new ConnectionError(text, request, code, sent, { cause, proxyStatus, origin, proxy, attempts, wasAnswered });
};

const finalResponse = (
  response: FinalResponse, attempts: number, { isIdempotent, isSentOnce, serverErrors }: Rules,
  { retries }: RetryPolicy,
): FinalResponse => {
  if (response.status < 400) return response;
  const isUnrepeated = response.status === 500 && isIdempotent && !isSentOnce && !serverErrors && retries > 0;
  return { ...response, attempts, ...isUnrepeated && { hint: serverErrorHint } };
};

const serverErrorHint = 'pass retry: { serverErrors: true } to repeat it';

interface Rules extends Required<Pick<Handling, 'returns429' | 'isSentOnce' | 'serverErrors'>> {
  readonly isIdempotent: boolean;
  readonly read: Handling['read'];
}

const idempotentMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

const rulesFor = ({ method }: HttpRequest, policy: RetryPolicy, handling: Handling): Rules => {
  const { returns429 = false, isSentOnce = false } = handling;
  const isIdempotent = idempotentMethods.has(method);
  const serverErrors = isIdempotent && !isSentOnce && (handling.serverErrors ?? policy.serverErrors ?? false);
  return { returns429, isSentOnce, isIdempotent, serverErrors, read: serverErrors ? handling.read : undefined };
};

interface Answer {
  readonly response: HttpResponse;
  /** Whether the response was read without an error. */
  readonly isRead: boolean;
  readonly isDamaged: boolean;
}

type Outcome = Answer | ConnectionError;

const attempt = async (
  transport: Transport, request: HttpRequest, signal: AbortSignal | undefined,
  { read, isUnsure }: Pick<Rules, 'read'> & { readonly isUnsure: boolean },
): Promise<Outcome> => {
  try {
    const sent = await transport(request, signal);
    return answerOf(isUnsure && isGone(request, sent) ? { status: 204, headers: {}, body: '' } : sent, read);
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  }
};

const answerOf = (response: HttpResponse, read: Handling['read']): Answer => {
  try {
    read?.(response);
    return { response, isRead: read !== undefined, isDamaged: false };
  } catch (error) {
    return { response, isRead: false, isDamaged: isDamaged(error) };
  }
};

const temporaryStatuses = new Set([502, 503, 504]);

const retryReason = (
  outcome: Outcome, { returns429, isSentOnce, isIdempotent, serverErrors }: Rules,
): string | null => {
  if (isSentOnce) return null;
  if (outcome instanceof ConnectionError) {
    return !isPermanent(outcome) && (isIdempotent || !outcome.sent) ? outcome.code : null;
  }
  if (outcome.isDamaged) return serverErrors ? 'damaged response' : null;
  const { response, response: { status } } = outcome;
  const isTemporary = (status === 429 && !returns429) || (status === 500 && serverErrors)
    || (temporaryStatuses.has(status) && (isIdempotent || isRetryInvited(response)));
  return isTemporary ? `status ${status}` : null;
};

const maxRetries = ({ retries, unreached }: RetryPolicy, outcome: Outcome, isApi: boolean): number => {
  const mayBeWrong = outcome instanceof ConnectionError ? !outcome.sent : outcome.isDamaged && !isApi;
  return mayBeWrong ? Math.min(retries, unreached) : retries;
};

const isRetryInvited = (response: HttpResponse): boolean =>
  response.headers['retry-after'] !== undefined && saysNothingStored(parsedBody(response));

const isGone = ({ method }: HttpRequest, response: HttpResponse): boolean =>
  method === 'DELETE' && response.status === 404 && !isUnknownRoute(404, parsedBody(response));
