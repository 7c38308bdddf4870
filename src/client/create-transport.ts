import type { Transport } from '../wire/http.js';
import { readBaseUrl, type BaseUrl } from './base-url.js';
import { tokenHeaders, withHeaders, withRedactedToken } from './middleware/auth.js';
import { withEvents } from './middleware/events.js';
import { withRedirects } from './middleware/redirects.js';
import { defaultRetry, withRetry } from './middleware/retry.js';
import type { TransportOptions } from './options.js';
import { realTime } from './time.js';
import { connectionError, isNetworkError } from './transport/network-errors.js';
import { socketTransport } from './transport/socket.js';

/**
 * Creates a transport with the middleware for retries, redirects, events and authentication. The token is added last,
 * so no other middleware sees it.
 * @throws TypeError for an invalid base URL or token
 */
export const createTransport = (options: TransportOptions): Transport => {
  const { token, tokenScheme, retry = defaultRetry, userAgent = 'colloquy', onEvent, time = realTime } = options;
  const base = readBaseUrl(options.url);
  const ownHeaders = { 'user-agent': userAgent, ...(token !== undefined && tokenHeaders(token, tokenScheme)) };
  const authorized = withHeaders(performing(options, base), ownHeaders);
  const redacted = token === undefined ? authorized : withRedactedToken(authorized, token);
  const observed = onEvent ? withEvents(redacted, onEvent, time.now) : redacted;
  return withRetry(withRedirects(observed, base), retry, time, onEvent ?? ignore);
};

/** Network errors of another transport become ConnectionErrors, so that they are retried like those of a socket. */
const performing = (options: TransportOptions, base: BaseUrl): Transport => {
  const { transport } = options;
  if (!transport) return socketTransport(base, options);
  return async (request, signal) => {
    try {
      return await transport(request, signal);
    } catch (error) {
      throw isNetworkError(error) ? connectionError(request, base.href, error) : error;
    }
  };
};

const ignore = (): void => undefined;
