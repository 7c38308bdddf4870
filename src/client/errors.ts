import { UnusablePathValue } from '../wire/encode.js';
import { saysNothingStored } from '../wire/error-response.js';
import { type HttpResponse, bodyText } from '../wire/http.js';

/** The request of a failed call, without its token and query. */
export interface FailedRequest {
  /** `METHOD /path`, without the query, which may contain secrets. */
  readonly request: string;
}

/** A response with what its error says beside the words of the service. */
export interface FinalResponse extends HttpResponse {
  /** How often the request was sent. */
  readonly attempts?: number;
  /** What to do about it. */
  readonly hint?: string;
}

/** The message may start with the status already. */
export const withStatus = (status: number, message: string): string =>
  message === `${status}` || message.startsWith(`${status} `) ? message : `${status} ${message}`;

const afterAttempts = (attempts: number): string => attempts === 1 ? '' : `, after ${attempts} attempts`;

/**
 * The service rejected the request.
 * @example
 * ```ts
 * import { ApiError, createClient } from 'colloquy';
 *
 * const client = createClient({ url: process.env['COLLOQUY_URL']!, token: process.env['COLLOQUY_TOKEN']! });
 * try {
 *   await client.lookups.project({ id: 'acme/unknown' });
 * } catch (error) {
 *   if (!(error instanceof ApiError)) throw error;
 *   console.log(error.status, error.serverMessage); // prints 404 404 Project Not Found
 * }
 * ```
 */
export class ApiError extends Error implements FailedRequest {
  /** The name of the class, which subclasses change. */
  override readonly name: string = 'ApiError';
  constructor(
    /** The HTTP status of the response. */
    readonly status: number,
    /** The message of the service, or the meaning of the status if there is none. */
    readonly serverMessage: string,
    readonly request: string,
    /** The response body: parsed JSON, or text if it is not JSON. */
    readonly body: unknown,
    /** The headers of the response, by names in lower case. */
    readonly headers: Readonly<Record<string, string>>,
    /** How often the request was sent. */
    readonly attempts = 1,
    hint?: string,
  ) {
    super(`${request}: ${withStatus(status, serverMessage)}${afterAttempts(attempts)}${hint ? `; ${hint}` : ''}`);
  }
}

/**
 * The service rejected a write because its path names a project by a path that it had before it moved (behavior:
 * requests.moved-writes). Nothing was stored; the same call with the new path succeeds. Reads are redirected.
 */
export class MovedProjectError extends ApiError {
  override readonly name = 'MovedProjectError';
  constructor(
    /** The path of the project in the request. */
    readonly from: string,
    /** The path of the project now, or its id as text if the service does not tell the path. */
    readonly to: string,
    rejected: Pick<ApiError, 'status' | 'request' | 'body' | 'headers'>,
  ) {
    super(rejected.status, `the project ${from} moved to ${to}`, rejected.request, rejected.body, rejected.headers);
  }
}

/**
 * The response is not one of the API: invalid JSON, an HTML page with a status of success, a redirect to another
 * origin, or no result although one is expected. An HTML page with an error status is an `ApiError`.
 * @example
 * ```ts
 * import { createClient, ResponseError } from 'colloquy';
 *
 * const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' };
 * const client = createClient({ url: 'https://gitlab.example.com', transport: async () => page });
 * try {
 *   await client.lookups.user();
 * } catch (error) {
 *   if (!(error instanceof ResponseError)) throw error;
 *   console.log(error.status, error.request); // prints 200 GET /api/v4/user
 * }
 * ```
 */
export class ResponseError extends Error implements FailedRequest {
  /** The name of the class, which subclasses change. */
  override readonly name: string = 'ResponseError';
  constructor(
    message: string,
    readonly request: string,
    /** The HTTP status of the response, which may be that of a success. */
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(`${request}: ${message}`, options);
  }
}

/**
 * The request succeeded and has no result: a note of quick actions alone creates no note (behavior:
 * notes.quick-actions-alone), and a DELETE may report nothing. There is no need to repeat the request.
 * @example
 * ```ts
 * import { createClient, NoResultError } from 'colloquy';
 *
 * const response = { status: 202, headers: {}, body: '{"summary":["Closed this issue."]}' };
 * const client = createClient({ url: 'https://gitlab.example.com', transport: async () => response });
 * try {
 *   await client.notes.issue.create({ id: 'acme/app', noteable_id: 7, body: '/close' });
 * } catch (error) {
 *   if (!(error instanceof NoResultError)) throw error;
 *   console.log(error.summary); // prints [ 'Closed this issue.' ]
 * }
 * ```
 */
export class NoResultError extends ResponseError {
  override readonly name = 'NoResultError';
  constructor(
    /** What the service did, in its own sentences; empty if it reported nothing. */
    readonly summary: readonly string[],
    /** The fields that the quick actions changed. */
    readonly changes: Readonly<Record<string, unknown>>,
    request: string,
    status: number,
  ) {
    super(summary.length > 0 ? summary.join(' ') : 'the request succeeded and has no result', request, status);
  }
}

/**
 * The service stored a note without its marker, so that nothing can find the note by its key again. The client deletes
 * the note, because the next run would add another one. `visibleMarker` works there.
 */
export class MarkerLostError extends ResponseError {
  override readonly name = 'MarkerLostError';
  constructor(
    /** The id of the note. */
    readonly note: number,
    /** Whether the client could delete the note. */
    readonly isDeleted: boolean,
    request: string,
  ) {
    super(`note ${note} was stored without its marker, so later runs would not find it; `
      + (isDeleted ? 'the note was deleted' : 'the note could not be deleted'), request, 201);
  }
}

/** A list that must be complete changed each time it was read, so that items may be missing. */
export class ListChangedError extends ResponseError {
  override readonly name = 'ListChangedError';
  constructor(request: string, status: number) {
    super('the list changed each time it was read, so that items may be missing', request, status);
  }
}

/**
 * There is no response: the connection was refused, interrupted or not trusted, or timed out.
 * @example
 * ```ts
 * import { ConnectionError, createClient, noRetry } from 'colloquy';
 *
 * const client = createClient({ url: 'http://127.0.0.1:1', retry: noRetry });
 * try {
 *   await client.lookups.user();
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.log(error.code, error.sent); // prints ECONNREFUSED false
 * }
 * ```
 */
export class ConnectionError extends Error implements FailedRequest {
  override readonly name = 'ConnectionError';
  /** The status with which a proxy refused a tunnel to the service; null for all other failures. */
  readonly proxyStatus: number | null;
  /** The origin of the service, such as `https://gitlab.example.com`; null if the transport does not name it. */
  readonly origin: string | null;
  /** The origin of the proxy between; null if there is none. */
  readonly proxy: string | null;
  /** How often the client tried to send the request. */
  readonly attempts: number;
  /** Whether an earlier attempt to send the request got a response. */
  readonly wasAnswered: boolean;
  constructor(
    message: string,
    readonly request: string,
    /** The code of the system or library: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`, `PROXY_REFUSED`, … */
    readonly code: string,
    /** Whether the service can have received the request. */
    readonly sent: boolean,
    { proxyStatus = null, origin = null, proxy = null, attempts = 1, wasAnswered = false, ...options }: ErrorOptions & {
      readonly proxyStatus?: number | null | undefined;
      readonly origin?: string | null | undefined;
      readonly proxy?: string | null | undefined;
      readonly attempts?: number | undefined;
      readonly wasAnswered?: boolean | undefined;
    } = {},
  ) {
    super(`${request}: ${message}${afterAttempts(attempts)}`, options);
    this.proxyStatus = proxyStatus;
    this.origin = origin;
    this.proxy = proxy;
    this.attempts = attempts;
    this.wasAnswered = wasAnswered;
  }
}

export type UnknownOutcome = ApiError | ConnectionError | ResponseError;

/** behavior: requests.no-idempotency */
export const isOutcomeUnknown = (error: unknown): error is UnknownOutcome => {
  if (error instanceof ConnectionError) return error.sent;
  if (error instanceof ApiError) return mayBeStored(error.status, error.body);
  if (!isDamaged(error)) return false;
  return error.status >= 200 && error.status < 300;
};

export const isUnknownResponse = ({ status, body }: HttpResponse): boolean =>
  status >= 500 && mayBeStored(status, bodyText(body));

const mayBeStored = (status: number, body: unknown): boolean => status >= 500 && !saysNothingStored(body);

/** The service has certainly not carried out the request. */
export const isRejected = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof ConnectionError) && !isOutcomeUnknown(error);

/** The service may still be working on the request. */
export const isSlow = (error: UnknownOutcome): boolean => error instanceof ConnectionError
  ? /TIMEOUT|TIMEDOUT/.test(error.code) : isGatewayStatus(error.status);

export const isGatewayStatus = (status: number): boolean => status === 502 || status === 504;

export const failureReason = (error: UnknownOutcome): string =>
  error instanceof ConnectionError ? error.code : `status ${error.status}`;

/** Quick actions and a repeated DELETE have succeeded without a result. */
export const isDamaged = (error: unknown): error is ResponseError =>
  error instanceof ResponseError && !(error instanceof NoResultError);

/** An error whose stack has ten frames of the library would not say which call of the program failed. */
export const withStackFromHere = (error: unknown): unknown => {
  if (failures.some((type) => error instanceof type)) Error.captureStackTrace(error as Error, withStackFromHere);
  return error;
};

const failures = [ApiError, ResponseError, ConnectionError, UnusablePathValue];

/** Whether an error means that the object does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof NoResultError || (error instanceof ApiError && error.status === 404);
