import type { HttpRequest } from '../wire/http.js';

/** What every failed call can say of its request; the token and the query stay out of it. */
export interface FailedRequest {
  /** `METHOD /path`, without query, so that no secret given there is repeated. */
  readonly request: string;
}

/** The service's words behind the status of its answer, which they may begin with by themselves. */
export const withStatus = (status: number, words: string): string =>
  words === `${status}` || words.startsWith(`${status} `) ? words : `${status} ${words}`;

/** The service answered and said no. */
export class ApiError extends Error implements FailedRequest {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** The service's own words, or a plain description of an answer that has none. */
    readonly words: string,
    readonly request: string,
    /** The answer's body: parsed JSON, or text where it is none. */
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(`${request}: ${withStatus(status, words)}`);
  }
}

/** The service answered with something that is not its interface: broken JSON, an HTML page, a redirect elsewhere. */
export class ResponseError extends Error implements FailedRequest {
  override readonly name: string = 'ResponseError';
  constructor(message: string, readonly request: string, readonly status: number, options?: ErrorOptions) {
    super(`${request}: ${message}`, options);
  }
}

/**
 * The service did what was asked and has no result to show: a note of quick actions alone was carried out and left no
 * note (wire-facts 4.2.1), or a repeated removal found the thing already gone. Nothing needs to be asked again.
 */
export class NoResultError extends ResponseError {
  override readonly name = 'NoResultError';
  constructor(
    /** The service's own sentences on what it did; empty where it said nothing. */
    readonly summary: readonly string[],
    /** What the quick actions changed, by field. */
    readonly changes: Readonly<Record<string, unknown>>,
    request: string,
    status: number,
  ) {
    super(summary.length > 0 ? summary.join(' ') : 'done, without a result to show', request, status);
  }
}

/** No answer came: refused, cut off, timed out, or not trusted. */
export class ConnectionError extends Error implements FailedRequest {
  override readonly name = 'ConnectionError';
  /** The status with which a proxy refused a tunnel to the service; null where it was not that. */
  readonly proxyStatus: number | null;
  constructor(
    message: string,
    readonly request: string,
    /** The system's or library's code: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`, `PROXY_REFUSED`, … */
    readonly code: string,
    /** Whether the request can have reached the service. */
    readonly sent: boolean,
    { proxyStatus = null, ...options }: ErrorOptions & { readonly proxyStatus?: number | null | undefined } = {},
  ) {
    super(`${request}: ${message}`, options);
    this.proxyStatus = proxyStatus;
  }
}

/** `METHOD /path` of a request, without its query, so that no secret given there is repeated. */
export const requestLine = (request: HttpRequest): string => `${request.method} ${request.target.split('?', 1)[0]!}`;
