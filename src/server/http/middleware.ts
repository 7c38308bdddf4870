import { hash } from 'node:crypto';
import { apiPrefix } from '../../contract/conventions.js';
import type { Handler, HttpRequest, HttpResponse } from '../../wire/http.js';
import { redactTarget } from '../../wire/secrets/redact.js';
import { clearTimeout, setTimeout } from '../../wire/time.js';
import { jsonType, withAddress } from './response.js';

/** @param layers the first is the outermost */
export const layered = <R extends HttpRequest>(
  layers: readonly ((inner: Handler<R>) => Handler<R>)[], handler: Handler<R>,
): Handler<R> => layers.reduceRight((inner, layer) => layer(inner), handler);

export const withHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>>): HttpResponse =>
  ({ ...response, headers: { ...response.headers, ...headers } });

/**
 * Adds the headers that all responses have (behavior: requests.other-headers), and the address of the service, without
 * a trailing slash, to JSON bodies.
 */
export const withCommonHeaders = <R extends HttpRequest>(handler: Handler<R>, address: () => string): Handler<R> =>
  async (request) => {
    const { status, headers, body, stream } = await handler(request);
    const isJson = typeof body === 'string' && headers['content-type'] === jsonType;
    return {
      status,
      headers: {
        'cache-control': 'no-cache',
        vary: 'Origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        ...headers,
      },
      body: isJson ? withAddress(body, address()) : body,
      ...stream && { stream },
    };
  };

export const withoutBodyOfHead = (handler: Handler): Handler => (request) => request.method === 'HEAD'
  ? handler(request).then((response) => ({ ...response, body: '' })) : handler(request);

export const requestIdHeader = 'x-request-id';

export interface RequestIdOptions {
  readonly idFor: (request: HttpRequest) => string;
  /** Whether the service has the header `X-Gitlab-Meta` (behavior: requests.meta-header). */
  readonly hasMeta: () => boolean;
  readonly onFault: (error: unknown, id: string, request: HttpRequest) => Promise<HttpResponse>;
}

/**
 * The response and error reports contain the id (behavior: requests.request-id), unless another service made the
 * response. The handler never rejects.
 */
export const withRequestId = <R extends HttpRequest>(
  handler: Handler<R>, { idFor, hasMeta, onFault }: RequestIdOptions,
): Handler<R> => async (request) => {
  const id = idFor(request);
  const response = await handler(request).catch((error: unknown) => onFault(error, id, request));
  return response.headers[requestIdHeader] !== undefined ? response : withHeaders(response, {
    [requestIdHeader]: id, ...hasMeta() && { 'x-gitlab-meta': `{"correlation_id":"${id}","version":"1"}` },
  });
};

/** Adds the date while the clock is frozen; otherwise the socket adds the system's time. */
export const withDate = <R extends HttpRequest>(
  handler: Handler<R>, { isFrozen, now }: { readonly isFrozen: () => boolean; readonly now: () => Date },
): Handler<R> => (request) => isFrozen()
  ? handler(request).then((response) => withHeaders(response, { date: now().toUTCString() })) : handler(request);

/** For reads: tags responses (behavior: requests.etag), unless clients must not store them. */
export const withEtag = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => (request) =>
  handler(request).then((response) => response.status === 200 && isStorable(response) ? tagged(response) : response);

const isStorable = ({ headers }: HttpResponse): boolean => headers['cache-control']?.includes('no-store') !== true;

export const withNotModified = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => (request) => {
  const known = request.headers['if-none-match'];
  return known === undefined ? handler(request) : handler(request).then((response) => {
    const { etag } = response.headers;
    return etag !== undefined && includesTag(known, etag) ? { ...response, status: 304, body: '' } : response;
  });
};

const includesTag = (list: string, etag: string): boolean => {
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
};

/** The body becomes bytes, so that a cached response is encoded once. */
const tagged = (response: HttpResponse): HttpResponse => {
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
  const etag = `W/"${hash('md5', body, 'hex')}"`;
  return {
    ...response, body,
    headers: { ...response.headers, etag, 'cache-control': 'max-age=0, private, must-revalidate' },
  };
};

/** Characters of the method and the path in the header about a missing route. */
const longest = { method: 20, path: 200 };

/** Writes `METHOD PATH; nearest METHOD TEMPLATE` without secrets, in printable ASCII. @param path without the query */
export const missingRouteValue = ({ method }: Pick<HttpRequest, 'method'>, path: string, nearest: string): string =>
  `${visibleAscii(method.slice(0, longest.method))} ${visibleAscii(redactTarget(path.slice(0, longest.path)))}`
    + `; nearest ${nearest}`;

/** Percent-encodes everything else, spaces included: the nearest route cannot be forged. */
export const visibleAscii = (text: string): string => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** Waits so many milliseconds; may reject early if the signal is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const withLatency = <R extends HttpRequest>(
  handler: Handler<R>, milliseconds: number,
  delay: (milliseconds: number, signal?: AbortSignal) => Promise<HttpResponse | null>,
): Handler<R> => async (request) => {
  const dropped = request.target.startsWith(`${apiPrefix}/`) ? await delay(milliseconds, request.signal) : null;
  return dropped ?? handler(request);
};

/** In milliseconds: how long a server that is closed waits for pending requests, since some may never end. */
export const shutdownTimeout = 1_500;

export type Pending = ReturnType<typeof createPending>;

export const createPending = () => {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    track: async <T>(work: () => Promise<T>): Promise<T> => {
      count++;
      try {
        return await work();
      } finally {
        if (--count === 0) {
          for (const end of waiting) end();
          waiting = [];
        }
      }
    },
    /** @param limit the longest wait, in milliseconds; none by default */
    idle: (limit?: number): Promise<void> => new Promise((resolve) => {
      if (count === 0) return resolve();
      const timer = limit === undefined ? undefined : setTimeout(resolve, limit);
      waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    }),
  };
};
