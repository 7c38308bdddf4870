import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest, HttpResponse, Service } from '../../wire/http.js';
import { deliver, isFaulty } from './delivery.js';
import { jsonResponse } from './errors.js';
import { json } from './json.js';
import { endLingering, repeatedHeader } from './listen.js';

/** The dependencies of an exchange. */
export interface ExchangeOptions {
  readonly withBody: WithBody;
  readonly enqueue: ConnectionQueue;
  /** Aborted when the server shuts down: responses then close their connections, and none of them dribbles. */
  readonly stopping: AbortSignal;
  /** How long a client may leave a response unread, in milliseconds. */
  readonly answerTimeout: number;
}

/** Handles one request on a socket. */
export type Exchange = (message: IncomingMessage, response: ServerResponse) => void;

export const createExchange = (service: Service, options: ExchangeOptions): Exchange => {
  const answered = (message: IncomingMessage) => options.withBody(message, (body) =>
    service.handle(requestOf(message, body)));
  const exchange = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const twice = repeatedHeader(message.rawHeaders);
    if (twice !== null) return reject(message, response, badHeader(twice));
    try {
      const made = await answered(message);
      const sent = options.stopping.aborted ? closing(made) : made;
      if (isFaulty(sent)) await deliver(message, response, sent, options.stopping);
      else write(message, response, sent);
      if (response.writableLength === 0) return;
      message.socket.setTimeout(options.answerTimeout);
      await flushed(message.socket, response);
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

/** Waits until the response was sent: clients that do not read responses get no further ones. */
const flushed = (socket: Socket, response: ServerResponse): Promise<void> => new Promise((resolve) => {
  const done = () => {
    response.off('finish', done);
    socket.off('close', done);
    resolve();
  };
  response.on('finish', done);
  socket.on('close', done);
  if (socket.destroyed) done();
});

const badHeader = (name: string): HttpResponse =>
  jsonResponse(400, json({ message: `400 Bad request - the header ${name} is given more than once` }));

/** Responses to rejected bodies by status. */
export const bodyRejections = {
  413: jsonResponse(413, json({ message: '413 Request Entity Too Large' })),
  503: jsonResponse(503, json({ message: '503 Service Unavailable' }), { 'retry-after': '1' }),
};

const closing = (response: HttpResponse): HttpResponse =>
  ({ ...response, headers: { ...response.headers, connection: 'close' } });

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

/** Responds to a request whose body is not read. */
const reject = (message: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length, connection: 'close' });
  response.write(body);
  endLingering(message.socket);
  message.resume();
};

/** Runs work after all previous work of the connection. The work must not reject. */
export type ConnectionQueue = (socket: Socket, work: () => Promise<void>) => void;

/** The most queued requests of all connections: each takes some kilobytes. */
const maxWaiting = 10_000;

/**
 * Handles pipelined requests of a connection in order: a read after a write sees it. Other connections run in between.
 * Connections that send more when the queue is full are destroyed.
 */
export const createConnectionQueue = (most: number = maxWaiting): ConnectionQueue => {
  const last = new WeakMap<Socket, Promise<void>>();
  let waiting = 0;

  const afterwards = async (before: Promise<void>, socket: Socket, work: () => Promise<void>): Promise<void> => {
    waiting++;
    await before;
    await nextTurn();
    waiting--;
    if (socket.destroyed) return;
    socket.setTimeout(0);
    await work();
  };

  return (socket, work) => {
    const before = last.get(socket);
    if (before && waiting >= most) return void socket.destroy();
    const own: Promise<void> = (before ? afterwards(before, socket, work) : work()).then(() => {
      if (last.get(socket) === own) last.delete(socket);
    });
    last.set(socket, own);
  };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

/** A request body over the limit (413), or over the limit of all bodies together (503). */
export class BodyRejected extends Error {
  constructor(readonly status: 413 | 503) { super(`request body rejected with ${status}`); }
}

/** Passes the body of a request to a function; undefined without a body. */
export type WithBody = <T>(message: IncomingMessage, work: (body?: Uint8Array) => Promise<T>) => Promise<T>;

/**
 * The most bytes of a body. The longest note decides: 1,000,000 characters (wire-facts 4.5.4) take 4,000,000 bytes in
 * UTF-8, and 6,000,000 if each is escaped as `\u0416`, as Python does. Forms are not escaped, but may contain three
 * images of 1 MiB.
 */
export const bodyLimits = { form: 4_718_592, other: 6_291_456 } as const;

/**
 * The most bytes of all bodies in memory: ten of the largest. Reading one takes up to four times its size. Further
 * bodies are rejected instead of queued, because their senders would time out.
 */
const totalBodyLimit = 67_108_864;

/** Whether the announced body is larger than the limit. */
export const isTooLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > bodyLimitOf(headers['content-type']);

/**
 * Reads bodies and counts their bytes while they are in use. Rejects a body by its announced length, or as soon as it
 * is too large; the rest stays unread.
 */
export const createBodyReader = (atOnce: number = totalBodyLimit): WithBody => {
  let held = 0;
  return async (message, work) => {
    if (!hasBody(message)) return work();
    if (isTooLarge(message)) throw new BodyRejected(413);
    const limit = bodyLimitOf(message.headers['content-type']);
    let own = 0;
    const rejectionFor = (more: number): BodyRejected | null => {
      own += more;
      held += more;
      if (own > limit) return new BodyRejected(413);
      return held > atOnce ? new BodyRejected(503) : null;
    };
    try {
      const body = await collect(message, rejectionFor);
      return await work(body.length === 0 ? undefined : body);
    } finally {
      held -= own;
    }
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** The most bytes of a body of a media type. */
export const bodyLimitOf = (mediaType: string | null | undefined): number =>
  mediaType?.toLowerCase().startsWith('multipart/') ? bodyLimits.form : bodyLimits.other;

/**
 * Chunks are joined into blocks: a chunk of one byte takes some 300. The largest body has 65,536 chunks of 96 bytes.
 * Senders of smaller chunks are disconnected, because reading on would cost more.
 */
const maxBuffered = { pieces: 256, blocks: 256 };

/** Not an async iterator: leaving one early destroys the socket before the response is sent. */
const collect = (
  message: IncomingMessage, rejectionFor: (more: number) => BodyRejected | null,
): Promise<Uint8Array> => new Promise((resolve, reject) => {
  const blocks: Buffer[] = [];
  const recent: Buffer[] = [];
  const leave = () => { message.off('data', onData).off('end', onEnd).off('close', onClose); };
  const fail = (error: Error) => {
    leave();
    reject(error);
  };
  const onData = (chunk: Buffer) => {
    const rejection = rejectionFor(chunk.length);
    if (rejection) return fail(rejection);
    recent.push(chunk);
    if (recent.length === maxBuffered.pieces) blocks.push(Buffer.concat(recent.splice(0)));
    if (blocks.length === maxBuffered.blocks) fail(new Error('the request body arrived in too many chunks'));
  };
  const onEnd = () => { leave(); resolve(Buffer.concat([...blocks, ...recent])); };
  const onClose = () => fail(new Error('the request was aborted'));
  message.on('data', onData).on('end', onEnd).on('close', onClose);
});
