import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { isError } from '../../wire/json.js';
import { clearTimeout, longestTimer, setTimeout } from '../../wire/time.js';
import {
  connectTimeout, type Abort, type Connect, type ConnectionOptions, type ConnectionSettings, type RawResponse,
  type Send,
} from './connection.js';
import { NeverSent } from './network-errors.js';
import { createBodyBuffer, maxBodySize } from './response-body.js';

/**
 * `node:http` needs no loading, unlike undici: a process with one call is 10 % faster, one with thousands of calls 20 %
 * slower. Errors have the codes of undici.
 */
export const nodeHttpSend = async (
  origin: string, settings: ConnectionSettings, { tls, connect }: ConnectionOptions,
): Promise<Send> => {
  // Tools such as MSW and nock replace functions of the default export only.
  const { Agent, request } = (await (origin.startsWith('https:') ? import('node:https') : import('node:http'))).default;
  const agent = new Agent({ keepAlive: true, ...tls });
  if (connect !== null) agent.createConnection = connectionFactory(connect);
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin));
  const maxConnectTime = connectTimeout(settings);
  return ({ body, timeout, ...options }) => {
    let outgoing: ClientRequest | null = null;
    let abort!: Abort;
    const response = new Promise<RawResponse>((resolve, reject) => {
      let isConnected = false;
      let received: IncomingMessage | undefined;
      const fail = (error: Error) => {
        reject(isConnected || error instanceof NeverSent ? error : new NeverSent(error));
      };
      abort = (reason) => {
        reject(reason);
        outgoing?.destroy();
      };
      outgoing = createRequest(() => request({ protocol, hostname, port, agent, ...options }));
      let code = 'UND_ERR_HEADERS_TIMEOUT';
      outgoing.on('error', (error) => { fail(normalizeError(error, received !== undefined)); });
      // Every request closes, even after failures without their own event; a complete response can end after that.
      outgoing.on('close', () => { if (!received?.complete) fail(failure('UND_ERR_SOCKET')); });
      outgoing.on('upgrade', ({ statusCode: status = 101, headers }: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve({ status, headers, body: Buffer.alloc(0) });
      });
      outgoing.on('response', (incoming) => {
        received = incoming;
        code = 'UND_ERR_BODY_TIMEOUT';
        collectResponse(incoming, abort, (complete) => {
          // A response before the whole request was sent is final: the service may never read the rest.
          if (outgoing?.writableFinished === false) outgoing.destroy();
          // The connection is free one tick later; promise callbacks run after that.
          resolve(complete);
        });
      });
      limitConnectTime(outgoing, maxConnectTime, fail, () => { isConnected = true; });
      outgoing.setTimeout(Math.min(timeout, longestTimer), () => { abort(failure(code)); });
      // Node sends a body without its length with GET and DELETE.
      if (body !== null) outgoing.setHeader('content-length', Buffer.byteLength(body));
      outgoing.end(body ?? undefined);
    });
    return { response, abort };
  };
};

/** Node rejects an invalid request before it sends anything. */
const createRequest = (create: () => ClientRequest): ClientRequest => {
  try {
    return create();
  } catch (cause) {
    throw failure('UND_ERR_INVALID_ARG', cause);
  }
};

const failure = (code: string, cause?: unknown) =>
  Object.assign(new Error(isError(cause) ? cause.message : code, { cause }), { code });

/** @param hasBegun whether a part of the response has arrived */
const normalizeError = (error: NodeJS.ErrnoException, hasBegun: boolean): Error => {
  if (hasBegun && error.code === 'ECONNRESET') return failure('UND_ERR_SOCKET', error);
  return error.code === 'HPE_HEADER_OVERFLOW' ? failure('UND_ERR_HEADERS_OVERFLOW', error) : error;
};

/** The timeout for silence starts once connected; connecting has its own limit. */
const limitConnectTime = (
  outgoing: ClientRequest, limit: number, fail: (error: Error) => void, connected: () => void,
): void => {
  outgoing.on('socket', (socket) => {
    const isSecure = 'getProtocol' in socket;
    if (!socket.connecting && !(isSecure && (socket as TLSSocket).getProtocol() === null)) { connected(); return; }
    const timer = setTimeout(() => {
      fail(failure('UND_ERR_CONNECT_TIMEOUT'));
      outgoing.destroy();
    }, limit);
    const stop = () => { clearTimeout(timer); };
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      stop();
      connected();
    }).once('close', stop);
  });
};

const connectionFactory = (connect: Connect): Agent['createConnection'] => (_, callback) => {
  const opened = callback as (error: Error | null, socket?: Socket) => void;
  connect().then((socket) => { opened(null, socket); }, (error: Error) => { opened(error); });
  return undefined;
};

const collectResponse = (incoming: IncomingMessage, abort: Abort, resolve: (response: RawResponse) => void): void => {
  const { statusCode: status = 0, headers } = incoming;
  const body = createBodyBuffer(headers['content-length']);
  incoming.on('data', (chunk: Buffer) => {
    body.add(chunk);
    if (body.length() > maxBodySize) abort(failure('UND_ERR_RES_EXCEEDED_MAX_SIZE'));
  });
  incoming.on('error', (error) => { abort(failure('UND_ERR_SOCKET', error)); });
  incoming.on('end', () => { resolve({ status, headers, body: body.bytes() }); });
};
