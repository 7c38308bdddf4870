import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../../wire/http.js';
import { createAbortController } from '../store/abort.js';

/** Sends what follows the body, as fast as the client reads, until it ends, the client leaves or the server stops. */
export const sendStream = async (
  { method, socket }: IncomingMessage, response: ServerResponse, { status, headers, body, stream }: HttpResponse,
  stopping: AbortSignal,
): Promise<void> => {
  response.writeHead(status, headers);
  if (method === 'HEAD') return void response.end();
  const ending = createAbortController();
  const end = () => { ending.abort(); };
  socket.once('close', end);
  stopping.addEventListener('abort', end);
  if (stopping.aborted) end();
  try {
    response.write(body);
    for await (const piece of stream!(ending.signal)) {
      if (ending.signal.aborted) break;
      if (!response.write(piece)) await once(response, 'drain', { signal: ending.signal });
    }
    response.end();
  } finally {
    socket.off('close', end);
    stopping.removeEventListener('abort', end);
  }
};
