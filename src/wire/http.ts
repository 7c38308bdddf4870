import type { Upload } from '../contract/endpoint.js';

/** A request to a service, before it reaches a socket. */
export interface HttpRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** Path and query, relative to the base URL of the service, with a leading slash. */
  readonly target: string;
  /** The headers by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text as UTF-8, or bytes; a request without a body has none. */
  readonly body?: string | Uint8Array;
  /** For a service in the same process: once aborted, nothing is stored any more. */
  readonly signal?: AbortSignal | undefined;
}

/** A response of a service, with its whole body. */
export interface HttpResponse {
  /** The HTTP status, from 100 to 599. */
  readonly status: number;
  /** The headers by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text as UTF-8, or bytes; empty if there is no body. */
  readonly body: string | Uint8Array;
  /**
   * How the server damages the transfer: it closes the connection without a response or after half of the body, or
   * sends a few bytes at a time. The response arrives whole if undefined.
   */
  readonly delivery?:
    | { readonly kind: 'reset' }
    | { readonly kind: 'truncate' }
    | {
      readonly kind: 'dribble';
      /** Milliseconds between the parts of the body. */
      readonly interval: number;
    };
  /** What follows the body as it comes, until it ends or the signal is aborted, because the client left. */
  readonly stream?: (signal: AbortSignal) => AsyncIterable<string>;
}

/** Over a socket, or with a service in the same process. */
export type Transport = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>;

/** Invalid UTF-8 becomes replacement characters; a byte order mark is removed. */
export const bodyText = (body: string | Uint8Array): string => {
  if (typeof body === 'string') return body;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
};

export const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

export type Handler<R extends HttpRequest = HttpRequest> = (request: R) => Promise<HttpResponse>;

/** The test server without a socket. */
export interface Service {
  /** Responds to a request. Rejects with the reason of the signal once it is aborted; nothing is stored after that. */
  readonly handle: Transport;
}

export const isRead = ({ method }: Pick<HttpRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

export const splitTarget = (target: string): [path: string, query: string] => {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};

/** Spells a host as URLs do: lower case, addresses in their shortest form, no dot at the end. */
export const canonicalHost = (host: string): string => {
  const url = host.split(':').length > 2 && !host.startsWith('[') ? `http://[${host}]` : `http://${host}`;
  return (URL.canParse(url) ? new URL(url).hostname : host).replace(/\.$/, '');
};

/** RFC 6761, 6.3 */
export const isLoopback = (host: string): boolean => {
  const name = canonicalHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]'
    || /^127(\.\d{1,3}){3}$/.test(name) || /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name);
};

/** The text itself if it is not percent-encoded correctly. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parameters by name, before they are encoded and after they are decoded. */
export interface Params { [key: string]: unknown }

export const isParams = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) &&
  !isUpload(value);

/** A JSON object can have any keys, but never a Uint8Array. */
export const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;

/** The caller of a request has aborted it. Nothing was stored. */
export class RequestAborted extends Error { override readonly name = 'RequestAborted'; }

export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw new RequestAborted();
};

export const missingRouteHeader = 'x-colloquy-missing';

export const parseNearestRoute = (value: string): string | null =>
  /; nearest ([A-Z]{1,20} \/[\x21-\x7e]{1,200})$/.exec(value)?.[1] ?? null;

export const nearestRouteIn = (headers: Readonly<Record<string, string>>): string | null =>
  parseNearestRoute(headers[missingRouteHeader] ?? '');
