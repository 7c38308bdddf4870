import { callerHeaders } from '../../contract/conventions.js';
import { decompressed, endToEndHeaders, replaceAddress, type ReplaceAddress } from '../../recording/messages.js';
import { createRecorder, type Exchanged } from '../../recording/recorder.js';
import {
  type Handler, type HttpRequest, type HttpResponse, mediaType, splitTarget, type Transport,
} from '../../wire/http.js';
import { jsonOrNull } from '../../wire/json.js';
import { isCredential } from '../../wire/secrets/names.js';
import { randomHex } from '../random.js';
import { json, jsonResponse, withoutScripts } from './response.js';

/**
 * Stands before the API and the other paths of a world, apart from its control plane, and may respond itself. Each
 * world has its own, and resets it.
 */
export interface ServiceProxy {
  readonly around: (inner: Handler) => Handler;
  readonly reset: () => void;
}

interface ProxyContext {
  readonly address: () => string;
  readonly now: () => Date;
  readonly timer: () => number;
}

export type CreateProxy = (context: ProxyContext) => ServiceProxy;

/** A service that responds instead of the world. */
export interface ProxyOptions {
  /** Its base URL, without `/api/v4`. */
  readonly url: string;
  /** Sends requests to it, without retries and redirects. */
  readonly transport: Transport;
  /**
   * Receives each exchange as a line of a recording, before the client gets the response, which waits for it, and what
   * redacts, in the lines of before, the credentials that were recognized since; null if there are none.
   */
  readonly onExchange?: (line: string, revise: ((line: string) => string) | null) => Promise<void> | void;
}

/** Addresses of the service in texts become those of this server, and the other way round. */
export const forwardingProxy = (options: ProxyOptions): CreateProxy => {
  const { url, transport, onExchange } = options;
  const ownerOf = createOwners(transport);
  const lineOf = onExchange && createRecorder(url, randomHex);
  const record = async (exchanged: Omit<Exchanged, 'user'>): Promise<void> => {
    if (!lineOf) return;
    const line = lineOf({ ...exchanged, user: await ownerOf(exchanged.request) });
    await onExchange(line, lineOf.revision());
  };
  return (context) => ({ around: () => forward(options, record, context), reset: () => undefined });
};

const forward = (
  { url, transport }: ProxyOptions, record: (exchanged: Omit<Exchanged, 'user'>) => Promise<void>,
  { address, now, timer }: ProxyContext,
): Handler => async (given) => {
  const [time, started] = [now().toISOString(), timer()];
  const request = changedRequest(given, replaceAddress(address(), url));
  const done = (response: HttpResponse) =>
    record({ request, response, time, duration: Math.round(timer() - started) });
  try {
    const { status, headers, body } = await transport(request, given.signal);
    await done({ status, headers: endToEndHeaders(headers), body });
    const change = replaceAddress(url, address());
    const passed = withoutScripts(endToEndHeaders(headers, change));
    return { status, headers: passed, body: changedBody(headers, body, change) };
  } catch (error) {
    given.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const response = jsonResponse(502, json({ message: `502 Bad Gateway - ${reason}` }));
    await done(response);
    return response;
  }
};

/** Asks for no compression, so that texts can be changed. A body that cannot be decompressed goes on as it is. */
const changedRequest = ({ method, target, headers, body }: HttpRequest, change: ReplaceAddress): HttpRequest => {
  const plain = decompressed(headers, body ?? '');
  return {
    method, target: change(target),
    headers: {
      ...endToEndHeaders(headers, change), 'accept-encoding': 'identity',
      ...plain === null && { 'content-encoding': headers['content-encoding']! },
    },
    ...body !== undefined && { body: plain === null ? body : changedBody(headers, plain, change) },
  };
};

/** A body that is not text stays as it is. A form with files is read byte by byte, as Latin-1. */
const changedBody = (
  headers: HttpRequest['headers'], body: string | Uint8Array, change: ReplaceAddress,
): string | Uint8Array => {
  if (typeof body === 'string') return change(body);
  const type = mediaType(headers);
  if (!/^text\/|json|xml|^application\/x-www-form-urlencoded$|^multipart\//.test(type)) return body;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const changed = change(text);
  return changed === text ? body : Buffer.from(changed, 'latin1');
};

/** Whom a recording names instead of the token. The service is asked once for each token, and again if it failed. */
const createOwners = (transport: Transport) => {
  const known = new Map<string, Promise<unknown>>();
  const ask = async (headers: HttpRequest['headers'], query: string): Promise<unknown> => {
    const target = query === '' ? '/api/v4/user' : `/api/v4/user?${query}`;
    const request = { method: 'GET', target, headers: { ...headers, 'accept-encoding': 'identity' } };
    const { status, body } = await transport(request);
    if (status === 429 || status >= 500) throw new Error(`HTTP ${status}`);
    return status === 200 ? jsonOrNull(Buffer.from(body).toString()) : null;
  };
  return ({ target, headers }: HttpRequest): Promise<unknown> => {
    const query = splitTarget(target)[1].split('&').filter((pair) => isCredential(pair.split('=', 1)[0]!)).join('&');
    const given = callerHeaders.filter((name) => headers[name] !== undefined);
    if (given.length === 0 && query === '') return Promise.resolve(null);
    const key = [query, ...given.map((name) => `${name}: ${headers[name]!}`)].join('\n');
    const owner = known.get(key) ?? ask(Object.fromEntries(given.map((name) => [name, headers[name]!])), query);
    known.set(key, owner);
    return owner.catch(() => {
      known.delete(key);
      return null;
    });
  };
};
