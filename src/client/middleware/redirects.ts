import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { requestLine, ResponseError } from '../errors.js';

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Below the base URL: always for GET and HEAD (behavior: requests.redirect), for other methods only if the status keeps
 * the method (307, 308). The token must not leave the service, and a POST must not become a GET (behavior:
 * requests.redirected-writes).
 * @throws ResponseError
 */
export const withRedirects = (transport: Transport, base: BaseUrl): Transport => async (request, signal) => {
  let target = request.target;
  for (let hops = 0; ; hops++) {
    const response = await transport({ ...request, target }, signal);
    if (!redirectStatuses.has(response.status)) return response;
    if (hops === maxRedirects) throw redirectError(request, response, `redirected more than ${maxRedirects} times`);
    target = targetOf(base, { ...request, target }, response);
  }
};

const targetOf = (base: BaseUrl, request: HttpRequest, response: HttpResponse): string => {
  const from = new URL(base.href + request.target);
  const to = locationOf(from, request, response);
  const description = `redirected from ${withoutQuery(from)} to ${withoutQuery(to)}`;
  if (to.origin !== base.origin || !to.pathname.startsWith(`${base.path}/`)) {
    const problem = 'which does not receive the token';
    throw redirectError(request, response, `${description}, ${problem}; ${redirectHint(request, to)}`);
  }
  if (!keepsMethod(request.method, response.status)) {
    const problem = `which would turn the ${request.method} into a GET`;
    throw redirectError(request, response, `${description}, ${problem}; ${redirectHint(request, to)}`);
  }
  return to.pathname.slice(base.path.length) + to.search;
};

const locationOf = (from: URL, request: HttpRequest, response: HttpResponse): URL => {
  const location = response.headers['location'] ?? '';
  const to = location !== '' && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw redirectError(request, response, `redirected from ${withoutQuery(from)} without a valid Location header`);
  }
  return to;
};

const keepsMethod = (method: string, status: number): boolean =>
  method === 'GET' || method === 'HEAD' || status === 307 || status === 308;

/** A base URL that needs no redirect. */
const redirectHint = (request: HttpRequest, to: URL): string => {
  const requestPath = request.target.split('?', 1)[0]!;
  const path = to.pathname.endsWith(requestPath) ? to.pathname.slice(0, -requestPath.length) : '';
  return `set the base URL to ${to.origin}${path}`;
};

const withoutQuery = (url: URL): string => url.origin + url.pathname;

const redirectError = (request: HttpRequest, response: HttpResponse, message: string): ResponseError =>
  new ResponseError(message, requestLine(request), response.status);
