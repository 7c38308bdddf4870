/** A request as a value: what travels, apart from how. Header names are lower case. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, from the leading slash; below the base URL of the service. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer as a value. Header names are lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Performs one request: over a socket, or against a service in the same process. */
export type Transport = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>;

/**
 * The text of a body, whichever way it is held. Broken UTF-8 becomes replacement characters; the mark that some put
 * before UTF-8 is left out.
 */
export const textOf = (body: string | Uint8Array): string => {
  if (typeof body === 'string') return body;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
};

/** The media type of a message without its parameters, lower case; empty where none is given. */
export const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

/** Responds to a request. A middleware makes a handler from a handler. */
export type Handler<R extends HttpRequest = HttpRequest> = (request: R) => Promise<HttpResponse>;

/** The reference server without a socket: a handler that never throws. */
export interface Service { readonly handle: Handler }

/** Whether a request only reads. */
export const isRead = ({ method }: Pick<HttpRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** A target in two parts: the path, and the query without its question mark. */
export const splitTarget = (target: string): [path: string, query: string] => {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};
