import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../../wire/http.js';
import { clearTimeout, setTimeout } from '../../wire/timers.js';

export const pieceBytes = 16;

type FaultyResponse = HttpResponse & Required<Pick<HttpResponse, 'delivery'>>;

export const isFaulty = (response: HttpResponse): response is FaultyResponse => response.delivery !== undefined;

/** Resolves when the response was written or the connection is closed. @param stopping sends the rest at once */
export const deliver = async (
  { socket }: IncomingMessage, response: ServerResponse, { status, headers, body, delivery }: FaultyResponse,
  stopping: AbortSignal,
): Promise<void> => {
  if (delivery.kind === 'reset') return resetConnection(socket);
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (delivery.kind === 'truncate') return sendHalf(socket, response, bytes);
  let at = 0;
  while (at + pieceBytes < bytes.length && !stopping.aborted) {
    response.write(bytes.subarray(at, at += pieceBytes));
    await pause(delivery.interval, socket, stopping);
    if (socket.destroyed) return;
  }
  response.end(bytes.subarray(at));
};

/** TLS has no reset of its own, so its connection is only destroyed. */
const resetConnection = (socket: Socket): void => {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
};

/** Closes only after the bytes were sent: a reset would discard bytes that the client has not read yet. */
const sendHalf = (socket: Socket, response: ServerResponse, bytes: Buffer): Promise<void> => new Promise((resolve) => {
  socket.once('close', () => resolve());
  if (socket.destroyed) return resolve();
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy());
});

/** Ends early if the connection is closed or the server stops. */
const pause = (milliseconds: number, socket: Socket, stopping: AbortSignal): Promise<void> => new Promise((resolve) => {
  const done = () => {
    clearTimeout(timer);
    socket.off('close', done);
    stopping.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, milliseconds);
  socket.on('close', done);
  stopping.addEventListener('abort', done);
});

/** By default, Node prints a warning for more than ten listeners. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};
