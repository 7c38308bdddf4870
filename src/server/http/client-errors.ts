import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { targetLimit } from '../../contract/conventions.js';
import type { Turns } from './exchange.js';
import { json } from './json.js';

/** What Node says of a request that it could not read. */
interface ClientError extends Error { readonly code?: string; readonly rawPacket?: Buffer }

/** What a server does about requests that cannot be read, in place of Node's own answers without a body. */
export type OnClientError = (error: ClientError, socket: Socket) => void;

/**
 * Answers requests that cannot be read, and ends their connections. Node would reset them: half of the senders of a
 * head of 100 KB never saw its answer. A head that is too long is answered after the requests before it.
 */
export const createOnClientError = (inTurn: Turns): OnClientError => {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    const status = statusOf(error);
    // Each further piece of such a request is an error again.
    if (answered.has(socket) && status !== 408) return;
    answered.add(socket);
    if (error.code !== 'HPE_HEADER_OVERFLOW') return endWith(status, socket);
    inTurn(socket, async () => endWith(hasLongTarget(error) ? 414 : 431, socket));
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
const lingering = 1_000;

/**
 * Ends a connection whose caller may still be sending. Closing it at once would reset it, and the caller would lose the
 * answer; so the rest is read for a while.
 */
export const endLingering = (socket: Socket): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingering);
  socket.once('close', () => clearTimeout(timer));
};

/** Headers that say who asks, whom, and for what: a second one would leave open which counts. */
const single = new Set([
  'private-token', 'authorization', 'job-token', 'sudo', 'host', 'origin', 'content-type', 'content-length',
]);

const lengths = new Set([...single].map((name) => name.length));

/**
 * The first of these headers that stands in a request twice, or null. Node keeps the first of some and joins others.
 * @param raw names and values in turn, as they arrived
 */
export const repeatedHeader = (raw: readonly string[]): string | null => {
  const seen: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!lengths.has(raw[i]!.length)) continue;
    const name = raw[i]!.toLowerCase();
    if (!single.has(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return null;
};
