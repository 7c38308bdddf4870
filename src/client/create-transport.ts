import type { Transport } from '../wire/http.js';
import { readBaseUrl } from './base-url.js';
import { tokenHeaders, withHeaders, withoutEcho } from './middleware/auth.js';
import { withEvents } from './middleware/events.js';
import { withRedirects } from './middleware/redirects.js';
import { defaultRetry, withRetry } from './middleware/retry.js';
import type { TransportOptions } from './options.js';
import { realTime } from './time.js';
import { socketTransport } from './transport/socket.js';

/**
 * A transport with everything a call needs but parameters and answers: retries around redirects around the token. The
 * token is added last, so that no other layer sees it.
 * @throws TypeError for a base URL or a token that can't be one
 */
export const createTransport = (options: TransportOptions): Transport => {
  const { token, tokenScheme, retry = defaultRetry, userAgent = 'colloquy', onEvent, time = realTime } = options;
  const base = readBaseUrl(options.url);
  const own = { 'user-agent': userAgent, ...(token !== undefined && tokenHeaders(token, tokenScheme)) };
  const bare = withHeaders(options.transport ?? socketTransport(base, options), own);
  const discreet = token === undefined ? bare : withoutEcho(bare, token);
  const seen = onEvent ? withEvents(discreet, onEvent, time.now) : discreet;
  return withRetry(withRedirects(seen, base), retry, time, onEvent ?? ignore);
};

const ignore = (): void => undefined;
