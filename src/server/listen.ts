import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { HttpRequest, HttpResponse } from '../wire/http.js';
import { BodyTooLarge, readBody } from './read-body.js';
import type { Service } from './service.js';

/** Where to listen, and with which certificate. */
export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
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
 * No socket may be held by dribbling: Node's defaults close none of them. `requestTimeout` covers head and body.
 */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};

/**
 * Puts a socket in front of a service.
 * @throws the system's error when the address can't be had (`EADDRINUSE`, `EACCES`, …)
 */
export const listen = async (service: Service, options: ListenOptions): Promise<Listening> => {
  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    const lastWords = () => { if (!server.listening) response.setHeader('connection', 'close'); };
    void serve(service, message, response, lastWords);
  };
  const server: Server = options.tls
    ? createHttpsServer({ ...limits, cert: asInput(options.tls.cert), key: asInput(options.tls.key) }, onRequest)
    : createHttpServer(limits, onRequest);
  server.maxConnections = 10_000;
  await started(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { url: `${options.tls ? 'https' : 'http'}://${host}:${port}`, close: () => stopped(server) };
};

const asInput = (bytes: string | Uint8Array) => typeof bytes === 'string' ? bytes : Buffer.from(bytes);

const started = (server: Server, { host, port }: ListenOptions): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, host, () => { server.off('error', reject); resolve(); });
});

/** How long what is in flight may take once the server is to stop, in milliseconds. */
const patience = 10_000;

const stopped = (server: Server): Promise<void> => new Promise((resolve) => {
  const impatient = setTimeout(() => server.closeAllConnections(), patience);
  server.close(() => { clearTimeout(impatient); resolve(); });
  server.closeIdleConnections();
});

const serve = async (
  service: Service, message: IncomingMessage, response: ServerResponse, beforeAnswer: () => void,
): Promise<void> => {
  message.on('error', () => response.destroy());
  try {
    const body = await readBody(message);
    const answer = await service.handle(requestOf(message, body));
    beforeAnswer();
    write(message, response, answer);
  } catch (error) {
    if (error instanceof BodyTooLarge) refuseBody(response);
    else response.destroy();
  }
};

const requestOf = (message: IncomingMessage, body: Uint8Array | undefined): HttpRequest => ({
  method: message.method ?? 'GET',
  target: message.url ?? '/',
  headers: flat(message.headers),
  ...(body && { body }),
});

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, Array.isArray(value) ? value.join(', ') : value ?? '']));

const write = (message: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse): void => {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  const hasBody = status !== 204 && status !== 304 && message.method !== 'HEAD';
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': length }) });
  response.end(hasBody ? body : undefined);
};

/** The rest of an oversized body is not read: the connection closes with the answer. */
const refuseBody = (response: ServerResponse): void => {
  response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
  response.end('{"message":"413 Request Entity Too Large"}', () => response.socket?.destroySoon());
};
