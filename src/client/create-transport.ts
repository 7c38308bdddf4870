import { tokenHeader } from '../contract/conventions.js';
import { bodyText, type Transport } from '../wire/http.js';
import { createMask, redactedMark } from '../wire/secrets/known.js';
import { type BaseUrl, readBaseUrl } from './base-url.js';
import { withEvents } from './events.js';
import { checkClientOptions, type TokenScheme, type TransportOptions } from './options.js';
import { withRedirects } from './redirects.js';
import { defaultRetry, type RepeatingTransport, withRetry } from './retry.js';
import { realTime } from './time.js';
import { defaultTimeout } from './transport/connection.js';
import { createDeadlines, type DeadlineWatch } from './transport/deadlines.js';
import { connectionError, isNetworkError } from './transport/network-errors.js';
import { socketTransport } from './transport/socket.js';

/**
 * Creates a transport with the middleware for retries, redirects, events and authentication. The token is added last,
 * so no other middleware sees it.
 * @throws TypeError for an invalid option
 */
export const createTransport: (options: TransportOptions) => Transport = (options) => createRepeatingTransport(options);

export const createRepeatingTransport = (options: TransportOptions): RepeatingTransport => {
  checkClientOptions(options);
  const { token, tokenScheme, retry = defaultRetry, userAgent = 'colloquy', onEvent, time = realTime } = options;
  const base = readBaseUrl(options.url);
  const ownHeaders = { 'user-agent': userAgent, ...(token !== undefined && tokenHeaders(token, tokenScheme)) };
  const authorized = withHeaders(performing(options, base), ownHeaders);
  const redacted = token === undefined ? authorized : withRedactedToken(authorized, token);
  const observed = onEvent ? withEvents(redacted, onEvent, time.now) : redacted;
  return withRetry(withRedirects(observed, base), retry, time, onEvent ?? ignore);
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

const ignore = (): void => undefined;

type Headers = Readonly<Record<string, string>>;

/** @throws TypeError for text that is not valid in a header, such as a line break; the message does not repeat it */
const tokenHeaders = (token: string, scheme: TokenScheme = 'private-token'): Headers => {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('the token is empty or contains characters that are not valid in a header');
  }
  return scheme === 'bearer' ? { authorization: `Bearer ${token}` } : { [tokenHeader]: token };
};

/** Headers of the request take precedence. */
const withHeaders = (transport: Transport, headers: Headers): Transport => (request, signal) =>
  transport({ ...request, headers: { ...headers, ...request.headers } }, signal);

/** Shorter tokens are not redacted: they are words that can occur in any message. */
const minSecretLength = 8;

/** Error responses are printed and logged, and may repeat the request, in any encoding. */
const withRedactedToken = (transport: Transport, token: string): Transport => async (request, signal) => {
  const response = await transport(request, signal);
  if (response.status < 400 || token.length < minSecretLength) return response;
  const text = bodyText(response.body);
  const masked = createMask([token], { shortest: minSecretLength, mark: redactedMark })(text);
  return masked === text ? response : { ...response, body: masked };
};
