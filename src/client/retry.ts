import type { HttpRequest, HttpResponse, Transport } from '../wire/http.js';
import { isUnknownRoute, leftNothing } from '../wire/refusals.js';
import { bodyOf } from './body.js';
import { ConnectionError } from './errors.js';
import type { Observer } from './events.js';
import { isPermanent } from './failures.js';
import { requestLine } from './request-line.js';
import type { RetryPolicy } from './retry-policy.js';
import { waitBefore } from './retry-wait.js';
import type { Time } from './time.js';

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
