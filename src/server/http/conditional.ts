import { hash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../../wire/http.js';
import { isRead, type Handler } from './handler.js';

/** Adds the tag of the body to responses to reads (wire-facts 1.9.4). */
export const withEtag = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => async (request) => {
  const response = await handler(request);
  return response.status === 200 && isRead(request) ? tagged(response) : response;
};

/** Responds with 304 and without a body where the client has the response already (wire-facts 1.9.5). */
export const withNotModified = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => async (request) => {
  const response = await handler(request);
  const known = request.headers['if-none-match'];
  const { etag } = response.headers;
  if (known === undefined || etag === undefined) return response;
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const isKnown = tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
  return isKnown ? { ...response, status: 304, body: '' } : response;
};

/** The body becomes bytes, so that a cached response is encoded once. */
const tagged = (response: HttpResponse): HttpResponse => {
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
  const etag = `W/"${hash('md5', body, 'hex')}"`;
  return {
    ...response, body,
    headers: { ...response.headers, etag, 'cache-control': 'max-age=0, private, must-revalidate' },
  };
};
