import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { announcesTooMuch, createBodyReader } from './body.js';
import { createOnClientError } from './client-errors.js';
import { createExchange, createTurns } from './exchange.js';
import type { Service } from './handler.js';

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
  const inTurn = createTurns();
  const exchange = createExchange(service, {
    inTurn, withBody: createBodyReader(), isStopping: () => stopping !== undefined, answerTimeout: limits.answerTimeout,
  });
  const server = serverFor(options, limits, exchange);
  server.maxConnections = limits.maxConnections;
  server.maxHeadersCount = 0;
  server.on('clientError', createOnClientError(inTurn));
  server.on('checkContinue', (message, response) => {
    if (!announcesTooMuch(message)) response.writeContinue();
    exchange(message, response);
  });
  await started(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `${options.tls ? 'https' : 'http'}://${host}:${port}`, close: () => stopping ??= stopped(server) };
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
const started = (server: Server, { host, port }: ListenOptions): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject).on('error', () => undefined);
    resolve();
  });
});

/** How long what is in flight may take once the server is to stop, in milliseconds. */
const patience = 10_000;

/** So long open connections are still listened to: a caller in the middle of its work gets its answer, and the hint. */
const grace = 100;

/**
 * No new connections, once those that wait already were taken; each open one ends with its next answer. Those that stay
 * silent are closed, after whatever has arrived on them by then was read.
 */
const stopped = (server: Server): Promise<void> => new Promise((resolve) => {
  const impatient = setTimeout(() => server.closeAllConnections(), patience);
  const quiet = setTimeout(() => setImmediate(() => server.close()), grace);
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
  const why = /key values mismatch/.test(words) ? 'the key is not the one of the certificate'
    : /PEM routines|DECODER|asn1|not enough data/i.test(words) ? 'one of them is not in PEM form'
      : words;
  return new ListenError(`the TLS certificate and key can't be used: ${why}`,
    'Give the certificate and its private key, each as PEM.', { cause });
};
