import type { Call } from './calls.js';
import { NoResultError, requestLine, ResponseError } from './errors.js';
import type { Observer } from './middleware/events.js';
import { retryDelay, type RetryPolicy } from './middleware/retry.js';
import type { Time } from './time.js';

/**
 * Repeats calls that can safely run twice after a response that is not one of the API, if the policy repeats server
 * errors too. Before the first valid response, the address may be wrong: then a call fails sooner.
 */
export const withDamagedRepeated = (call: Call, policy: RetryPolicy, time: Time, observe: Observer): Call => {
  if (!policy.serverErrors) return call;
  let isApi = false;
  return async (endpoint, params, signal, handling) => {
    if (endpoint.method === 'POST') return call(endpoint, params, signal, handling);
    for (let attempt = 1; ; attempt++) {
      const result = await call(endpoint, params, signal);
      try {
        const value = result.read();
        isApi = true;
        return { ...result, read: () => value };
      } catch (error) {
        const attempts = (isApi ? policy.retries : Math.min(policy.retries, policy.unreached)) + 1;
        // Reading the result again reports the error.
        if (!isDamaged(error) || attempt >= attempts) return result;
        const wait = retryDelay(null, attempt, policy, time);
        const request = requestLine(result.exchange.request);
        observe({ type: 'retry', request, attempt: attempt + 1, attempts, wait, reason: 'damaged response' });
        await time.sleep(wait, signal);
      }
    }
  };
};

/** A change without a result has succeeded. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof ResponseError && !(error instanceof NoResultError);
