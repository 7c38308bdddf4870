import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { limitFacts } from '../../contract/behavior/requests.js';
import { apiPrefix, granularScopeError, nothingStored, removedApi, unknownRoute } from '../../contract/conventions.js';
import { HintedError } from '../../text/messages.js';
import { MalformedText, UnknownMediaType, UnreadableBody } from '../../wire/decode.js';
import type { ErrorBody } from '../../wire/error-response.js';
import {
  type Handler, type HttpRequest, type HttpResponse, isLoopback, isRead, mediaType, RequestAborted, splitTarget,
  UnreadableParams,
} from '../../wire/http.js';
import { isObject } from '../../wire/json.js';
import { InvalidMultipart } from '../../wire/multipart.js';
import { parseJsonObject } from '../../yaml/limits.js';
import { StoreFault, StoreUnavailable } from '../store/errors.js';

/** Serialization is the largest cost of a page, so values are serialized once. */
export type Json<T> = string & { readonly jsonOf?: T };

export const jsonType = 'application/json';

/** A script in a page of another service would be one of this server, and read its control plane. */
export const withoutScripts = (headers: HttpResponse['headers']): HttpResponse['headers'] =>
  mediaType(headers) === jsonType ? headers : { ...headers, 'content-security-policy': 'sandbox' };

/**
 * Stands for the public address until the response is sent. It cannot occur otherwise, since `<` is escaped in every
 * string (behavior: requests.escaped-json).
 */
const addressMark = '<';

const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

export const json = <T>(value: T): Json<T> => value === null || typeof value === 'boolean' ? String(value)
  : JSON.stringify(value).replace(/[<>&]/g, (c) => escapes[c]!);

export const jsonObject = <T>(fields: { readonly [K in keyof T]: Json<T[K]> | undefined }): Json<T> => {
  let text = '';
  for (const key in fields) {
    if (fields[key] !== undefined) text += `${text ? ',' : ''}"${key}":${fields[key]}`;
  }
  return `{${text}}`;
};

/** The plain fields of an object that also has others, which are JSON already. */
export const jsonFields = <T extends object>(fields: T) => Object.fromEntries(
  Object.entries(fields).map(([name, value]) => [name, json(value)])) as { readonly [K in keyof T]: Json<T[K]> };

export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]`;

const hostMark = `${addressMark}>`;

export const ownUrl = (path: string): Json<string> => `"${addressMark}${json(path).slice(1)}`;

export const ownGitUrl = (path: string): Json<string> => `"git@${hostMark}:${json(path).slice(1, -1)}.git"`;

export const hostOf = (address: string): string => URL.canParse(address) ? new URL(address).hostname : 'localhost';

export const withAddress = (text: string, address: string): string => !text.includes(addressMark) ? text
  : text.replaceAll(hostMark, () => hostOf(address)).replaceAll(addressMark, json(address).slice(1, -1));

/** These names and values cannot split a response (RFC 9110, 5.1 and 5.5). */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
export const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The server sets these itself, or they are about the connection (RFC 9110, 7.6.1), so that HTTP libraries reject them.
 */
const ownHeaders = new Set([
  'content-length', 'transfer-encoding', 'connection', 'date', 'trailer', 'te', 'upgrade', 'keep-alive',
  'proxy-connection',
]);

/** Whether a response can have a header with this name that is not the server's own. */
export const isResponseHeader = (name: string): boolean =>
  headerName.test(name.toLowerCase()) && !ownHeaders.has(name.toLowerCase());

/** JSON with `status` (default 200), `headers` and `body`; a body that is not text is sent as JSON. Null if invalid. */
export const responseFrom = (text: string): HttpResponse | null => {
  const given = parseJsonObject(text);
  if (!isObject(given)) return null;
  const { status = 200, headers = {}, body = '', ...others } = given;
  if (Object.keys(others).length > 0 || !isObject(headers)) return null;
  return typeof body === 'string' ? responseWith(status, headers, body)
    : responseWith(status, { 'content-type': jsonType, ...headers }, JSON.stringify(body));
};

export const responseWith = (status: unknown, headers: unknown, body: HttpResponse['body']): HttpResponse | null => {
  const named = headersFrom(headers);
  const isValid = named !== null && Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
  return isValid ? { status: Number(status), headers: named, body } : null;
};

/** Puts names into lower case. Null if a header is invalid, or the server's own. */
const headersFrom = (given: unknown): Record<string, string> | null => {
  if (!isObject(given)) return null;
  const headers = Object.entries(given).map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
  const isValid = headers.every(([name, value]) =>
    isResponseHeader(name) && isPlain(value) && headerValue.test(String(value)));
  return isValid ? Object.fromEntries(headers.map(([name, value]) => [name, String(value)])) : null;
};

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Handlers throw it, and one place maps it to a response, which has no body if that is null. */
export class HttpError extends Error {
  constructor(
    readonly status: number, readonly body: ErrorBody | null, readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(JSON.stringify(body));
  }
}

/** An operation that is impossible, from code or the control plane: a missing snapshot, too many worlds. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  constructor(
    /** The status with which the control plane rejects the operation. */
    readonly status: 400 | 404 | 422 | 501 | 503,
    message: string,
  ) { super(message); }
}

/** The path of the request is a former one of the project with this id. */
export class MovedProject extends Error {
  override readonly name = 'MovedProject';
  constructor(readonly id: number) { super(`the project ${id} moved`); }
}

/** A custom route failed; the cause says how. */
export class RouteFault extends Error {
  override readonly name = 'RouteFault';
  constructor(on: string, options: ErrorOptions) { super(`the route ${JSON.stringify(on)} failed`, options); }
}

/** The server cannot listen at this address, or with this certificate or key. */
export class ListenError extends HintedError {
  override readonly name = 'ListenError';
  /** The code of the system, such as `EADDRINUSE`; null for a certificate or key. */
  readonly code: string | null;
  constructor(problem: string, hint: string, { code, ...options }: ErrorOptions & { code?: string } = {}) {
    super(problem, hint, options);
    this.code = code ?? null;
  }
}

export const httpError = (status: number, message: string) => new HttpError(status, { message });

/** For missing or unknown credentials (behavior: tokens.missing, tokens.no-challenge). */
export const unauthorized = () => httpError(401, '401 Unauthorized');

/** The realm of the library that the service uses (behavior: tokens.challenge). */
export const bearerChallenge = 'Bearer realm="Protected by OAuth 2.0"';

/** For a token that is no longer valid (behavior: tokens.expired, tokens.challenge). */
export const invalidToken = (description: string) => new HttpError(401,
  { error: 'invalid_token', error_description: description },
  { 'www-authenticate': `${bearerChallenge}, error="invalid_token", error_description="${description}"` });

/** `scope` lists sufficient scopes (behavior: tokens.insufficient-scope). */
export const insufficientScope = (scope: string) => new HttpError(403, {
  error: 'insufficient_scope',
  error_description: 'The request requires higher privileges than provided by the access token.',
  scope,
});

/** For a valid token without the permission of the operation (behavior: tokens.granular-texts). */
export const insufficientPermission = (sentence: string) =>
  new HttpError(403, { error: granularScopeError, error_description: `Access denied: ${sentence}` });

/** For a missing permission or feature (behavior: errors.forbidden, errors.feature). */
export const forbidden = (reason?: string) => httpError(403, reason ? `403 Forbidden - ${reason}` : '403 Forbidden');

/** For a missing or hidden object with its type: `404 Project Not Found` (behavior: errors.project). */
export const notFound = (thing: string) => httpError(404, `404 ${thing} Not Found`);

/** The lowercase f is the service's (behavior: errors.record). */
export const recordNotFound = () => httpError(404, '404 Not found');

/** behavior: errors.unknown-route */
export const routeNotFound = (headers?: Readonly<Record<string, string>>) =>
  new HttpError(unknownRoute.status, unknownRoute.body, headers);

/** behavior: errors.parameter-body */
export const badParameters = (problems: readonly string[]) => new HttpError(400, { error: problems.join(', ') });

/** behavior: errors.model */
export const badRequest = (reason: string) => httpError(400, `400 Bad request - ${reason}`);

/** For paths of API version 3 (behavior: requests.removed-api). */
export const gone = () => new HttpError(removedApi.status, removedApi.body);

const formerPath = new RegExp(`(?<=${apiPrefix}/projects/)[^/?]+`);

/**
 * Redirects to the request with the id of the project (behavior: requests.redirect). A request in the process can have
 * been made for any address. @throws HttpError for a write (behavior: requests.moved-writes)
 */
export const movedResponse = (request: HttpRequest, address: string, { id }: MovedProject): HttpResponse => {
  const { headers: { host }, target } = request;
  if (!isRead(request)) throw httpError(405, 'Non GET methods are not allowed for moved projects');
  const to = target.replace(formerPath, String(id));
  const location = host === undefined ? relativeTo(target, to) : withLoopbackHost(address, host) + to;
  return {
    status: 301, headers: { 'content-type': 'text/plain', location },
    body: `This resource has been moved permanently to ${location}.`,
  };
};

const relativeTo = (from: string, to: string): string => {
  const [path] = splitTarget(from.replace(formerPath, ''));
  const depth = path.slice(`${apiPrefix}/projects/`.length).split('/').length - 1;
  return '../'.repeat(depth) + to.slice(`${apiPrefix}/projects/`.length);
};

/** A loopback address has several names, and clients send their token to no other than theirs. */
const withLoopbackHost = (address: string, host: string): string => {
  const url = new URL(address);
  if (isLoopback(url.hostname)) url.host = host;
  return url.href.replace(/\/$/, '');
};

/** behavior: requests.target-limit */
export const targetTooLong = () => httpError(414, '414 URI Too Long');

type FieldTexts = Readonly<Record<string, readonly string[]>>;

/** behavior: errors.field-texts */
export const invalidFields = (fields: FieldTexts) => new HttpError(400, { message: fields });

/** For the limit of a single operation (behavior: limits.application, limits.application-wait). */
export const tooManyRequests = (edition: Edition) => new HttpError(429,
  { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
  holdsIn(limitFacts['limits.application-wait'], edition) ? { 'retry-after': '60' } : {});

/** behavior: drafts.publish-failed */
export const publishingFailed = () => new HttpError(500, null);

export class InvalidNote extends HttpError {
  constructor(readonly fields: FieldTexts, before: string) {
    super(400, { message: `400 Bad request - ${before} ${inRuby(fields)}` });
  }
}

/** The texts are formatted like a Ruby hash (behavior: errors.model). */
export const invalidNote = (fields: FieldTexts, before = 'Note') => new InvalidNote(fields, before);

const inRuby = (fields: FieldTexts): string => {
  const list = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(', ');
  return `{${Object.entries(fields).map(([field, texts]) => `:${field}=>[${list(texts)}]`).join(', ')}}`;
};

/** As the service's models print them. */
export const fullMessages = (fields: FieldTexts): string => Object.entries(fields).flatMap(([field, texts]) =>
  texts.map((text) => field === 'base' ? text : `${fieldName(field)} ${text}`)).join(', ');

const fieldName = (field: string): string => field[0]!.toUpperCase() + field.slice(1).replaceAll('_', ' ');

export const jsonResponse = (
  status: number, text: string, headers: Readonly<Record<string, string>> = {},
): HttpResponse =>
  ({ status, headers: { 'content-type': jsonType, ...headers }, body: text });

export const emptyResponse = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  ({ status, headers, body: '' });

export const withErrors = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => (request) =>
  handler(request).catch((error: unknown) => {
    const response = errorResponse(error, !isRead(request));
    if (response === null) throw error;
    return response;
  });

/** Null for an internal error. @param changes for a write, whose caller must know that nothing was stored */
export const errorResponse = (error: unknown, changes: boolean): HttpResponse | null => {
  if (error instanceof HttpError) {
    const { status, body, headers } = error;
    return body === null ? emptyResponse(status, headers) : jsonResponse(status, json(body), headers);
  }
  if (error instanceof OperationError) {
    return jsonResponse(error.status, json({ message: `${statuses[error.status]} - ${error.message}` }));
  }
  if (error instanceof RequestAborted) return emptyResponse(0);
  if (error instanceof StoreUnavailable) return storeFailure(503, error.reason, changes, { 'retry-after': '1' });
  if (error instanceof UnknownMediaType) return jsonResponse(415, json({ error: error.message }));
  if (error instanceof UnreadableBody) return jsonResponse(400, json({ error: invalidJsonMessage(error.message) }));
  if (error instanceof MalformedText) {
    return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Bad Request' };
  }
  const isBroken = error instanceof UnreadableParams || error instanceof InvalidMultipart;
  return isBroken ? jsonResponse(400, json({ error: error.message })) : null;
};

/** For a failure of the server itself (behavior: errors.server). */
export const faultResponse = (error: unknown, changes: boolean): HttpResponse => {
  if (error instanceof StoreFault) return storeFailure(error.status, error.reason, changes);
  const message = error instanceof RouteFault ? `${statuses[500]} - ${error.message}` : statuses[500];
  return jsonResponse(500, json({ message }));
};

const statuses = {
  400: '400 Bad request', 404: '404 Not Found', 422: '422 Unprocessable Entity',
  500: '500 Internal Server Error', 501: '501 Not Implemented',
  503: '503 Service Unavailable',
};

const storeFailure = (
  status: 500 | 503, reason: string, changes: boolean, headers?: Readonly<Record<string, string>>,
): HttpResponse => {
  const what = changes ? `${reason}; ${nothingStored}` : reason;
  return jsonResponse(status, json({ message: `${statuses[status]} - ${what}` }), headers);
};

/** The text has the layout of the service (behavior: requests.broken-json). */
const invalidJsonMessage = (problem: string): string =>
  `\nProblem:\n  ${problem}\nResolution:\n  when specifying application/json as content-type, `
  + "you must pass valid application/json in the request's 'body' ";
