import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { BaseUrl } from '../base-url.js';
import { monotonicTime } from '../../wire/monotonic-time.js';
import {
  caOptions, defaultTimeout, proxyFor, tlsOptions, type Abort, type ConnectionOptions, type ConnectionSettings,
  type Send,
} from './connection.js';
import { connectionError } from './network-errors.js';
import { completeResponse } from './response-body.js';
import { undiciSend } from './undici.js';

/** Starts the deadline of a request; returns a function to call when the request has ended. */
export type DeadlineWatch = (abort: Abort, signal?: AbortSignal) => () => void;

/** Node fires a longer timer at once. */
const maxTimeout = 0x7fff_ffff;

/**
 * Aborts requests that take longer than `limit` milliseconds, and those whose signal is aborted.
 *
 * All requests share one timer, because the first to start is the first to be due, and one listener for each signal: a
 * timer for each took 2 % of the time of a long list, a listener 1 %. The timer does not keep the process alive.
 * @param timeoutError creates the reason for requests that take too long
 */
export const createDeadlines = (limit: number, timeoutError: () => Error): DeadlineWatch => {
  const ring = newDeadline(() => undefined, Infinity);
  const listen = createListener(ring);
  let isScheduled = false;
  const schedule = (wait: number) => {
    isScheduled = true;
    setTimeout(check, Math.min(wait, maxTimeout)).unref();
  };
  const check = () => {
    isScheduled = false;
    const now = monotonicTime();
    for (let first = ring.next; first !== ring; first = ring.next) {
      if (first.due > now) return schedule(first.due - now);
      removeDeadline(first);
      first.abort(timeoutError());
    }
  };
  return (abort, signal) => {
    const deadline = newDeadline(abort, monotonicTime() + limit, signal);
    insertBefore(ring, deadline);
    if (!isScheduled) schedule(limit);
    const stopListening = signal ? listen(signal) : null;
    return () => {
      removeDeadline(deadline);
      stopListening?.();
    };
  };
};

/** Listens to signals while they have pending requests; the result is called when a request has ended. */
const createListener = (ring: Deadline) => {
  const listeners = new Map<AbortSignal, { requests: number; readonly stop: () => void }>();
  const start = (signal: AbortSignal) => {
    const stop = () => {
      const pending = pendingDeadlines(ring).filter((deadline) => deadline.signal === signal);
      for (const { abort } of pending) abort(signal.reason as Error);
    };
    // Node warns about many listeners on one signal; here each is an active client.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
    const listener = { requests: 0, stop };
    listeners.set(signal, listener);
    return listener;
  };
  return (signal: AbortSignal) => {
    const listener = listeners.get(signal) ?? start(signal);
    listener.requests++;
    return () => {
      if (--listener.requests > 0) return;
      signal.removeEventListener('abort', listener.stop);
      listeners.delete(signal);
    };
  };
};

/**
 * The deadline of a pending request, in a doubly linked ring in the order of the requests: a Set would take a sixth of
 * the time of a call.
 */
export interface Deadline {
  readonly abort: Abort;
  /** The time of the deadline, on the clock of `monotonicTime`. */
  readonly due: number;
  readonly signal: AbortSignal | undefined;
  previous: Deadline;
  next: Deadline;
}

/** A deadline that is in no ring yet; or the start of a ring, which belongs to no request. */
export const newDeadline = (abort: Abort, due: number, signal?: AbortSignal): Deadline => {
  const deadline = { abort, due, signal } as Deadline;
  deadline.previous = deadline.next = deadline;
  return deadline;
};

/** @param next the entry that follows: the start of a ring, to append to it */
export const insertBefore = (next: Deadline, deadline: Deadline): void => {
  deadline.previous = next.previous;
  deadline.next = next;
  next.previous.next = deadline;
  next.previous = deadline;
};

/** Removing a deadline again does nothing. */
export const removeDeadline = (deadline: Deadline): void => {
  deadline.previous.next = deadline.next;
  deadline.next.previous = deadline.previous;
  deadline.previous = deadline.next = deadline;
};

/** All deadlines of a ring now, unaffected by later changes. */
export const pendingDeadlines = (start: Deadline): Deadline[] => {
  const all: Deadline[] = [];
  for (let deadline = start.next; deadline !== start; deadline = deadline.next) all.push(deadline);
  return all;
};

/** Options of the socket transport. */
export interface SocketSettings extends ConnectionSettings {
  /** An undici dispatcher to use; it then handles proxy, TLS and connect timeout. */
  readonly dispatcher?: Dispatcher | undefined;
  /**
   * What sends requests: `undici`, the default, is faster for many calls; `node`, which is `node:http`, is faster for
   * the first call.
   */
  readonly http?: 'undici' | 'node' | undefined;
}

/**
 * Performs requests over sockets: no redirects, no retries, no cookies. Opens connections when needed; idle ones do not
 * keep the process alive.
 * @throws TypeError at once for an invalid proxy URL; later ConnectionError if there is no complete response, and the
 *   reason of an aborted signal
 */
export const socketTransport = (base: BaseUrl, settings: SocketSettings = {}): Transport => {
  const timeout = settings.timeout ?? defaultTimeout;
  const proxy = settings.dispatcher ? null : proxyFor(base.origin, settings);
  const destination = proxy ? `${base.origin} (through the proxy ${proxy.origin})` : base.origin;
  const watch = createDeadlines(Math.max(timeout * responseLimit.timeouts, responseLimit.min), deadlineError);
  let connection: Promise<Send> | undefined;
  return async (request, signal) => {
    try {
      const send = await (connection ??= open(base, proxy, settings));
      if (settings.http === 'node' && request.method === 'POST') await untilClosesAreDetected();
      return await sendRequest(send, base.path, request, { timeout, watch }, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionError(request, destination, cause);
    }
  };
};

const open = async (base: BaseUrl, proxy: URL | null, settings: SocketSettings): Promise<Send> => {
  if (settings.dispatcher) return undiciSend(settings.dispatcher, base.origin);
  if (proxy === null) return openTo(base.origin, settings, { tls: tlsOptions(settings), connect: null });
  const { forwardingSend, tunnelConnect } = await import('./tunnel.js');
  if (base.origin.startsWith('https:')) {
    return openTo(base.origin, settings, { tls: {}, connect: tunnelConnect(base, proxy, settings) });
  }
  // The client certificate is for the service, not for the proxy.
  return forwardingSend(proxy, base, await openTo(proxy.origin, settings, { tls: caOptions(settings), connect: null }));
};

const openTo = async (origin: string, settings: SocketSettings, options: ConnectionOptions): Promise<Send> => {
  if (settings.http === 'node') return (await import('./node-http.js')).nodeHttpSend(origin, settings, options);
  return undiciSend(await (await import('./undici-agent.js')).createUndiciAgent(settings, options), origin);
};

/** A response may take 10 times the timeout in total, and at least 30 seconds. */
const responseLimit = { timeouts: 10, min: 30_000 };

interface Limits { readonly timeout: number; readonly watch: DeadlineWatch }

const sendRequest = async (
  send: Send, basePath: string, request: HttpRequest, { timeout, watch }: Limits, signal?: AbortSignal,
): Promise<HttpResponse> => {
  signal?.throwIfAborted();
  const { method, target, headers, body = null } = request;
  const pending = send({ path: basePath + target, method, headers, body, timeout });
  const stopWatching = watch(pending.abort, signal);
  try {
    const response = await pending.response;
    return await completeResponse(response.status, joinHeaders(response.headers), response.body);
  } finally {
    stopWatching();
  }
};

/**
 * A service may close a connection right after a response without notice; Node detects that two turns of the event
 * loop later. A request that cannot be repeated waits for that, so it never uses a closed connection, as in undici.
 */
const untilClosesAreDetected = (): Promise<void> => new Promise((resolve) => { setImmediate(setImmediate, resolve); });

const deadlineError = () => Object.assign(new Error('deadline exceeded'), { code: 'ANSWER_TIMEOUT' });

/** Joins the values of repeated headers as HTTP specifies. */
const joinHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value ?? '']));
