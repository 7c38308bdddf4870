import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { requestLine, ResponseError } from '../errors.js';

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects below the base URL: reads always, other methods only where the status keeps them (307, 308). All
 * others are errors that name both addresses, because the token must not travel on and a POST must not turn into a GET
 * (wire-facts 8.15).
 * @throws ResponseError
 */
export const withRedirects = (transport: Transport, base: BaseUrl): Transport => async (request, signal) => {
  let target = request.target;
  for (let hops = 0; ; hops++) {
    const response = await transport({ ...request, target }, signal);
    if (!redirects.has(response.status)) return response;
    if (hops === maxRedirects) throw redirectError(request, response, `redirected more than ${maxRedirects} times`);
    target = targetOf(base, { ...request, target }, response);
  }
};

const targetOf = (base: BaseUrl, request: HttpRequest, response: HttpResponse): string => {
  const from = new URL(base.href + request.target);
  const to = locationOf(from, request, response);
  const way = `redirected from ${withoutQuery(from)} to ${withoutQuery(to)}`;
  if (to.origin !== base.origin || !to.pathname.startsWith(`${base.path}/`)) {
    throw redirectError(request, response, `${way}, where the token is not sent; ${redirectHint(request, to)}`);
  }
  if (!keepsMethod(request.method, response.status)) {
    const loss = `which would turn the ${request.method} into a GET`;
    throw redirectError(request, response, `${way}, ${loss}; ${redirectHint(request, to)}`);
  }
  return to.pathname.slice(base.path.length) + to.search;
};

const locationOf = (from: URL, request: HttpRequest, response: HttpResponse): URL => {
  const location = response.headers['location'] ?? '';
  const to = location !== '' && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw redirectError(request, response, `redirected from ${withoutQuery(from)} to nowhere: no usable Location`);
  }
  return to;
};

const keepsMethod = (method: string, status: number): boolean =>
  method === 'GET' || method === 'HEAD' || status === 307 || status === 308;

/** The base URL that would have led there at once, where the path shows it. */
const redirectHint = (request: HttpRequest, to: URL): string => {
  const asked = request.target.split('?', 1)[0]!;
  const path = to.pathname.endsWith(asked) ? to.pathname.slice(0, -asked.length) : '';
  return `set the base URL to ${to.origin}${path}`;
};

const withoutQuery = (url: URL): string => url.origin + url.pathname;

const redirectError = (request: HttpRequest, response: HttpResponse, message: string): ResponseError =>
  new ResponseError(message, requestLine(request), response.status);
