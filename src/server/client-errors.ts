import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { targetLimit } from '../contract/conventions.js';
import { json } from './json.js';
import { endLingering } from './lingering.js';
import type { Turns } from './turns.js';

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
