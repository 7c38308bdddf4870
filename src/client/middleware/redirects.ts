import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { AnswerError, requestLine } from '../errors.js';

const most = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects below the base URL: reads always, other methods only where the status keeps them (307, 308). All
 * others are errors that name both addresses, because the token must not travel on and a POST must not turn into a GET
 * (wire-facts 8.15).
 * @throws AnswerError
 */
export const withRedirects = (transport: Transport, base: BaseUrl): Transport => async (request, signal) => {
  let target = request.target;
  for (let hops = 0; ; hops++) {
    const response = await transport({ ...request, target }, signal);
    if (!redirects.has(response.status)) return response;
    if (hops === most) throw refused(request, response, `redirected more than ${most} times`);
    target = targetBelow(base, { ...request, target }, response);
  }
};

const targetBelow = (base: BaseUrl, request: HttpRequest, response: HttpResponse): string => {
  const from = new URL(base.href + request.target);
  const to = locationOf(from, request, response);
  const way = `redirected from ${withoutQuery(from)} to ${withoutQuery(to)}`;
  if (to.origin !== base.origin || !to.pathname.startsWith(`${base.path}/`)) {
    throw refused(request, response, `${way}, where the token is not sent; ${advice(request, to)}`);
  }
  if (!keepsMethod(request.method, response.status)) {
    const loss = `which would turn the ${request.method} into a GET`;
    throw refused(request, response, `${way}, ${loss}; ${advice(request, to)}`);
  }
  return to.pathname.slice(base.path.length) + to.search;
};

const locationOf = (from: URL, request: HttpRequest, response: HttpResponse): URL => {
  const location = response.headers['location'] ?? '';
  const to = location !== '' && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw refused(request, response, `redirected from ${withoutQuery(from)} to nowhere: no usable Location`);
  }
  return to;
};

const keepsMethod = (method: string, status: number): boolean =>
  method === 'GET' || method === 'HEAD' || status === 307 || status === 308;

/** The base URL that would have led there at once, where the path shows it. */
const advice = (request: HttpRequest, to: URL): string => {
  const asked = request.target.split('?', 1)[0]!;
  const path = to.pathname.endsWith(asked) ? to.pathname.slice(0, -asked.length) : '';
  return `set the base URL to ${to.origin}${path}`;
};

const withoutQuery = (url: URL): string => url.origin + url.pathname;

const refused = (request: HttpRequest, response: HttpResponse, message: string): AnswerError =>
  new AnswerError(message, requestLine(request), response.status);
