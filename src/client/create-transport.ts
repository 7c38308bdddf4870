import { apiPrefix, tokenHeader } from '../contract/conventions.js';
import {
  bodyText, decodePercent, type HttpRequest, isParams, isRead, requestLine, type Transport,
} from '../wire/http.js';
import { createMask, redactedMark } from '../wire/secrets/known.js';
import { realTime, type Time } from '../wire/time.js';
import { type BaseUrl, readBaseUrl } from './base-url.js';
import { ConnectionError, type FinalResponse, MovedProjectError, ResponseError } from './errors.js';
import type { Observer } from './events.js';
import { checkClientOptions, type TokenScheme, type TransportOptions, withSyncCallbacks } from './options.js';
import { type Exchange, parsedBody, responseError } from './response.js';
import { type RepeatingTransport, retryPolicy, withRetry } from './retry.js';
import { defaultTimeout } from './transport/connection.js';
import { createDeadlines, type DeadlineWatch } from './transport/deadlines.js';
import { connectionError, isNetworkError } from './transport/network-errors.js';
import { socketTransport } from './transport/socket.js';

/**
 * Creates a transport with the middleware for retries, redirects, events and authentication. The token is added last,
 * so no other middleware sees it.
 * @throws TypeError for an invalid option
 */
export const createTransport: (options: TransportOptions) => Transport = (options) => {
  checkClientOptions(options);
  return createRepeatingTransport(withSyncCallbacks(options));
};

export const createRepeatingTransport = (options: TransportOptions): RepeatingTransport => {
  const { token, tokenScheme, retry, userAgent = 'colloquy', onEvent, time = realTime } = options;
  const base = readBaseUrl(options.url);
  const ownHeaders = { 'user-agent': userAgent, ...(token !== undefined && tokenHeaders(token, tokenScheme)) };
  const authorized = withHeaders(performing(options, base), ownHeaders);
  const redacted = token === undefined ? withTokenHint(authorized) : withRedactedToken(authorized, token);
  const observed = onEvent ? withEvents(redacted, onEvent, time.now) : redacted;
  return withRetry(withRedirects(observed, base), retryPolicy(retry), time, onEvent ?? (() => undefined));
};

/**
 * Another transport ends in time and on an abort, whether it knows signals or not. Its network errors become
 * ConnectionErrors, so that they are retried like those of a socket.
 */
const performing = (options: TransportOptions, base: BaseUrl): Transport => {
  const { transport, timeout = defaultTimeout } = options;
  if (!transport) return socketTransport(base, options);
  const watch = createDeadlines(timeout, silenceError);
  const destination = { name: base.href, origin: base.origin, proxy: null };
  return async (request, signal) => {
    signal?.throwIfAborted();
    try {
      return await endingInTime(watch, signal, (ownSignal) => transport(request, ownSignal));
    } catch (error) {
      signal?.throwIfAborted();
      throw isNetworkError(error) ? connectionError(request, destination, error) : error;
    }
  };
};

const silenceError = () => Object.assign(new Error('deadline exceeded'), { code: 'UND_ERR_HEADERS_TIMEOUT' });

/** The work's own signal is aborted at the deadline and with `signal`. */
const endingInTime = <T>(
  watch: DeadlineWatch, signal: AbortSignal | undefined, work: (ownSignal: AbortSignal) => Promise<T>,
): Promise<T> => new Promise((resolve, reject) => {
  const stopping = new AbortController();
  const watched = watch((reason) => {
    reject(reason);
    stopping.abort(reason);
  }, signal);
  work(stopping.signal).then(resolve, reject).finally(watched.end);
});

/** @throws TypeError for text that is not valid in a header, such as a line break; the message does not repeat it */
const tokenHeaders = (token: string, scheme: TokenScheme = 'private-token'): HttpRequest['headers'] => {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('the token is empty or contains characters that are not valid in a header');
  }
  return scheme === 'bearer' ? { authorization: `Bearer ${token}` } : { [tokenHeader]: token };
};

/** Headers of the request take precedence. */
const withHeaders = (transport: Transport, headers: HttpRequest['headers']): Transport => (request, signal) =>
  transport({ ...request, headers: { ...headers, ...request.headers } }, signal);

/** Shorter tokens are not redacted: they are words that can occur in any message. */
const minSecretLength = 8;

/** Error responses are printed and logged, and may repeat the request, in any encoding. */
const withRedactedToken = (transport: Transport, token: string): Transport => async (request, signal) => {
  const response = await transport(request, signal);
  if (response.status < 400 || token.length < minSecretLength) return response;
  const text = bodyText(response.body);
  const options = { shortest: minSecretLength, mark: redactedMark, finds: 'escaped letters' } as const;
  const masked = createMask([token], options)(text);
  return masked === text ? response : { ...response, body: masked };
};

const withTokenHint = (transport: Transport) => async (
  request: HttpRequest, signal?: AbortSignal,
): Promise<FinalResponse> => {
  const response = await transport(request, signal);
  return response.status === 401 ? { ...response, hint: tokenHint } : response;
};

const tokenHint = 'pass a token to createClient: this client has none';

export const withEvents = (transport: Transport, observe: Observer, now: Time['now']): Transport =>
  async (request, signal) => {
    const line = requestLine(request);
    const start = now();
    observe({ type: 'request', request: line });
    const response = await transport(request, signal);
    const { status, headers } = response;
    observe({ type: 'response', request: line, status, ms: now() - start, id: headers['x-request-id'] ?? null });
    return response;
  };

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Below the base URL: always for GET and HEAD (behavior: requests.redirect), for other methods only if the status keeps
 * the method (307, 308). The token must not leave the service, and a POST must not become a GET (behavior:
 * requests.redirected-writes). A rejected write to a moved project asks where the project is now.
 * @throws ResponseError, MovedProjectError
 */
export const withRedirects = (transport: Transport, base: BaseUrl): Transport => {
  const follow: Transport = async (request, signal) => {
    let current = request;
    for (let hops = 0; ; hops++) {
      const response = await transport(current, signal);
      const received = { request: current, response };
      const isRedirect = redirectStatuses.has(response.status);
      if (isRedirect || response.status === methodNotAllowed) await rejectIfMoved(follow, base, received, signal);
      if (!isRedirect) return response;
      if (hops === maxRedirects) {
        throw responseError({ request, response }, `redirected more than ${maxRedirects} times`);
      }
      current = { ...current, target: redirectTarget(base, received) };
    }
  };
  return follow;
};

/** @throws MovedProjectError for a write that names its project by a former path (behavior: requests.moved-writes) */
const rejectIfMoved = async (
  look: Transport, base: BaseUrl, received: Exchange, signal: AbortSignal | undefined,
): Promise<void> => {
  const { request, response } = received;
  if (isRead(request)) return;
  const from = projectPathIn(request.target);
  const found = response.status === methodNotAllowed ? from
    : keepsMethod(request.method, response.status) ? null : projectIdIn(base, received);
  if (from === null || found === null) return;
  const to = await pathOfProject(look, found, request, signal) ?? found;
  if (to.toLowerCase() === from.toLowerCase()) return;
  const { status, headers } = response;
  throw new MovedProjectError(from, to, { status, headers, request: requestLine(request), body: parsedBody(response) });
};

const methodNotAllowed = 405;
const projectTarget = new RegExp(`^${apiPrefix}/projects/([^/?]+)`);

/** Decoded; null if the target names no project, or one by its id. */
const projectPathIn = (target: string): string | null => {
  const name = decodePercent(projectTarget.exec(target)?.[1] ?? '');
  return name.includes('/') ? name : null;
};

/** The service redirects to the same path with the id of the project (behavior: requests.redirect). */
const projectIdIn = (base: BaseUrl, received: Exchange): string | null => {
  const to = locationOf(base, received);
  const id = projectTarget.exec(to && targetBelow(base, to) || '')?.[1] ?? '';
  return /^\d+$/.test(id) ? id : null;
};

/** Null if the service does not tell. */
const pathOfProject = async (
  look: Transport, project: string, { headers }: HttpRequest, signal: AbortSignal | undefined,
): Promise<string | null> => {
  try {
    const target = `${apiPrefix}/projects/${encodeURIComponent(project)}`;
    const { accept = 'application/json' } = headers;
    const body = parsedBody(await look({ method: 'GET', target, headers: { accept } }, signal));
    return isParams(body) && typeof body['path_with_namespace'] === 'string' ? body['path_with_namespace'] : null;
  } catch (error) {
    if (signal?.aborted || !(error instanceof ResponseError || error instanceof ConnectionError)) throw error;
    return null;
  }
};

const redirectTarget = (base: BaseUrl, received: Exchange): string => {
  const { request, response } = received;
  const from = withoutQuery(new URL(base.href + request.target));
  const to = locationOf(base, received);
  if (to === null) throw responseError(received, `redirected from ${from} without a valid Location header`);
  const target = targetBelow(base, to);
  if (target !== null && keepsMethod(request.method, response.status)) return target;
  const problem = target === null ? 'does not receive the token' : `would turn the ${request.method} into a GET`;
  const description = `redirected from ${from} to ${withoutQuery(to)}, which ${problem}`;
  throw responseError(received, `${description}; ${redirectHint(request, to)}`);
};

/** Null without a valid Location header. */
const locationOf = (base: BaseUrl, { request, response }: Exchange): URL | null => {
  const [location = '', from] = [response.headers['location'], base.href + request.target];
  const to = location !== '' && URL.canParse(location, from) ? new URL(location, from) : null;
  return to !== null && /^https?:$/.test(to.protocol) ? to : null;
};

/** Null for a URL that is not below the base URL. */
const targetBelow = (base: BaseUrl, { origin, pathname, search }: URL): string | null =>
  origin === base.origin && pathname.startsWith(`${base.path}/`) ? pathname.slice(base.path.length) + search : null;

const keepsMethod = (method: string, status: number): boolean => isRead({ method }) || status === 307 || status === 308;

const redirectHint = (request: HttpRequest, to: URL): string => {
  const requestPath = request.target.split('?', 1)[0]!;
  const path = to.pathname.endsWith(requestPath) ? to.pathname.slice(0, -requestPath.length) : '';
  return `set the base URL to ${to.origin}${path}`;
};

const withoutQuery = (url: URL): string => url.origin + url.pathname;
