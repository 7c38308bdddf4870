import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { callerHeaders } from '../../contract/conventions.js';
import type { HttpRequest, HttpResponse, Service } from '../../wire/http.js';
import { clearTimeout, nextTurn, setTimeout, sleep } from '../../wire/time.js';
import { BodyRejected, bodyRejections, type WithBody } from './bodies.js';
import { createAbortController, pieceBytes } from './delivery.js';
import { withHeaders } from './middleware.js';
import { json, jsonResponse } from './response.js';

interface ExchangeOptions {
  readonly withBody: WithBody;
  readonly enqueue: ConnectionQueue['enqueue'];
  /** When the server shuts down, responses close their connections, and none of them dribbles. */
  readonly stopping: AbortSignal;
  readonly responseTimeout: number;
}

export const createExchange = (service: Service, options: ExchangeOptions): RequestListener => {
  const responseTo = (message: IncomingMessage) => options.withBody(message, (body) => {
    const request = requestOf(message, body);
    // Only the caller of a request that waits may leave early: a signal for each request would take time.
    const isWaiting = request.method === 'GET' && request.target.includes('wait=');
    return isWaiting ? whileConnected(message.socket, (signal) => service.handle({ ...request, signal }))
      : service.handle(request);
  });
  const exchange = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const twice = repeatedHeader(message.rawHeaders);
    if (twice !== null) {
      const problem = `400 Bad request - the header ${twice} is given more than once`;
      return reject(message, response, jsonResponse(400, json({ message: problem })));
    }
    try {
      const made = await responseTo(message);
      const sent = options.stopping.aborted ? withHeaders(made, { connection: 'close' }) : made;
      if (sent.stream) await sendStream(message, response, sent, options.stopping);
      else if (sent.delivery) await deliver(message, response, sent, options.stopping);
      else write(message, response, sent);
      if (response.writableLength === 0) return;
      message.socket.setTimeout(options.responseTimeout);
      await whenFlushed(message.socket, response);
    } catch (error) {
      if (error instanceof BodyRejected) reject(message, response, bodyRejections[error.status]);
      else response.destroy();
    }
  };
  return (message, response) => {
    message.on('error', () => response.destroy());
    options.enqueue(message.socket, () => exchange(message, response));
  };
};

/** Aborts the signal of the work when the connection closes, or when `stopping` is aborted. */
const whileConnected = async <T>(
  socket: Socket, work: (signal: AbortSignal) => Promise<T>, stopping?: AbortSignal,
): Promise<T> => {
  const leaving = createAbortController();
  const leave = () => { leaving.abort(); };
  socket.once('close', leave);
  stopping?.addEventListener('abort', leave);
  if (socket.destroyed || stopping?.aborted) leave();
  try {
    return await work(leaving.signal);
  } finally {
    socket.off('close', leave);
    stopping?.removeEventListener('abort', leave);
  }
};

const whenFlushed = (socket: Socket, response: ServerResponse): Promise<void> => new Promise((resolve) => {
  const done = () => {
    response.off('finish', done);
    socket.off('close', done);
    resolve();
  };
  response.on('finish', done);
  socket.on('close', done);
  if (socket.destroyed) done();
});

/** Duplicates of these would be ambiguous, which matters for security. */
const singleHeaders: ReadonlySet<string> = new Set([
  ...callerHeaders, 'host', 'origin', 'content-type', 'content-length',
]);

const lengths = new Set([...singleHeaders].map((name) => name.length));

/** Node keeps the first duplicate of some headers and joins others. @param raw names and values, alternating */
const repeatedHeader = (raw: readonly string[]): string | null => {
  const seen: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!lengths.has(raw[i]!.length)) continue;
    const name = raw[i]!.toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return null;
};

/** An absolute target, as proxies send it, overrides the Host header (RFC 9112, 3.2.2). */
const requestOf = (message: IncomingMessage, body?: Uint8Array): HttpRequest => {
  const { method = 'GET', url = '/' } = message;
  const absolute = url.startsWith('/') ? null : /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)([^#]*)/i.exec(url);
  const headers = flat(message.headers);
  if (absolute) headers['host'] = absolute[1]!;
  return { method, target: absolute ? absolute[2] || '/' : url, headers, ...(body && { body }) };
};

const flat = (headers: IncomingMessage['headers']): Record<string, string> => {
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    all[name] = typeof value === 'string' ? value : value?.join(', ') ?? '';
  }
  return all;
};

/** An invalid header must not cost the client the response, nor split it. */
const write = (message: IncomingMessage, response: ServerResponse, made: HttpResponse): void => {
  try {
    send(message, response, made);
  } catch {
    send(message, response, jsonResponse(500, json({ message: '500 Internal Server Error' }), { connection: 'close' }));
  }
};

const send = (message: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse): void => {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  const hasBody = status !== 204 && status !== 304 && message.method !== 'HEAD';
  response.writeHead(status, hasBody ? { ...headers, 'content-length': length } : headers);
  response.end(hasBody ? body : undefined);
};

const reject = (message: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length, connection: 'close' });
  if (message.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  endLingering(message.socket);
  message.resume();
};

export type ConnectionQueue = ReturnType<typeof createConnectionQueue>;

/** The requests that wait on all connections together: each takes some kilobytes. */
const maxWaiting = 10_000;

/**
 * Requests of a connection run one after the other, so that a read after a write sees it; other connections run in
 * between. Connections that send more when the queue is full are destroyed.
 */
export const createConnectionQueue = () => {
  const last = new WeakMap<Socket, Promise<void>>();
  let waiting = 0;
  let running = 0;

  const run = (work: () => Promise<void>): Promise<void> => {
    running++;
    return work().finally(() => { running--; });
  };
  const afterwards = async (before: Promise<void>, socket: Socket, work: () => Promise<void>): Promise<void> => {
    waiting++;
    await before;
    await nextTurn();
    waiting--;
    if (socket.destroyed) return;
    socket.setTimeout(0);
    await run(work);
  };
  return {
    /** Runs the work, which must not reject, after all previous work of the connection. */
    enqueue: (socket: Socket, work: () => Promise<void>): void => {
      const before = last.get(socket);
      if (before && waiting >= maxWaiting) return void socket.destroy();
      const own: Promise<void> = (before ? afterwards(before, socket, work) : run(work)).then(() => {
        if (last.get(socket) === own) last.delete(socket);
      });
      last.set(socket, own);
    },
    isBusy: (): boolean => running > 0,
  };
};

/** How many milliseconds a client has for what it still sends. */
const lingerTime = 1_000;

/**
 * Closing the connection at once would reset it, and a client that is still sending would lose the response.
 * @param isSending a response has begun, which has a limit of its own: the time counts from its end
 */
export const endLingering = (socket: Socket, isSending = false): void => {
  const linger = () => {
    const timer = setTimeout(() => socket.destroy(), lingerTime);
    socket.once('close', () => clearTimeout(timer));
  };
  socket.end(isSending ? linger : undefined);
  if (!isSending) linger();
};

/** Sends what follows the body, as fast as the client reads, until it ends, the client leaves or the server stops. */
const sendStream = async (
  { method, socket }: IncomingMessage, response: ServerResponse, { status, headers, body, stream }: HttpResponse,
  stopping: AbortSignal,
): Promise<void> => {
  response.writeHead(status, headers);
  if (method === 'HEAD') return void response.end();
  await whileConnected(socket, async (signal) => {
    response.write(body);
    for await (const piece of stream!(signal)) {
      if (signal.aborted) break;
      if (!response.write(piece)) await once(response, 'drain', { signal });
    }
    response.end();
  }, stopping);
};

/** Resolves when the response was written or the connection is closed. @param stopping sends the rest at once */
const deliver = async (
  { socket }: IncomingMessage, response: ServerResponse,
  { status, headers, body, delivery: fault }: HttpResponse, stopping: AbortSignal,
): Promise<void> => {
  const delivery = fault!;
  if (delivery.kind === 'reset') return resetConnection(socket);
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (delivery.kind === 'truncate') return sendHalf(socket, response, bytes);
  await whileConnected(socket, async (signal) => {
    let at = 0;
    while (at + pieceBytes < bytes.length && !signal.aborted) {
      response.write(bytes.subarray(at, at += pieceBytes));
      await sleep(delivery.interval, signal).catch(() => undefined);
    }
    if (!socket.destroyed) response.end(bytes.subarray(at));
  }, stopping);
};

/** TLS has no reset of its own, so its connection is only destroyed. */
const resetConnection = (socket: Socket): void => {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
};

/** Closes only after the bytes were sent: a reset would discard bytes that the client has not read yet. */
const sendHalf = (socket: Socket, response: ServerResponse, bytes: Buffer): Promise<void> => new Promise((resolve) => {
  socket.once('close', () => resolve());
  if (socket.destroyed) return resolve();
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy());
});
