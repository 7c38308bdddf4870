import { setMaxListeners } from 'node:events';
import type { Handler, HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import { unlessAborted } from '../../wire/time.js';
import { bodyLimitOf, bodyRejections } from './bodies.js';
import type { Sleep } from './middleware.js';

/** The bytes that a response which dribbles sends at a time. */
export const pieceBytes = 16;

/** By default, Node prints a warning for more than ten listeners. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

/** Only path and query of the URL matter. @param base a path that URLs can start with, without a slash at its end */
export const fetchFrom = (handle: Transport, base: string) => async (request: Request): Promise<Response> => {
  request.signal.throwIfAborted();
  return unlessAborted(respond(handle, base, request), request.signal);
};

const respond = async (handle: Transport, base: string, request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url);
  const path = `${pathname}/`.startsWith(`${base}/`) ? pathname.slice(base.length) || '/' : pathname;
  const { host: _, ...headers } = Object.fromEntries(request.headers);
  const body = await readBody(request);
  if (body === null) return standardResponse(request, bodyRejections[413]);
  const made: HttpRequest = { method: request.method, target: path + search, headers };
  return standardResponse(request, await handle(body.length === 0 ? made : { ...made, body }, request.signal));
};

/** Null for more bytes than a server with a socket accepts. */
const readBody = async ({ body, headers }: Request): Promise<Uint8Array | null> => {
  const limit = bodyLimitOf(headers.get('content-type'));
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const standardResponse = (
  { method }: Request, { status, headers, body, stream }: Awaited<ReturnType<Handler>>,
): Response => {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  if (stream && hasBody) return new Response(readableOf(stream), { status, headers });
  return new Response(hasBody ? Buffer.from(body) : null, { status, headers });
};

const readableOf = (stream: NonNullable<HttpResponse['stream']>): ReadableStream<Uint8Array> => {
  const leaving = createAbortController();
  const pieces = stream(leaving.signal)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => { leaving.abort(); },
  });
};

/** The code is that of the system for a reset, and that of undici for a truncated response. */
class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
  constructor(message: string, readonly code: 'ECONNRESET' | 'UND_ERR_SOCKET') { super(message); }
}

/** The response is late if it dribbles. @throws ConnectionClosed if it was reset or is truncated */
const deliverInProcess = async (
  { delivery, ...response }: HttpResponse, sleep: (milliseconds: number) => Promise<void>,
): Promise<HttpResponse> => {
  if (delivery?.kind === 'reset') throw new ConnectionClosed('the server closed the connection', 'ECONNRESET');
  if (delivery?.kind === 'truncate') {
    throw new ConnectionClosed('the server closed the connection before the response was complete', 'UND_ERR_SOCKET');
  }
  if (delivery) await sleep(delivery.interval * Math.max(0, Math.ceil(response.body.length / pieceBytes) - 1));
  return response;
};

/** Responds as a socket would, with faults of delivery. Rejects with the reason of an abort; then nothing is stored. */
export const inProcessTransport = (handle: Handler, sleep: Sleep): Transport => {
  const aborting = async (request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
    signal.throwIfAborted();
    const response = await handle({ ...request, signal });
    signal.throwIfAborted();
    return response.delivery ? unlessAborted(deliverInProcess(response, sleep), signal) : response;
  };
  return (request, signal = request.signal) => signal ? aborting(request, signal)
    : handle(request).then((response) => response.delivery ? deliverInProcess(response, sleep) : response);
};
