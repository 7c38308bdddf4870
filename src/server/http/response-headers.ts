import type { HttpRequest, HttpResponse } from '../../wire/http.js';
import type { Handler } from './handler.js';
import { withAddress } from './json.js';

/** A response with more headers. */
export const withHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>>): HttpResponse =>
  ({ ...response, headers: { ...response.headers, ...headers } });

/**
 * Adds the headers that every response has (wire-facts 1.9), and writes the address of the service into JSON texts.
 * @param address the address that clients know the service by, without a slash at the end
 */
export const withCommonHeaders = <R extends HttpRequest>(handler: Handler<R>, address: () => string): Handler<R> =>
  async (request) => {
    const { status, headers, body } = await handler(request);
    return {
      status,
      headers: {
        'cache-control': 'no-cache',
        vary: 'Origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        ...headers,
      },
      body: typeof body === 'string' ? withAddress(body, address()) : body,
    };
  };

/** Leaves the body out of responses to HEAD. */
export const withoutBodyOfHead = (handler: Handler): Handler => async (request) => {
  const response = await handler(request);
  return request.method === 'HEAD' ? { ...response, body: '' } : response;
};
