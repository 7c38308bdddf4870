import { type Endpoint, pathNamesInClient } from '../contract/endpoint.js';
import { discussionIdPattern } from '../contract/conventions.js';
import { errorMessage } from '../wire/error-response.js';
import {
  bodyText, type HttpRequest, type HttpResponse, isParams, mediaType, type Params, requestLine,
} from '../wire/http.js';
import { parsedJson } from '../wire/json.js';
import { isQuickActionsOnly, mayHaveQuickActions } from '../wire/note-text.js';
import { parseRawList, type RawList } from '../wire/raw-list.js';
import { ApiError, type FinalResponse, NoResultError, ResponseError } from './errors.js';

export interface Exchange {
  readonly request: HttpRequest;
  readonly response: FinalResponse;
  /** The text of the note that the request writes. */
  readonly text?: string | undefined;
}

/**
 * Undefined if there is no result. @param api the configured address, for messages @param strict see `ClientOptions`
 * @throws ApiError if the service rejected the request, NoResultError if it succeeded without a result, ResponseError
 * if the response is not one of the API
 */
export const readResponse = (endpoint: Endpoint, exchange: Exchange, api: string, strict = false): unknown => {
  const { request, response } = exchange;
  checkResponse(exchange, api);
  if (endpoint.returns === null) return checkDone(endpoint, exchange);
  if (statusesWithoutResult.has(response.status) && request.method !== 'GET') throw withoutResult(endpoint, exchange);
  if (endpoint.raw) return bodyText(response.body);
  const result = parseJson(exchange);
  const problem = describeMismatch(endpoint.returns, result, strict);
  if (problem !== null) throw responseError(exchange, `the response ${problem}`);
  return result;
};

/** A service that has created or accepted something may not have done what was asked. @throws ResponseError */
const checkDone = ({ status: expected, method }: Endpoint, exchange: Exchange): undefined => {
  const { status, body } = exchange.response;
  const isDone = status === expected || (status === 200 && (method === 'DELETE' || bodyText(body).trim() === ''));
  if (isDone) return undefined;
  throw responseError(exchange, `the service responded with ${status}, not ${expected}`);
};

/** Proxies and caches can confuse responses. @throws ResponseError if an object is not the one that was asked for */
export const rejectOther = (endpoint: Endpoint, params: Params, exchange: Exchange, result: unknown): void => {
  if (!isParams(result) || (endpoint.method !== 'GET' && endpoint.method !== 'PUT')) return;
  for (const [name, field] of identitiesOf(endpoint)) {
    const [wanted, found] = [params[name], result[field]];
    if (!differ(wanted, found)) continue;
    throw responseError(exchange, `the response is another object: its ${field} is ${String(found)}`);
  }
};

/** Parameters with the fields of the result that have the same values: what the path ends with names the object. */
const identitiesOf = (endpoint: Endpoint): readonly (readonly [name: string, field: string])[] => {
  const [path] = endpoint.paths;
  const [, last] = /\/:(\w+)$/.exec(path) ?? [];
  const names = last === undefined ? [] : pathNamesInClient(`:${last}`, endpoint);
  const inProject = path.startsWith('/projects/:id/') ? [['id', 'project_id'] as const] : [];
  return [...names.map((name) => [name, name.endsWith('iid') ? 'iid' : 'id'] as const), ...inProject];
};

/** Paths, short SHAs and what is missing are not compared. */
const differ = (wanted: unknown, found: unknown): boolean => typeof found === 'number'
  ? /^\d+$/.test(String(wanted)) && Number(wanted) !== found
  : discussionIdPattern.test(String(found)) && discussionIdPattern.test(String(wanted)) && found !== wanted;

/** Of any request; undefined for an empty response. @throws as `readResponse` */
export const readJson = (exchange: Exchange, api: string): unknown => {
  checkResponse(exchange, api);
  return bodyText(exchange.response.body).trim() === '' ? undefined : parseJson(exchange);
};

/** @throws ApiError for an error status, ResponseError for any other response that is not one of the API */
const checkResponse = (exchange: Exchange, api: string): void => {
  checkStatus(exchange.request, exchange.response);
  if (isHtmlType(exchange.response)) {
    throw responseError(exchange, `the response is HTML, not JSON; is ${api} the address of the API?`);
  }
};

/**
 * Null if the items must be parsed, because of their format or because the first one does not match the endpoint.
 * @throws ApiError if the service rejected the request, ResponseError for an HTML page
 */
export const readRawList = (endpoint: Endpoint, exchange: Exchange, api: string, strict = false): RawList | null => {
  checkResponse(exchange, api);
  const items = parseRawList(exchange.response.body);
  const isMismatch = items !== null && items.length > 0
    && describeMismatch(endpoint.returns as Shape, [items.first()], strict) !== null;
  return isMismatch ? null : items;
};

/** @throws ApiError for an error status, ResponseError for one that is neither success nor error */
export const checkStatus = (request: HttpRequest, response: FinalResponse): void => {
  const { status, headers, attempts, hint } = response;
  if (status >= 400) {
    const body = parsedBody(response);
    throw new ApiError(status, responseReason(response), requestLine(request), body, headers, attempts, hint);
  }
  const isSuccess = status >= 200 && status < 300 && status !== 206;
  if (!isSuccess) throw responseError({ request, response }, `unexpected status ${status}`);
};

const parseJson = (exchange: Exchange): unknown => {
  const { body, headers } = exchange.response;
  const text = bodyText(body);
  if (text.trim() === '') throw responseError(exchange, 'the response is empty, not JSON');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const type = mediaType(headers);
    const problem = type === '' || type === 'application/json' ? 'is not valid JSON' : `is ${type}, not JSON`;
    throw responseError(exchange, `the response ${problem}`, { cause });
  }
};

const statusesWithoutResult = new Set([202, 204]);

/** Only quick actions, and a repeated DELETE, can succeed without a result; any other text or change may be lost. */
const withoutResult = ({ accepted }: Endpoint, exchange: Exchange): ResponseError => {
  const { request, response, text = '' } = exchange;
  const body = parsedBody(response);
  const { summary, commands_changes: changes } = isParams(body) ? body : {};
  const ranActions = isQuickActionsOnly(text)
    || (mayHaveQuickActions(text) && (Array.isArray(summary) || isParams(changes)));
  if (request.method !== 'DELETE' && !(accepted && ranActions)) {
    return responseError(exchange, `the service responded with ${response.status} and without the result`);
  }
  const sentences = Array.isArray(summary) ? summary.map(String) : [];
  return new NoResultError(sentences, isParams(changes) ? changes : {}, requestLine(request), response.status);
};

const isHtmlType = (response: Pick<HttpResponse, 'headers'>): boolean => mediaType(response.headers) === 'text/html';

export const responseError = (
  { request, response }: Exchange, message: string, options?: ErrorOptions,
): ResponseError => new ResponseError(message, requestLine(request), response.status, options);

/** Parsed if it is JSON, else text. */
export const parsedBody = (response: HttpResponse): unknown => {
  const text = bodyText(response.body);
  const value = parsedJson(text);
  return value === undefined ? text : value;
};

const maxMessageLength = 300;

/**
 * On one line: that of the service (behavior: errors.message-body, errors.parameter-body, limits.rate-text), else the
 * meaning of the status. An HTML page comes from a proxy in front of the service and is described, never repeated.
 */
export const responseReason = (response: HttpResponse): string => {
  const meaning = process.getBuiltinModule('node:http').STATUS_CODES[response.status] ?? 'unknown status';
  const body = parsedBody(response);
  if (isHtmlBody(response, body)) return `${meaning} (an HTML page instead of a response of the service)`;
  const message = errorMessage(body)?.replace(/\s+/g, ' ') ?? meaning;
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
};

/** @param body parsed, or text that is not JSON */
export const isHtmlBody = (response: Pick<HttpResponse, 'headers'>, body: unknown): boolean =>
  isHtmlType(response) || (typeof body === 'string' && /^\s*</.test(body));

export interface Shape {
  readonly $id?: string;
  readonly type?: string;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

interface Mismatch { readonly path: string; readonly problem: string }

/** Runs for every response, so paths are only built for a mismatch. */
type Check = (value: unknown, strict: boolean) => Mismatch | null;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Null if it matches. Checks only what would break the caller: objects, lists and ids. Unknown fields (behavior:
 * notes.unknown-keys) and values pass, and so do scalars of another type.
 */
export const describeMismatch = (shape: Shape, value: unknown, strict: boolean): string | null => {
  const mismatch = cachedCheck(shape)?.(value, strict)
    ?? (strict ? withoutId(shape, value) ?? withoutFields(shape, value) : null);
  return mismatch && mismatch.problem + (mismatch.path && `, at ${mismatch.path}`);
};

/** Only the requested objects need ids; nested ones may lack them. */
const withoutId = ({ items, required = [] }: Shape, value: unknown): Mismatch | null => {
  if (Array.isArray(value)) {
    const at = items?.required?.includes('id') ? value.findIndex(lacksId) : -1;
    return at < 0 ? null : within(`[${at}]`, missingId);
  }
  return required.includes('id') && lacksId(value) ? missingId : null;
};

/** An object with none of its fields is a different one, such as an error. */
const withoutFields = ({ required = [] }: Shape, value: unknown): Mismatch | null =>
  required.length === 0 || required.some((name) => name in (value as JsonObject)) ? null
    : { path: '', problem: 'has none of the expected fields' };

const missingId: Mismatch = { path: 'id', problem: 'has nothing where an id is expected' };

const lacksId = (item: unknown): boolean => ((item as JsonObject)['id'] ?? null) === null;

const checks = new WeakMap<Shape, Check | null>();

/** Created once; null if every value matches. */
const cachedCheck = (shape: Shape): Check | null => {
  const cached = checks.get(shape);
  if (cached !== undefined) return cached;
  const check = createCheck(shape);
  checks.set(shape, check);
  return check;
};

const createCheck = (shape: Shape): Check | null => {
  const { type, items = {}, minItems = 0, properties, required = [], anyOf = [] } = shape;
  const [only, ...others] = anyOf.filter((each) => each.type !== 'null');
  if (only) return others.length === 0 ? orNull(cachedCheck(only)) : null;
  if (type === 'array') return list(cachedCheck(items), minItems);
  return type === 'object' && properties ? object(properties, required) : null;
};

const orNull = (check: Check | null): Check | null =>
  check && ((value, strict) => value === null ? null : check(value, strict));

const emptyList: Mismatch = { path: '', problem: 'has an empty list where a list with an item is expected' };

const list = (check: Check | null, least: number): Check => (value, strict) => {
  if (!Array.isArray(value)) return mismatchOf(value, 'a list');
  if (strict && value.length < least) return emptyList;
  for (let i = 0; check && i < value.length; i++) {
    const mismatch = check(value[i], strict);
    if (mismatch) return within(`[${i}]`, mismatch);
  }
  return null;
};

const object = (properties: Readonly<Record<string, Shape>>, required: readonly string[]): Check => {
  const fields = Object.entries(properties).flatMap(([name, shape]) => {
    const check = name === 'id' ? id : cachedCheck(shape);
    return check ? [{ name, check, isStrict: required.includes(name) && isObjectOrList(shape) }] : [];
  });
  return (value, strict) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return mismatchOf(value, 'an object');
    for (const { name, check, isStrict } of fields) {
      const field = (value as JsonObject)[name];
      const mayBeMissing = (field ?? null) === null && !(strict && isStrict);
      const mismatch = mayBeMissing ? null : check(field, strict);
      if (mismatch) return within(name, mismatch);
    }
    return null;
  };
};

/** Callers use objects, and lists with a known type, without checking them first. */
const isObjectOrList = ({ type, items }: Shape): boolean => type === 'object' || items?.type !== undefined;

/** Above 2^53 different ids become the same number. */
const id: Check = (value) => typeof value !== 'number' || Number.isSafeInteger(value) ? null
  : { path: '', problem: 'has a number that is too large to be exact' };

const within = (outer: string, { path, problem }: Mismatch): Mismatch =>
  ({ problem, path: outer + (path === '' || path.startsWith('[') ? path : `.${path}`) });

const mismatchOf = (value: unknown, expected: string): Mismatch =>
  ({ path: '', problem: `has ${typeName(value)} where ${expected} is expected` });

const typeName = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
};
