import { apiPrefix } from '../../contract/conventions.js';
import { anySignal } from '../../wire/signals.js';
import type { Handler, HttpRequest } from '../../wire/http.js';

/** Resolves after so many milliseconds; may reject early if the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** How long requests are delayed. */
interface Latency {
  readonly milliseconds: number;
  readonly sleep: Sleep;
  /** Ends all delays when the service is closed. */
  readonly signal: AbortSignal;
}

/** Delays API requests; others are not delayed. */
export const withLatency = <R extends HttpRequest>(
  handler: Handler<R>, { milliseconds, sleep, signal }: Latency,
): Handler<R> => async (request) => {
  const isDelayed = request.target.startsWith(`${apiPrefix}/`) && !signal.aborted;
  if (isDelayed) await sleep(milliseconds, anySignal(signal, request.signal)).catch(() => undefined);
  return handler(request);
};
