import type { Dispatcher } from 'undici';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { defaultTimeout, identified, trusted, type ConnectionSettings, type Send, type Way } from './connection.js';
import { underWay, type Watch } from './deadline.js';
import { connectionError } from './network-errors.js';
import { proxyFor } from './proxy.js';
import { wholeAnswer } from './response-body.js';
import { byUndici } from './undici.js';

/** What the socket transport may be given. */
export interface SocketSettings extends ConnectionSettings {
  /** An undici dispatcher to use in place of one of our own; proxy, TLS and connect timeout are then its business. */
  readonly dispatcher?: Dispatcher | undefined;
  /**
   * What sends requests: `undici`, the default, makes more calls in a second; `node`, which is Node's own HTTP, makes
   * the first one sooner.
   */
  readonly http?: 'undici' | 'node' | undefined;
}

/**
 * Performs requests over sockets: no redirects, no retries, no cookies.
 *
 * Opens its connections as they are needed; idle ones don't keep a process alive.
 * @throws TypeError at once for a proxy that is no URL; then ConnectionError when no complete answer comes, and the
 *   signal's reason when aborted
 */
export const socketTransport = (base: BaseUrl, settings: SocketSettings = {}): Transport => {
  const timeout = settings.timeout ?? defaultTimeout;
  const proxy = settings.dispatcher ? null : proxyFor(base.origin, settings);
  const place = proxy ? `${base.origin} (through the proxy ${proxy.origin})` : base.origin;
  const watch = underWay(Math.max(timeout * longest.silences, longest.least), tooSlow);
  let opened: Promise<Send> | undefined;
  return async (request, signal) => {
    try {
      const send = await (opened ??= open(base, proxy, settings));
      if (settings.http === 'node' && request.method === 'POST') await untilHeard();
      return await perform(send, base.path, request, { timeout, watch }, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionError(request, place, cause);
    }
  };
};

const open = async (base: BaseUrl, proxy: URL | null, settings: SocketSettings): Promise<Send> => {
  if (settings.dispatcher) return byUndici(settings.dispatcher, base.origin);
  if (proxy === null) return openTo(base.origin, settings, { tls: identified(settings), connect: null });
  const { forwardedBy, tunnelTo } = await import('./tunnel.js');
  if (base.origin.startsWith('https:')) {
    return openTo(base.origin, settings, { tls: {}, connect: tunnelTo(base, proxy, settings) });
  }
  // The client's certificate is the service's to see, not the proxy's.
  return forwardedBy(proxy, base, await openTo(proxy.origin, settings, { tls: trusted(settings), connect: null }));
};

const openTo = async (origin: string, settings: SocketSettings, way: Way): Promise<Send> => {
  if (settings.http === 'node') return (await import('./node-http.js')).byHttp(origin, settings, way);
  return byUndici(await (await import('./undici-agent.js')).openDispatcher(settings, way), origin);
};

/** Arriving bit by bit, an answer may take so many times the longest silence as a whole, and so long in any case. */
const longest = { silences: 10, least: 30_000 };

interface Limits { readonly timeout: number; readonly watch: Watch }

const perform = async (
  send: Send, basePath: string, request: HttpRequest, { timeout, watch }: Limits, signal?: AbortSignal,
): Promise<HttpResponse> => {
  signal?.throwIfAborted();
  const { method, target, headers, body = null } = request;
  const { arrived, end } = send({ path: basePath + target, method, headers, body, timeout });
  const ended = watch(end, signal);
  try {
    const answer = await arrived;
    return await wholeAnswer(answer.status, flat(answer.headers), answer.body);
  } finally {
    ended();
  }
};

/**
 * A service may close a connection right behind an answer and not say so: two turns later that is heard. What can't be
 * sent twice waits for it, or it would go out on what is closed. undici waits for itself.
 */
const untilHeard = (): Promise<void> => new Promise((resolve) => { setImmediate(setImmediate, resolve); });

const tooSlow = () => Object.assign(new Error('too slow'), { code: 'ANSWER_TIMEOUT' });

/** One text a header; a header sent several times is joined as HTTP says. */
const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value ?? '']));
