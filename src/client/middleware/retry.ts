import { isUnknownRoute, saysNothingStored } from '../../wire/error-body.js';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import { ConnectionError, requestLine } from '../errors.js';
import { isOutcomeUnknown, isUnknownResponse } from '../outcome.js';
import { bodyOf } from '../response.js';
import { repeat, retryDelay, waitsOf, type RetryPolicy } from '../retry.js';
import type { Time } from '../time.js';
import { isPermanent } from '../transport/network-errors.js';
import type { Observer } from './events.js';

type Outcome = HttpResponse | ConnectionError;

/** Unless the sender repeats it itself. */
export interface RepeatedRequest extends HttpRequest {
  /** The sender looks for the effect of the request before it repeats it. */
  readonly returns429?: boolean;
  /** A repeat would carry out the request of an earlier time. */
  readonly isSentOnce?: boolean;
}

export type RepeatingTransport = (request: RepeatedRequest, signal?: AbortSignal) => Promise<HttpResponse>;

/**
 * GET, HEAD, PUT and DELETE: after a lost connection and on 429, 502, 503 and 504. POST: only if the request was never
 * sent, on 429, which normally comes before any change, and on a 503 with Retry-After and the message that nothing was
 * stored; otherwise a comment could be posted twice (behavior: requests.no-idempotency). A DELETE that gets 404 after
 * an attempt of unknown outcome has succeeded and returns 204.
 */
export const withRetry = (
  transport: Transport, policy: RetryPolicy, time: Time, observe: Observer,
): RepeatingTransport =>
  async ({ returns429 = false, isSentOnce = false, ...request }, signal) => {
    let isUnsure = false;
    const send = async (): Promise<Outcome> => {
      const outcome = await outcomeOf(transport, request, signal);
      return isUnsure && isGone(request, outcome) ? { status: 204, headers: {}, body: '' } : outcome;
    };
    const reasonOf = (outcome: Outcome): string | null =>
      returns429 && 'status' in outcome && outcome.status === 429 ? null : retryReason(request.method, outcome, policy);
    const waits = waitsOf(policy, time);
    const outcome = await repeat(send, {
      most: (failed) => isSentOnce || reasonOf(failed) === null ? 0 : maxRetries(policy, failed),
      wait: (attempt, failed) => retryDelay('status' in failed ? failed : null, attempt, policy, time),
      waits,
      pause: async (retry, failed) => {
        observe({ type: 'retry', request: requestLine(request), ...retry, reason: reasonOf(failed)! });
        await waits.wait(retry.wait, signal);
        isUnsure ||= 'status' in failed ? isUnknownResponse(failed) : isOutcomeUnknown(failed);
      },
    });
    if (outcome instanceof ConnectionError) throw outcome;
    return outcome;
  };

const outcomeOf = async (transport: Transport, request: HttpRequest, signal?: AbortSignal): Promise<Outcome> => {
  try {
    return await transport(request, signal);
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  }
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

const isGone = (request: HttpRequest, outcome: Outcome): boolean =>
  request.method === 'DELETE' && !(outcome instanceof ConnectionError)
  && outcome.status === 404 && !isUnknownRoute(404, bodyOf(outcome));
