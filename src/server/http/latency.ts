import { apiPrefix } from '../../contract/conventions.js';
import type { Handler, HttpRequest } from '../../wire/http.js';

/** Delays API requests by some milliseconds; others are not delayed. */
export const withLatency = <R extends HttpRequest>(handler: Handler<R>, milliseconds: number): Handler<R> =>
  async (request) => {
    if (request.target.startsWith(`${apiPrefix}/`)) await delay(milliseconds);
    return handler(request);
  };

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => { setTimeout(resolve, milliseconds); });
