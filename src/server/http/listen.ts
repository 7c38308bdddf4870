import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { targetLimit } from '../../contract/conventions.js';
import type { Service } from '../../wire/http.js';
import {
  createBodyReader, createConnectionQueue, createExchange, isTooLarge, type ConnectionQueue,
} from './exchange.js';
import { json } from './json.js';

/** What Node says of a request that it could not read. */
interface ClientError extends Error { readonly code?: string; readonly rawPacket?: Buffer }

/** What a server does about requests that cannot be read, in place of Node's own answers without a body. */
export type OnClientError = (error: ClientError, socket: Socket) => void;

/**
 * Answers requests that cannot be read, and ends their connections. Node would reset them: half of the senders of a
 * head of 100 KB never saw its answer. A head that is too long is answered after the requests before it.
 */
export const createOnClientError = (enqueue: ConnectionQueue): OnClientError => {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    const status = statusOf(error);
    // Each further piece of such a request is an error again.
    if (answered.has(socket) && status !== 408) return;
    answered.add(socket);
    if (error.code !== 'HPE_HEADER_OVERFLOW') return endWith(status, socket);
    enqueue(socket, async () => endWith(hasLongTarget(error) ? 414 : 431, socket));
  };
};

/** Where an answer is on its way already, nothing may be written into it: Node looks at the same property. */
const endWith = (status: Status, socket: Socket & { readonly _httpMessage?: ServerResponse | null }): void => {
  if (socket.writable && !socket._httpMessage?.headersSent) socket.write(answerOf(status));
  // After a timeout the parser still works: a request that ends now would be served.
  if (status === 408) socket.destroy();
  else endLingering(socket);
};

const texts = {
  400: ['Bad Request', '400 Bad request'],
  408: ['Request Timeout', '408 Request Timeout'],
  413: ['Payload Too Large', '413 Request Entity Too Large'],
  414: ['URI Too Long', '414 URI Too Long'],
  431: ['Request Header Fields Too Large', '431 Request Header Fields Too Large'],
} as const;
type Status = keyof typeof texts;

const statusOf = ({ code }: ClientError): Status =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 413 : 400;

/** Can be told where the target begins in the piece that went over the limit; it does for all but slow senders. */
const hasLongTarget = ({ rawPacket }: ClientError): boolean =>
  new RegExp(`^[A-Z]+ \\S{${targetLimit}}`).test(rawPacket?.toString('latin1', 0, targetLimit + 16) ?? '');

const answerOf = (status: Status): string => {
  const [reason, message] = texts[status];
  const body = json({ message });
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
    + `connection: close\r\n\r\n${body}`;
};

/** How long what a caller goes on sending is read and dropped, in milliseconds. */
const lingerTime = 1_000;

/**
 * Ends a connection whose caller may still be sending. Closing it at once would reset it, and the caller would lose the
 * answer; so the rest is read for a while.
 */
export const endLingering = (socket: Socket): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(timer));
};

/** Headers that say who asks, whom, and for what: a second one would leave open which counts. */
const singleHeaders = new Set([
  'private-token', 'authorization', 'job-token', 'sudo', 'host', 'origin', 'content-type', 'content-length',
]);

const lengths = new Set([...singleHeaders].map((name) => name.length));

/**
 * The first of these headers that stands in a request twice, or null. Node keeps the first of some and joins others.
 * @param raw names and values in turn, as they arrived
 */
export const repeatedHeader = (raw: readonly string[]): string | null => {
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

/** Where to listen, and with which certificate. */
export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** PEM; TLS 1.2 and newer is spoken. */
  readonly tls?: { readonly cert: string | Uint8Array; readonly key: string | Uint8Array };
}

/** A service behind a socket. */
export interface Listening {
  /** The address, without a slash at the end. */
  readonly url: string;
  /** Answers what is in flight, then stops. */
  close(): Promise<void>;
}

/**
 * What a socket may cost. No socket may be held by dribbling: Node's defaults close none of them. `requestTimeout`
 * covers head and body, `answerTimeout` an answer that is not taken. Times are in milliseconds, sizes in bytes. A head
 * may be as long as nginx in front of the service takes it by default (large_client_header_buffers 4 8k).
 */
export const socketLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  answerTimeout: 10_000,
  keepAliveTimeout: 5_000,
  handshakeTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 32_768,
  maxConnections: 10_000,
} as const;
export type SocketLimits = { readonly [K in keyof typeof socketLimits]: number };

/**
 * Puts a socket in front of a service.
 * @throws ListenError for a certificate and key that can't be used, or the system's error when the address can't be had
 *   (`EADDRINUSE`, `EACCES`, …)
 */
export const listen = async (
  service: Service, options: ListenOptions, limits: SocketLimits = socketLimits,
): Promise<Listening> => {
  let stopping: Promise<void> | undefined;
  const enqueue = createConnectionQueue();
  const exchange = createExchange(service, {
    enqueue, withBody: createBodyReader(), isStopping: () => stopping !== undefined,
    answerTimeout: limits.answerTimeout,
  });
  const server = serverFor(options, limits, exchange);
  server.maxConnections = limits.maxConnections;
  server.maxHeadersCount = 0;
  server.on('clientError', createOnClientError(enqueue));
  server.on('checkContinue', (message, response) => {
    if (!isTooLarge(message)) response.writeContinue();
    exchange(message, response);
  });
  await start(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `${options.tls ? 'https' : 'http'}://${host}:${port}`, close: () => stopping ??= stop(server) };
};

const serverFor = ({ tls }: ListenOptions, limits: SocketLimits, onRequest: RequestListener): Server => {
  if (!tls) return createHttpServer(limits, onRequest);
  try {
    const { cert, key } = tls;
    return createHttpsServer({ ...limits, minVersion: 'TLSv1.2', cert: asInput(cert), key: asInput(key) }, onRequest);
  } catch (cause) {
    throw tlsError(cause);
  }
};

const asInput = (bytes: string | Uint8Array) => typeof bytes === 'string' ? bytes : Buffer.from(bytes);

/** Once it listens, an error is that of one connection that could not be taken: no reason to end for all others. */
const start = (server: Server, { host, port }: ListenOptions): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject).on('error', () => undefined);
    resolve();
  });
});

/** How long what is in flight may take once the server is to stop, in milliseconds. */
const shutdownTimeout = 10_000;

/** So long open connections are still listened to: a caller in the middle of its work gets its answer, and the hint. */
const gracePeriod = 100;

/**
 * No new connections, once those that wait already were taken; each open one ends with its next answer. Those that stay
 * silent are closed, after whatever has arrived on them by then was read.
 */
const stop = (server: Server): Promise<void> => new Promise((resolve) => {
  const impatient = setTimeout(() => server.closeAllConnections(), shutdownTimeout);
  const quiet = setTimeout(() => setImmediate(() => server.close()), gracePeriod);
  setImmediate(() => NetServer.prototype.close.call(server, () => {
    clearTimeout(impatient);
    clearTimeout(quiet);
    server.close();
    resolve();
  }));
});

/** The server can't be put behind a socket. The message says what happened, the hint what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  constructor(message: string, readonly hint: string, options?: ErrorOptions) { super(message, options); }
}

/** What is wrong with a certificate and its key, from the engine's own words. */
export const tlsError = (cause: unknown): ListenError => {
  const words = cause instanceof Error ? cause.message : String(cause);
  const why = /key values mismatch/.test(words) ? 'the key does not match the certificate'
    : /PEM routines|DECODER|asn1|not enough data/i.test(words) ? 'one of them is not in PEM format'
      : words;
  return new ListenError(`invalid TLS certificate or key: ${why}`,
    'use a certificate and its private key, both in PEM format', { cause });
};
