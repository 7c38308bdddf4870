import type { Discussion, Note } from '../../contract/shapes/note.js';
import { ApiError } from '../errors.js';
import { isOutcomeUnknown, isSlow } from '../outcome.js';
import { repeat, retryDelay } from '../retry.js';
import { lookAfterFailure, reasonOf, type Creating, type Failure } from './look.js';
import type { FoundNote } from './reads.js';

/** How a note was stored: the response of the last attempt, or the copies that were found after a failed one. */
type Stored = { readonly result: Note | Discussion } | { readonly copies: readonly FoundNote[] };

/** After a 429 it looks for the note only when the limit is reset: the service would not show it before that either. */
export const sendUntilStored = async (creating: Creating): Promise<Stored & { readonly attempts: number }> => {
  const { policy, time, waits, onEvent, request } = creating;
  let attempts = 0;
  let limited: Failure | null = null;
  const found = async (failure: Failure): Promise<Stored | Failure> => {
    const copies = await lookAfterFailure(creating, failure);
    return copies.length > 0 ? { copies } : failure;
  };
  const work = async (): Promise<Stored | Failure> => {
    const earlier = limited && await found(limited);
    if (earlier && 'copies' in earlier) return earlier;
    attempts++;
    const outcome = await attempt(creating);
    limited = 'error' in outcome && limitOf(outcome) ? outcome : null;
    return 'error' in outcome && !limited ? found(outcome) : outcome;
  };
  const outcome = await repeat(work, {
    most: (one) => 'error' in one && (request.resend || !one.isSlow) ? policy.retries : 0,
    wait: (failed, one) => retryDelay('error' in one ? limitOf(one) : null, failed, policy, time),
    waits,
    pause: async (retry, one) => {
      if (!('error' in one)) return;
      onEvent({ type: 'retry', request: one.error.request, ...retry, reason: reasonOf(one) });
      await waits.wait(retry.wait, request.signal);
    },
  });
  const last = 'error' in outcome && limitOf(outcome) ? await found(outcome) : outcome;
  if ('error' in last) throw last.error;
  return { ...last, attempts };
};

const attempt = async ({ call, request: { endpoint, params, signal } }: Creating): Promise<Stored | Failure> => {
  try {
    const { read } = await call(endpoint, params, signal, { returns429: true });
    return { result: read() as Note | Discussion };
  } catch (error) {
    if (isLimit(error)) return { error, isSlow: false };
    if (isOutcomeUnknown(error)) return { error, isSlow: isSlow(error) };
    throw error;
  }
};

/** A proxy may limit a request that the service has stored already. */
const isLimit = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

const limitOf = ({ error }: Failure): ApiError | null => isLimit(error) ? error : null;
