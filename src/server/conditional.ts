import { hash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../wire/http.js';

/** An answer with the tag of its body and with its body as bytes (wire-facts 1.9.4). */
export const tagged = (response: HttpResponse): HttpResponse => {
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
  return {
    ...response,
    headers: {
      ...response.headers,
      etag: `W/"${hash('md5', body, 'hex')}"`,
      'cache-control': 'max-age=0, private, must-revalidate',
    },
    body,
  };
};

/** The answer, or 304 without a body where the caller has it already (wire-facts 1.9.5). */
export const unlessKnown = (request: HttpRequest, response: HttpResponse): HttpResponse => {
  const known = request.headers['if-none-match'];
  const { etag } = response.headers;
  if (known === undefined || etag === undefined) return response;
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const isKnown = tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
  return isKnown ? { ...response, status: 304, body: '' } : response;
};
