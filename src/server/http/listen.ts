import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { targetLimit } from '../../contract/conventions.js';
import { hostAndPort, listenProblem } from '../../text/messages.js';
import type { Service } from '../../wire/http.js';
import { clearTimeout, nextTurn, setImmediate, setTimeout } from '../../wire/time.js';
import { createAbortController } from './delivery.js';
import { createBodyReader, isTooLarge } from './bodies.js';
import { type ConnectionQueue, createConnectionQueue, createExchange, endLingering } from './exchange.js';
import { shutdownTimeout } from './middleware.js';
import { json, ListenError } from './response.js';

/** Where to listen, and with which certificate. */
export interface ListenOptions {
  /** The address to listen on; `0.0.0.0` or `::` for all of the machine. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** PEM; TLS 1.2 or newer. */
  readonly tls?: {
    /** The certificate, followed by those that sign it. */
    readonly cert: string | Uint8Array;
    /** The private key of the certificate. */
    readonly key: string | Uint8Array;
  };
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Slow clients cannot hold sockets; Node's defaults close none. `requestTimeout` covers head and body,
 * `responseTimeout` an unread response. Times in milliseconds, sizes in bytes. The head may be as long as nginx in
 * front of the service accepts by default (large_client_header_buffers 4 8k).
 */
export const socketLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  responseTimeout: 10_000,
  keepAliveTimeout: 5_000,
  handshakeTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 32_768,
  maxConnections: 10_000,
} as const;
export type SocketLimits = { readonly [K in keyof typeof socketLimits]: number };

/** @throws ListenError for an address that is not available, or an invalid certificate or key */
export const listen = async (
  service: Service, options: ListenOptions, limits: SocketLimits = socketLimits,
): Promise<Listening> => {
  const stopping = createAbortController();
  let stopped: Promise<void> | undefined;
  const { enqueue, isBusy } = createConnectionQueue();
  const exchange = createExchange(service, {
    enqueue, withBody: createBodyReader(), stopping: stopping.signal,
    responseTimeout: limits.responseTimeout,
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
  const close = (): Promise<void> => {
    stopping.abort();
    return stopped ??= stop(server, isBusy);
  };
  return { url: `${options.tls ? 'https' : 'http'}://${hostAndPort(options.host, port)}`, close };
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
  const fail = (error: Error) => reject(addressError(error, { host, port }));
  server.once('error', fail);
  server.listen(port, host, () => {
    server.off('error', fail).on('error', () => undefined);
    resolve();
  });
});

/** Other errors are returned unchanged. */
export const addressError = (
  cause: Error & { readonly code?: string }, { host, port }: Pick<ListenOptions, 'host' | 'port'>,
): Error => {
  const { code = '' } = cause;
  const problem = listenProblem(code, host, port);
  return problem === null ? cause
    : new ListenError(problem, 'choose another host or port; port 0 picks a free one', { cause, code });
};

/**
 * If requests are pending, open connections accept others for so many milliseconds, so that clients receive
 * `connection: close`.
 */
const gracePeriod = 100;

/**
 * Accepts no new connections after those already waiting; open ones close with their next response. Idle ones are
 * closed after their received data was read.
 */
const stop = (server: Server, isBusy: () => boolean): Promise<void> => new Promise((resolve) => {
  const impatient = setTimeout(() => server.closeAllConnections(), shutdownTimeout);
  const closeIdle = () => setImmediate(() => server.close());
  let quiet: NodeJS.Timeout | undefined;
  setImmediate(() => {
    NetServer.prototype.close.call(server, () => {
      clearTimeout(impatient);
      clearTimeout(quiet);
      server.close();
      resolve();
    });
    void nextTurn().then(nextTurn).then(() => {
      if (isBusy()) quiet = setTimeout(closeIdle, gracePeriod);
      else closeIdle();
    });
  });
});

const tlsError = (cause: unknown): ListenError => {
  const words = cause instanceof Error ? cause.message : String(cause);
  const why = /key values mismatch/.test(words) ? 'the key does not match the certificate'
    : /PEM routines|DECODER|asn1|not enough data/i.test(words) ? 'one of them is not in PEM format'
      : words;
  return new ListenError(`invalid TLS certificate or key: ${why}`,
    'use a certificate and its private key, both in PEM format', { cause });
};

interface ClientError extends Error { readonly code?: string; readonly rawPacket?: Buffer }

/**
 * Node would reset the connection: half of the senders of a head of 100 KB never received the response. A head that is
 * too long is rejected after the requests before it.
 */
const createOnClientError = (enqueue: ConnectionQueue['enqueue']) => {
  const rejected = new WeakSet<Socket>();
  return (error: ClientError, socket: Socket): void => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408
      : error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 413 : 400;
    // Each further chunk of such a request is reported as another error.
    if (rejected.has(socket) && status !== 408) return;
    rejected.add(socket);
    if (error.code !== 'HPE_HEADER_OVERFLOW') return endWith(status, socket);
    enqueue(socket, async () => endWith(hasLongTarget(error) ? 414 : 431, socket));
  };
};

/** Nothing may be written into a response that has started: Node checks the same property. */
const endWith = (
  status: ClientErrorStatus, socket: Socket & { readonly _httpMessage?: ServerResponse | null },
): void => {
  const isSending = socket._httpMessage?.headersSent;
  if (socket.writable && !isSending) socket.write(responseText(status));
  // After a timeout the parser still works: a request completed now would be served.
  if (status === 408) socket.destroy();
  else endLingering(socket, isSending);
};

const texts = {
  400: ['Bad Request', '400 Bad request'],
  408: ['Request Timeout', '408 Request Timeout'],
  413: ['Payload Too Large', '413 Request Entity Too Large'],
  414: ['URI Too Long', '414 URI Too Long'],
  431: ['Request Header Fields Too Large', '431 Request Header Fields Too Large'],
} as const;
type ClientErrorStatus = keyof typeof texts;

/** The target begins in the chunk that exceeded the limit, except for slow senders. */
const hasLongTarget = ({ rawPacket }: ClientError): boolean =>
  new RegExp(`^[A-Z]+ \\S{${targetLimit}}`).test(rawPacket?.toString('latin1', 0, targetLimit + 16) ?? '');

const responseText = (status: ClientErrorStatus): string => {
  const [reason, message] = texts[status];
  const body = json({ message });
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
    + `connection: close\r\n\r\n${body}`;
};
