import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import {
  connectTimeout, type Arrived, type Connect, type ConnectionSettings, type End, type Send, type Way,
} from './connection.js';
import { NeverSent } from './network-errors.js';
import { gathered, mostBytes } from './response-body.js';

/**
 * Sends with Node's own HTTP: it comes with Node, ready to run, and undici has to be loaded. A process that makes one
 * call ends a tenth sooner; thousands of them take a fifth longer than with undici.
 *
 * What goes wrong has the code that undici has for it.
 */
export const byHttp = async (origin: string, settings: ConnectionSettings, { tls, connect }: Way): Promise<Send> => {
  const { Agent, request } = await (origin.startsWith('https:') ? import('node:https') : import('node:http'));
  const agent = new Agent({ keepAlive: true, ...tls });
  if (connect !== null) agent.createConnection = over(connect);
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin));
  const longestConnect = connectTimeout(settings);
  return ({ body, timeout, ...asked }) => {
    let sent: ClientRequest | null = null;
    let end!: End;
    const arrived = new Promise<Arrived>((resolve, reject) => {
      let isConnected = false;
      const fail = (error: Error) => {
        reject(isConnected || error instanceof NeverSent ? error : new NeverSent(error));
      };
      end = (reason) => {
        reject(reason);
        sent?.destroy();
      };
      sent = begun(() => request({ protocol, hostname, port, agent, ...asked }));
      let code = 'UND_ERR_HEADERS_TIMEOUT';
      sent.on('error', (error) => { fail(alike(error)); });
      // Every request closes: whatever Node has no other event for ends here.
      sent.on('close', () => { fail(failure('UND_ERR_SOCKET')); });
      sent.on('upgrade', ({ statusCode: status = 101, headers }: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve({ status, headers, body: Buffer.alloc(0) });
      });
      sent.on('response', (answer) => {
        code = 'UND_ERR_BODY_TIMEOUT';
        gather(answer, end, (whole) => {
          // What comes before all is sent is the last word: the service may never take the rest.
          if (sent?.writableFinished === false) sent.destroy();
          // The connection is free again one tick later, and what waits for a promise comes after all ticks.
          resolve(whole);
        });
      });
      untilConnected(sent, longestConnect, fail, () => { isConnected = true; });
      sent.setTimeout(timeout, () => { end(failure(code)); });
      sent.end(body ?? undefined);
    });
    return { arrived, end };
  };
};

/** A request with something in it that can't be sent is refused before anything is done. */
const begun = (begin: () => ClientRequest): ClientRequest => {
  try {
    return begin();
  } catch (cause) {
    throw failure('UND_ERR_INVALID_ARG', cause);
  }
};

const failure = (code: string, cause?: unknown) =>
  Object.assign(new Error(cause instanceof Error ? cause.message : code, { cause }), { code });

const alike = (error: NodeJS.ErrnoException): Error =>
  error.code === 'HPE_HEADER_OVERFLOW' ? failure('UND_ERR_HEADERS_OVERFLOW', error) : error;

/** Silence is measured from when a connection stands; until then there is a limit of its own. */
const untilConnected = (
  sent: ClientRequest, longest: number, fail: (error: Error) => void, connected: () => void,
): void => {
  sent.on('socket', (socket) => {
    const isSecure = 'encrypted' in socket;
    if (!socket.connecting && !(isSecure && (socket as TLSSocket).getProtocol() === null)) { connected(); return; }
    const timer = setTimeout(() => {
      fail(failure('UND_ERR_CONNECT_TIMEOUT'));
      sent.destroy();
    }, longest);
    const stop = () => { clearTimeout(timer); };
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      stop();
      connected();
    }).once('close', stop);
  });
};

/** How an agent gets connections that others open. */
const over = (connect: Connect): Agent['createConnection'] => (_, callback) => {
  const opened = callback as (error: Error | null, socket?: Socket) => void;
  connect().then((socket) => { opened(null, socket); }, (error: Error) => { opened(error); });
  return undefined;
};

/** Takes the answer piece by piece, up to the most that is taken of any. */
const gather = (answer: IncomingMessage, end: End, resolve: (arrived: Arrived) => void): void => {
  const { statusCode: status = 0, headers } = answer;
  const body = gathered(headers['content-length']);
  answer.on('data', (piece: Buffer) => {
    body.add(piece);
    if (body.length() > mostBytes) end(failure('UND_ERR_RES_EXCEEDED_MAX_SIZE'));
  });
  answer.on('error', (error) => { end(failure('UND_ERR_SOCKET', error)); });
  answer.on('end', () => { resolve({ status, headers, body: body.bytes() }); });
};
