import { isError } from '../../wire/json.js';
import type { Abort, RawResponse, Send } from './connection.js';
import { createDeadlines } from './deadlines.js';
import { NeverSent } from './network-errors.js';
import { createBodyBuffer, maxBodySize } from './response-body.js';

/**
 * Sends requests with the `fetch` of the process, as it is at that time: tools such as MSW replace it. It follows no
 * redirects, and decompresses bodies itself.
 */
export const fetchSend = (origin: string, timeout: number): Send => {
  const watch = createDeadlines(timeout, () => new Error('silence'));
  return ({ path, method, headers, body }) => {
    const stopping = new AbortController();
    let isOpen = true;
    let phase = 'HEADERS';
    let abort!: Abort;
    const response = new Promise<RawResponse>((resolve, reject) => {
      abort = (reason) => {
        if (!isOpen) return;
        isOpen = false;
        reject(reason);
        stopping.abort(reason);
      };
      const silence = watch((reason) => { abort(Object.assign(reason, { code: `UND_ERR_${phase}_TIMEOUT` })); });
      const { signal } = stopping;
      const sent = body instanceof Uint8Array ? Buffer.from(body) : body;
      globalThis.fetch(origin + path, { method, headers, body: sent, redirect: 'manual', signal })
        .then((received) => {
          phase = 'BODY';
          return collect(received, () => { silence.restart(); });
        })
        .then(resolve, (error: unknown) => { reject(failure(error)); })
        .finally(() => {
          isOpen = false;
          silence.end();
        });
    });
    return { response, abort };
  };
};

const collect = async (received: Response, heard: () => void): Promise<RawResponse> => {
  const { 'content-encoding': _, ...headers } = Object.fromEntries(received.headers);
  const body = createBodyBuffer(headers['content-length']);
  for await (const chunk of received.body ?? []) {
    heard();
    body.add(chunk);
    if (body.length() > maxBodySize) throw failed('UND_ERR_RES_EXCEEDED_MAX_SIZE');
  }
  return { status: received.status, headers, body: body.bytes() };
};

const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** `fetch` wraps the error of the network; without one, the connection failed for a reason that it does not tell. */
const failure = (error: unknown): Error => {
  const cause = isError(error) && isError(error.cause) ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  if (!isError(cause) || typeof code !== 'string') return failed('UND_ERR_SOCKET', error);
  return unsent.has(code) ? new NeverSent(cause) : cause;
};

const failed = (code: string, cause?: unknown): Error => Object.assign(new Error('fetch failed', { cause }), { code });
