import { apiPrefix } from '../../contract/conventions.js';
import type { Handler, HttpRequest } from '../../wire/http.js';

/** Resolves after so many milliseconds; may reject early if the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Delays API requests by some milliseconds; others are not delayed. */
export const withLatency = <R extends HttpRequest>(
  handler: Handler<R>, milliseconds: number, sleep: Sleep,
): Handler<R> => async (request) => {
  if (request.target.startsWith(`${apiPrefix}/`)) await sleep(milliseconds);
  return handler(request);
};
