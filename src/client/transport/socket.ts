import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { setImmediate } from '../../wire/time.js';
import {
  caOptions, defaultTimeout, proxyFor, tlsOptions, type ConnectionOptions, type ConnectionSettings, type Send,
} from './connection.js';
import { createDeadlines, type DeadlineWatch } from './deadlines.js';
import { connectionError } from './network-errors.js';
import { completeResponse } from './response-body.js';

/**
 * No redirects, no retries, no cookies. Opens connections when needed; idle ones do not keep the process alive.
 * @throws TypeError at once for an invalid proxy URL; later ConnectionError if there is no complete response, and the
 * reason of an aborted signal
 */
export const socketTransport = (base: BaseUrl, settings: ConnectionSettings = {}): Transport => {
  checkFetch(settings);
  const timeout = settings.timeout ?? defaultTimeout;
  const proxy = settings.dispatcher ? null : proxyFor(base.origin, settings);
  const destination = {
    name: proxy ? `${base.origin} (through the proxy ${proxy.origin})` : base.origin,
    origin: base.origin, proxy: proxy?.origin ?? null,
  };
  const { responseTimeout = Math.max(timeout * 10, 30_000) } = settings;
  const watch = createDeadlines(responseTimeout, deadlineError);
  let connection: Promise<Send> | undefined;
  return async (request, signal) => {
    try {
      const send = await (connection ??= openConnection(base, proxy, settings));
      if (settings.http === 'node' && request.method === 'POST') await untilClosesAreDetected();
      return await sendRequest(send, base.path, request, timeout, watch, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionError(request, destination, cause);
    }
  };
};

/** @throws TypeError, because a request must not leave without the proxy or the certificates that it was given */
const checkFetch = (settings: ConnectionSettings): void => {
  const ignored = (['dispatcher', 'proxy', 'ca', 'cert', 'key'] as const).find((name) => settings[name] !== undefined);
  if (settings.http !== 'fetch' || ignored === undefined) return;
  throw new TypeError(`the option ${ignored} has no effect with \`http: 'fetch'\`; remove one of them`);
};

const openConnection = async (base: BaseUrl, proxy: URL | null, settings: ConnectionSettings): Promise<Send> => {
  if (settings.http === 'fetch') {
    return (await import('./fetch.js')).fetchSend(base.origin, settings.timeout ?? defaultTimeout);
  }
  if (settings.dispatcher) {
    return (await import('./undici.js')).undiciSend(settings.dispatcher, base.origin, settings);
  }
  if (proxy === null) return openTo(base.origin, settings, { tls: tlsOptions(settings), connect: null });
  const { forwardingSend, tunnelConnect } = await import('./tunnel.js');
  if (base.origin.startsWith('https:')) {
    return openTo(base.origin, settings, { tls: {}, connect: tunnelConnect(base, proxy, settings) });
  }
  // The client certificate is for the service, not for the proxy.
  return forwardingSend(proxy, base, await openTo(proxy.origin, settings, { tls: caOptions(settings), connect: null }));
};

const openTo = async (origin: string, settings: ConnectionSettings, options: ConnectionOptions): Promise<Send> => {
  if (settings.http === 'node') return (await import('./node-http.js')).nodeHttpSend(origin, settings, options);
  const { createUndiciAgent, undiciSend } = await import('./undici.js');
  return undiciSend(await createUndiciAgent(settings, options), origin, settings, options.connect !== null);
};

const sendRequest = async (
  send: Send, basePath: string, request: HttpRequest, timeout: number, watch: DeadlineWatch, signal?: AbortSignal,
): Promise<HttpResponse> => {
  signal?.throwIfAborted();
  const { method, target, headers, body = null } = request;
  const pending = send({ path: basePath + target, method, headers, body, timeout });
  const watched = watch(pending.abort, signal);
  try {
    const response = await pending.response;
    return await completeResponse(response.status, joinHeaders(response.headers), response.body);
  } finally {
    watched.end();
  }
};

/**
 * A service may close a connection right after a response without notice; Node detects that two turns of the event
 * loop later. A request that cannot be repeated waits for that, so it never uses a closed connection, as in undici.
 */
const untilClosesAreDetected = (): Promise<void> => new Promise((resolve) => { setImmediate(setImmediate, resolve); });

const deadlineError = () => Object.assign(new Error('deadline exceeded'), { code: 'ANSWER_TIMEOUT' });

const joinHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value ?? '']));
