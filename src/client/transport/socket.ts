import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { monotonicTime } from '../time.js';
import {
  caOptions, defaultTimeout, proxyFor, tlsOptions, type Abort, type ConnectionOptions, type ConnectionSettings,
  type Send,
} from './connection.js';
import { connectionError } from './network-errors.js';
import { completeResponse } from './response-body.js';
import { undiciSend } from './undici.js';

/** Watches a request from now on; what it returns is called when the request has ended. */
export type DeadlineWatch = (end: Abort, signal?: AbortSignal) => () => void;

/** A timer set for longer goes off at once. */
const longestWait = 0x7fff_ffff;

/**
 * Ends requests that take longer than `limit` milliseconds, and those whose signal is aborted, with the signal's
 * reason.
 *
 * One timer watches all of them, for the first to begin is the first to be due, and one listener all that have the same
 * signal: a timer for each took a fiftieth of a long list, a listener a hundredth. The timer keeps no process alive.
 * @param tooLong makes the reason given to those that take too long
 */
export const createDeadlines = (limit: number, tooLong: () => Error): DeadlineWatch => {
  const ring = newDeadline(() => undefined, Infinity);
  const hear = listenFor(ring);
  let isWatched = false;
  const watch = (wait: number) => {
    isWatched = true;
    setTimeout(look, Math.min(wait, longestWait)).unref();
  };
  const look = () => {
    isWatched = false;
    const now = monotonicTime();
    for (let first = ring.after; first !== ring; first = ring.after) {
      if (first.due > now) return watch(first.due - now);
      removeDeadline(first);
      first.end(tooLong());
    }
  };
  return (end, signal) => {
    const one = newDeadline(end, monotonicTime() + limit, signal);
    insertBefore(ring, one);
    if (!isWatched) watch(limit);
    const deafen = signal ? hear(signal) : null;
    return () => {
      removeDeadline(one);
      deafen?.();
    };
  };
};

/** Hears signals for as long as there are requests of theirs: what it returns is called when one has ended. */
const listenFor = (ring: Deadline) => {
  const heard = new Map<AbortSignal, { requests: number; readonly stop: () => void }>();
  const begin = (signal: AbortSignal) => {
    const stop = () => {
      for (const { end } of pendingDeadlines(ring).filter((one) => one.signal === signal)) end(signal.reason as Error);
    };
    // Node warns of many listeners on one signal; here each is a client that is at work.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
    const listening = { requests: 0, stop };
    heard.set(signal, listening);
    return listening;
  };
  return (signal: AbortSignal) => {
    const listening = heard.get(signal) ?? begin(signal);
    listening.requests++;
    return () => {
      if (--listening.requests > 0) return;
      signal.removeEventListener('abort', listening.stop);
      heard.delete(signal);
    };
  };
};

/**
 * A request on its way. It stands in a ring, in the order in which requests began: a Set costs as much to keep as a
 * sixth of a call.
 */
export interface Deadline {
  readonly end: Abort;
  /** When it has taken too long, in milliseconds of `elapsed`. */
  readonly due: number;
  readonly signal: AbortSignal | undefined;
  before: Deadline;
  after: Deadline;
}

/** A request in no ring yet; or the start of a ring, which is no request. */
export const newDeadline = (end: Abort, due: number, signal?: AbortSignal): Deadline => {
  const one = { end, due, signal } as Deadline;
  one.before = one.after = one;
  return one;
};

/** @param next what it is to stand before: the start of a ring, to stand last in it */
export const insertBefore = (next: Deadline, one: Deadline): void => {
  one.before = next.before;
  one.after = next;
  next.before.after = one;
  next.before = one;
};

/** Once out it is alone, and taking it out again does nothing. */
export const removeDeadline = (one: Deadline): void => {
  one.before.after = one.after;
  one.after.before = one.before;
  one.before = one.after = one;
};

/** All that stand in a ring now, whatever happens to it later. */
export const pendingDeadlines = (start: Deadline): Deadline[] => {
  const all: Deadline[] = [];
  for (let one = start.after; one !== start; one = one.after) all.push(one);
  return all;
};

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
  const watch = createDeadlines(Math.max(timeout * longest.silences, longest.least), deadlineError);
  let opened: Promise<Send> | undefined;
  return async (request, signal) => {
    try {
      const send = await (opened ??= open(base, proxy, settings));
      if (settings.http === 'node' && request.method === 'POST') await untilClosesAreSeen();
      return await sendRequest(send, base.path, request, { timeout, watch }, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionError(request, place, cause);
    }
  };
};

const open = async (base: BaseUrl, proxy: URL | null, settings: SocketSettings): Promise<Send> => {
  if (settings.dispatcher) return undiciSend(settings.dispatcher, base.origin);
  if (proxy === null) return openTo(base.origin, settings, { tls: tlsOptions(settings), connect: null });
  const { forwardingSend: forwardedBy, tunnelConnect: tunnelTo } = await import('./tunnel.js');
  if (base.origin.startsWith('https:')) {
    return openTo(base.origin, settings, { tls: {}, connect: tunnelTo(base, proxy, settings) });
  }
  // The client's certificate is the service's to see, not the proxy's.
  return forwardedBy(proxy, base, await openTo(proxy.origin, settings, { tls: caOptions(settings), connect: null }));
};

const openTo = async (origin: string, settings: SocketSettings, way: ConnectionOptions): Promise<Send> => {
  if (settings.http === 'node') return (await import('./node-http.js')).nodeHttpSend(origin, settings, way);
  return undiciSend(await (await import('./undici-agent.js')).createUndiciAgent(settings, way), origin);
};

/** Arriving bit by bit, an answer may take so many times the longest silence as a whole, and so long in any case. */
const longest = { silences: 10, least: 30_000 };

interface Limits { readonly timeout: number; readonly watch: DeadlineWatch }

const sendRequest = async (
  send: Send, basePath: string, request: HttpRequest, { timeout, watch }: Limits, signal?: AbortSignal,
): Promise<HttpResponse> => {
  signal?.throwIfAborted();
  const { method, target, headers, body = null } = request;
  const { arrived, end } = send({ path: basePath + target, method, headers, body, timeout });
  const ended = watch(end, signal);
  try {
    const answer = await arrived;
    return await completeResponse(answer.status, joinHeaders(answer.headers), answer.body);
  } finally {
    ended();
  }
};

/**
 * A service may close a connection right behind an answer and not say so: two turns later that is heard. What can't be
 * sent twice waits for it, or it would go out on what is closed. undici waits for itself.
 */
const untilClosesAreSeen = (): Promise<void> => new Promise((resolve) => { setImmediate(setImmediate, resolve); });

const deadlineError = () => Object.assign(new Error('too slow'), { code: 'ANSWER_TIMEOUT' });

/** One text a header; a header sent several times is joined as HTTP says. */
const joinHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value ?? '']));
