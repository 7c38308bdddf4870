import type { Transport } from '../wire/http.js';
import { readBaseUrl, type BaseUrl } from './base-url.js';
import { tokenHeaders, withHeaders, withRedactedToken } from './middleware/auth.js';
import { withEvents } from './middleware/events.js';
import { withRedirects } from './middleware/redirects.js';
import { withRetry, type RepeatingTransport } from './middleware/retry.js';
import { defaultRetry } from './retry.js';
import { checkClientOptions, type TransportOptions } from './options.js';
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

/** Its requests can say how far they may be repeated. */
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
  return async (request, signal) => {
    signal?.throwIfAborted();
    try {
      return await endingInTime(watch, signal, (ownSignal) => transport(request, ownSignal));
    } catch (error) {
      signal?.throwIfAborted();
      throw isNetworkError(error) ? connectionError(request, base.href, error) : error;
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
