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

/** `METHOD /path` of a request, without the query, which may contain secrets. */
export const requestLine = ({ method, target }: HttpRequest): string => `${method} ${target.split('?', 1)[0]!}`;

export const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

export type Handler<R extends HttpRequest = HttpRequest> = (request: R) => Promise<HttpResponse>;

/** The test server without a socket. */
export interface Service {
  /** Responds to a request. Rejects with the reason of the signal once it is aborted; nothing is stored after that. */
  readonly handle: Transport;
}

/** The scheme is case-insensitive (RFC 9110, 11.1). */
export const bearerToken = (headers: Readonly<Record<string, string>>): string | null =>
  /^Bearer[ \t]+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]!.trimEnd() ?? null;

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

/** Null for a text that is not percent-encoded correctly. */
export const decodeComponent = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** The text itself if it is not percent-encoded correctly. */
export const decodePercent = (text: string): string => decodeComponent(text) ?? text;

/** Parameters by name, before they are encoded and after they are decoded. */
export interface Params { [key: string]: unknown }

export const isParams = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) &&
  !isUpload(value);

/** A JSON object can have any keys, but never a Uint8Array. */
export const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;

/** Limits for untrusted parameters: a note position needs three levels and about twenty keys. */
const limits = { depth: 5, keys: 200 };

const namePattern = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})(\[[^[\]]*\])?/;

export class UnreadableParams extends Error {}

/** Writes `position[line_range][start][type]`; null becomes empty text (behavior: requests.nested). */
export const toPairs = (params: Params, prefix = ''): [string, unknown][] =>
  Object.entries(params).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (value === undefined) return [];
    return isParams(value) ? toPairs(value, name) : [[name, value ?? '']];
  });

/** As `toPairs`, but a list is `name[]`, an empty one `name=` (behavior: parameters.lists), and every value is text. */
export const toPairsWithLists = (value: unknown, name = ''): [string, string][] => {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => toPairsWithLists(item, `${name}[]`));
  if (!isParams(value)) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, inner]) =>
    toPairsWithLists(inner, name === '' ? key : `${name}[${key}]`));
};

/**
 * The last of several pairs with the same name wins (behavior: requests.last-value). Without prototypes, `__proto__` is
 * a key like any other. @throws UnreadableParams
 */
export const fromPairs = (pairs: Iterable<readonly [string, unknown]>): Params => {
  const root = emptyParams();
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > limits.keys) throw new UnreadableParams(`more than ${limits.keys} parameters`);
    assign(root, keysOf(name), value);
  }
  return root;
};

const emptyParams = (): Params => Object.create(null) as Params;

/** Reads no more than necessary: a name can be as long as a body. */
const keysOf = (name: string): string[] => {
  const match = namePattern.exec(name);
  if (match?.[3] !== undefined) throw new UnreadableParams(`parameters nested deeper than ${limits.depth} levels`);
  if (match?.[0].length !== name.length) return [name];
  return [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1]!)];
};

const assign = (root: Params, keys: string[], value: unknown): void => {
  const isList = keys.length > 1 && keys.at(-1) === '';
  if (isList) keys.pop();
  const last = keys.pop()!;
  let target = root;
  for (const key of keys) {
    const next = (target[key] ??= emptyParams());
    if (!isParams(next)) throw new UnreadableParams(`${key} is given as a value and as a hash`);
    target = next;
  }
  if (isParams(target[last])) throw new UnreadableParams(`${last} is given as a value and as a hash`);
  if (isList && target[last] !== undefined && !Array.isArray(target[last])) {
    throw new UnreadableParams(`${last} is given as a value and as a list`);
  }
  target[last] = isList ? [...target[last] as unknown[] ?? [], value] : value;
};

export const encodeForm = (params: Params): string =>
  toPairs(params).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');

/** One by one: a body can contain millions. URLSearchParams takes fifty times the memory of a long value. */
export function* decodeForm(text: string): Iterable<[string, string | null]> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('&', at);
    const next = end < 0 ? text.length : end;
    if (next > at) yield decodePair(text.slice(at, next));
    at = next + 1;
  }
}

/** A key without `=` is null (behavior: parameters.bare-key). */
const decodePair = (text: string): [string, string | null] => {
  const end = text.indexOf('=');
  return end < 0 ? [decodePart(text), null] : [decodePart(text.slice(0, end)), decodePart(text.slice(end + 1))];
};

/** A plus sign is a space (behavior: requests.plus), and a percent sign without two digits is literal. */
const decodePart = (text: string): string => {
  if (!/[+%]/.test(text)) return text.toWellFormed();
  const bytes = Buffer.from(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const escaped = byte === percent ? digits[bytes[i + 1]!]! * 16 + digits[bytes[i + 2]!]! : NaN;
    if (escaped >= 0) i += 2;
    bytes[length++] = escaped >= 0 ? escaped : byte === plus ? space : byte;
  }
  return bytes.toString('utf8', 0, length);
};

const [percent, plus, space] = [0x25, 0x2b, 0x20];

const digits = Array.from({ length: 256 }, (_, byte) => parseInt(String.fromCharCode(byte), 16));

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

/** In milliseconds; NaN if it is none. The oldest form has no zone and is GMT too (RFC 9110, 5.6.7). */
export const readHttpDate = (text = ''): number =>
  Date.parse(/^\w{3} \w{3} [\d ]\d [\d:]{8} \d{4}$/.test(text) ? `${text} GMT` : text);
