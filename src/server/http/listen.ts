import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { targetLimit } from '../../contract/conventions.js';
import type { Service } from '../../wire/http.js';
import { createAbortController } from '../abort.js';
import {
  createBodyReader, createConnectionQueue, createExchange, isTooLarge, type ConnectionQueue,
} from './exchange.js';
import { json } from './json.js';

/** Node's error for a request it could not parse. */
interface ClientError extends Error { readonly code?: string; readonly rawPacket?: Buffer }

/** Handles requests that cannot be parsed. */
export type OnClientError = (error: ClientError, socket: Socket) => void;

/**
 * Responds to requests that cannot be parsed, and closes their connections. Node would reset them: half of the senders
 * of a head of 100 KB never received the response. A head that is too long is answered after the requests before it.
 */
export const createOnClientError = (enqueue: ConnectionQueue): OnClientError => {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    const status = statusOf(error);
    // Each further chunk of such a request is reported as another error.
    if (answered.has(socket) && status !== 408) return;
    answered.add(socket);
    if (error.code !== 'HPE_HEADER_OVERFLOW') return endWith(status, socket);
    enqueue(socket, async () => endWith(hasLongTarget(error) ? 414 : 431, socket));
  };
};

/** Nothing may be written into a response that has started: Node checks the same property. */
const endWith = (status: Status, socket: Socket & { readonly _httpMessage?: ServerResponse | null }): void => {
  if (socket.writable && !socket._httpMessage?.headersSent) socket.write(answerOf(status));
  // After a timeout the parser still works: a request completed now would be served.
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

/** Detected if the target begins in the chunk that exceeded the limit, which is the case except for slow senders. */
const hasLongTarget = ({ rawPacket }: ClientError): boolean =>
  new RegExp(`^[A-Z]+ \\S{${targetLimit}}`).test(rawPacket?.toString('latin1', 0, targetLimit + 16) ?? '');

const answerOf = (status: Status): string => {
  const [reason, message] = texts[status];
  const body = json({ message });
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
    + `connection: close\r\n\r\n${body}`;
};

/** How long to read and discard what the client still sends, in milliseconds. */
const lingerTime = 1_000;

/**
 * Closes a connection whose client may still be sending. Closing it at once would reset it, and the client would lose
 * the response.
 */
export const endLingering = (socket: Socket): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(timer));
};

/** Security-relevant headers: duplicates would be ambiguous. */
const singleHeaders = new Set([
  'private-token', 'authorization', 'job-token', 'sudo', 'host', 'origin', 'content-type', 'content-length',
]);

const lengths = new Set([...singleHeaders].map((name) => name.length));

/**
 * The first duplicate of these headers, or null. Node keeps the first of some and joins others.
 * @param raw names and values alternating, as received
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
  /** PEM; TLS 1.2 or newer. */
  readonly tls?: { readonly cert: string | Uint8Array; readonly key: string | Uint8Array };
}

/** A listening server. */
export interface Listening {
  /** The URL, without a trailing slash. */
  readonly url: string;
  /** Stops after pending requests were handled. */
  close(): Promise<void>;
}

/**
 * Limits for sockets, so that slow clients cannot hold them; Node's defaults close none. `requestTimeout` covers head
 * and body, `answerTimeout` an unread response. Times in milliseconds, sizes in bytes. The head may be as long as nginx
 * in front of the service accepts by default (large_client_header_buffers 4 8k).
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
 * Listens on a socket and serves requests.
 * @throws ListenError for an invalid certificate or key, or the system's error if the address is not available
 *   (`EADDRINUSE`, `EACCES`, …)
 */
export const listen = async (
  service: Service, options: ListenOptions, limits: SocketLimits = socketLimits,
): Promise<Listening> => {
  const stopping = createAbortController();
  let stopped: Promise<void> | undefined;
  const enqueue = createConnectionQueue();
  const exchange = createExchange(service, {
    enqueue, withBody: createBodyReader(), stopping: stopping.signal,
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
  const close = (): Promise<void> => {
    stopping.abort();
    return stopped ??= stop(server);
  };
  return { url: `${options.tls ? 'https' : 'http'}://${host}:${port}`, close };
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

/** After listening, errors concern single connections and are ignored. */
const start = (server: Server, { host, port }: ListenOptions): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject).on('error', () => undefined);
    resolve();
  });
});

/** How long pending requests may take after a shutdown starts, in milliseconds. */
const shutdownTimeout = 10_000;

/** How long open connections accept requests after a shutdown starts, so that clients receive `connection: close`. */
const gracePeriod = 100;

/**
 * Accepts no new connections after those already waiting; open ones close with their next response. Idle ones are
 * closed after their received data was read.
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

/** The server cannot listen. The message states the problem, the hint how to fix it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  constructor(message: string, readonly hint: string, options?: ErrorOptions) { super(message, options); }
}

/** Maps an error of OpenSSL to a message about the certificate and key. */
export const tlsError = (cause: unknown): ListenError => {
  const words = cause instanceof Error ? cause.message : String(cause);
  const why = /key values mismatch/.test(words) ? 'the key does not match the certificate'
    : /PEM routines|DECODER|asn1|not enough data/i.test(words) ? 'one of them is not in PEM format'
      : words;
  return new ListenError(`invalid TLS certificate or key: ${why}`,
    'use a certificate and its private key, both in PEM format', { cause });
};
