import type { Dispatcher } from 'undici';
import type { HttpRequest, HttpResponse, Transport } from '../wire/http.js';
import type { BaseUrl } from './base-url.js';
import { dispatched } from './dispatched.js';
import { openDispatcher, type ConnectionSettings } from './dispatcher.js';
import { connectionError } from './failures.js';
import { proxyFor } from './proxy.js';
import { wholeAnswer } from './whole-answer.js';

/** What the socket transport may be given. */
export interface SocketSettings extends ConnectionSettings {
  /** An undici dispatcher to use in place of one of our own; proxy, TLS and connect timeout are then its business. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Longest silence where the caller sets none. */
const defaultTimeout = 60_000;

/**
 * Performs requests over sockets with undici: no redirects, no retries, no cookies.
 *
 * Opens its pool of connections with the first request; idle ones don't keep a process alive.
 * @throws TypeError at once for a proxy that is no URL; then ConnectionError when no complete answer comes, and the
 *   signal's reason when aborted
 */
export const socketTransport = (base: BaseUrl, settings: SocketSettings = {}): Transport => {
  const timeout = settings.timeout ?? defaultTimeout;
  const proxy = settings.dispatcher ? null : proxyFor(base.origin, settings);
  const place = proxy ? `${base.origin} (through the proxy ${proxy.origin})` : base.origin;
  let pool: Promise<Dispatcher> | undefined;
  return async (request, signal) => {
    try {
      const dispatcher = settings.dispatcher ?? await (pool ??= openDispatcher(base, proxy, settings));
      return await perform(dispatcher, base, request, timeout, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionError(request, place, cause);
    }
  };
};

/** Arriving bit by bit, an answer may take so many times the longest silence as a whole, and so long in any case. */
const patience = { times: 10, least: 30_000 };

const perform = async (
  dispatcher: Dispatcher, base: BaseUrl, request: HttpRequest, timeout: number, signal?: AbortSignal,
): Promise<HttpResponse> => {
  signal?.throwIfAborted();
  const { arrived, end } = dispatched(dispatcher, {
    origin: base.origin, path: base.path + request.target, method: request.method,
    headers: request.headers, body: request.body ?? null, headersTimeout: timeout, bodyTimeout: timeout,
  });
  const timer = setTimeout(() => { end(tooSlow()); }, Math.max(timeout * patience.times, patience.least));
  // A signal of its own: Node warns of many listeners on one.
  const own = signal && AbortSignal.any([signal]);
  const stop = () => { end(own?.reason); };
  own?.addEventListener('abort', stop);
  try {
    const { status, headers, pieces } = await arrived;
    const response = await wholeAnswer(status, flat(headers), pieces);
    await untilReusable();
    return response;
  } finally {
    clearTimeout(timer);
    own?.removeEventListener('abort', stop);
  }
};

const tooSlow = () => Object.assign(new Error('too slow'), { code: 'ANSWER_TIMEOUT' });

/** undici takes a connection back one turn after its answer; a call before that would open a second one. */
const untilReusable = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

/** One text a header; a header sent several times is joined as HTTP says. */
const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value ?? '']));
