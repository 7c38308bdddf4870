import { apiPrefix } from '../../contract/conventions.js';
import { anySignal } from '../../wire/timers.js';
import type { Handler, HttpRequest } from '../../wire/http.js';

/** In milliseconds; may reject early if the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

interface Latency {
  readonly milliseconds: number;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

/** Of API requests only. */
export const withLatency = <R extends HttpRequest>(
  handler: Handler<R>, { milliseconds, sleep, signal }: Latency,
): Handler<R> => async (request) => {
  const isDelayed = request.target.startsWith(`${apiPrefix}/`) && !signal.aborted;
  if (isDelayed) await sleep(milliseconds, anySignal(signal, request.signal)).catch(() => undefined);
  return handler(request);
};
