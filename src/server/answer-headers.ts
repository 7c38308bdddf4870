import type { HttpResponse } from '../wire/http.js';
import { withAddress } from './json.js';

/** An answer with more headers. */
export const withHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>>): HttpResponse =>
  ({ ...response, headers: { ...response.headers, ...headers } });

/** An answer as it leaves: with the headers that every one carries (wire-facts 1.9), and with the service's address. */
export const finished = (response: HttpResponse, address: string): HttpResponse => {
  const { body } = response;
  return {
    status: response.status,
    headers: {
      'cache-control': 'no-cache',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      ...response.headers,
    },
    body: typeof body === 'string' ? withAddress(body, address) : body,
  };
};
