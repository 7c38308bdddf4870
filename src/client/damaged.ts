import type { Call, CallResult } from './calls.js';
import { isDamaged, requestLine } from './errors.js';
import type { Observer } from './events.js';
import { repeat, retryDelay, type RetryPolicy } from './retry.js';
import type { Time } from './time.js';

/** If the policy repeats server errors. Before the first valid response, the address may be wrong: it fails sooner. */
export const withDamagedRepeated = (call: Call, policy: RetryPolicy, time: Time, observe: Observer): Call => {
  if (!policy.serverErrors) return call;
  let isApi = false;
  return async (endpoint, params, signal, handling) => {
    if (endpoint.method === 'POST' || handling?.isSentOnce) return call(endpoint, params, signal, handling);
    const { result } = await repeat(async () => {
      const tried = readOnce(await call(endpoint, params, signal));
      isApi ||= tried.error === null;
      return tried;
    }, {
      most: ({ error }) => !isDamaged(error) ? 0 : isApi ? policy.retries : Math.min(policy.retries, policy.unreached),
      wait: (attempt) => retryDelay(null, attempt, policy, time),
      pause: async (retry, { result: { exchange: { request } } }) => {
        observe({ type: 'retry', request: requestLine(request), ...retry, reason: 'damaged response' });
        await time.sleep(retry.wait, signal);
      },
    });
    return result;
  };
};

/** Reading a damaged result again reports its error. */
const readOnce = (result: CallResult): { readonly result: CallResult; readonly error: unknown } => {
  try {
    const value = result.read();
    return { result: { ...result, read: () => value }, error: null };
  } catch (error) {
    return { result, error };
  }
};
