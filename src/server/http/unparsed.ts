import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { targetLimit } from '../../contract/conventions.js';
import type { ConnectionQueue } from './exchange.js';
import { json } from './json.js';
import { endLingering } from './lingering.js';

interface ClientError extends Error { readonly code?: string; readonly rawPacket?: Buffer }

type OnClientError = (error: ClientError, socket: Socket) => void;

/**
 * Node would reset the connection: half of the senders of a head of 100 KB never received the response. A head that is
 * too long is rejected after the requests before it.
 */
export const createOnClientError = (enqueue: ConnectionQueue): OnClientError => {
  const rejected = new WeakSet<Socket>();
  return (error, socket) => {
    const status = statusOf(error);
    // Each further chunk of such a request is reported as another error.
    if (rejected.has(socket) && status !== 408) return;
    rejected.add(socket);
    if (error.code !== 'HPE_HEADER_OVERFLOW') return endWith(status, socket);
    enqueue(socket, async () => endWith(hasLongTarget(error) ? 414 : 431, socket));
  };
};

/** Nothing may be written into a response that has started: Node checks the same property. */
const endWith = (status: Status, socket: Socket & { readonly _httpMessage?: ServerResponse | null }): void => {
  if (socket.writable && !socket._httpMessage?.headersSent) socket.write(responseText(status));
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

/** Works if the target begins in the chunk that exceeded the limit, as it does except for slow senders. */
const hasLongTarget = ({ rawPacket }: ClientError): boolean =>
  new RegExp(`^[A-Z]+ \\S{${targetLimit}}`).test(rawPacket?.toString('latin1', 0, targetLimit + 16) ?? '');

const responseText = (status: Status): string => {
  const [reason, message] = texts[status];
  const body = json({ message });
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
    + `connection: close\r\n\r\n${body}`;
};
