import type { Endpoint } from '../contract/endpoint.js';
import { errorMessage } from '../wire/error-body.js';
import { isParams } from '../wire/forms.js';
import { mediaType, textOf, type HttpRequest, type HttpResponse } from '../wire/http.js';
import { parseRawList, type RawList } from '../wire/raw-list.js';
import { ApiError, NoResultError, requestLine, ResponseError } from './errors.js';

/** A request and what came back. */
export interface Exchange { readonly request: HttpRequest; readonly response: HttpResponse }

/**
 * What an endpoint answered: parsed JSON, or undefined where it answers nothing.
 * @param api the address that was taken for the service's, for the message about an HTML page
 * @param whole whether objects, lists and ids that interface.md has in an answer must be there
 * @throws ApiError when the service said no, NoResultError when it did as asked and has nothing to show, ResponseError
 *   when the answer is not the service's interface
 */
export const readResponse = (
  endpoint: Endpoint, { request, response }: Exchange, api: string, whole = false,
): unknown => {
  checkFound({ request, response }, api);
  if (endpoint.returns === null) return undefined;
  if (isDone(request, response)) throw noResult(request, response);
  const answer = parseJson(request, response);
  const problem = mismatch(endpoint.returns as Shape, answer, whole && endpoint.companion !== true);
  if (problem !== null) throw responseError(request, response, `the answer ${problem}`);
  return answer;
};

/** @throws as `readAnswer` for what is no answer of the service at all */
const checkFound = ({ request, response }: Exchange, api: string): void => {
  checkStatus(request, response);
  if (isPage(response)) {
    throw responseError(request, response, `answered with HTML, not JSON; is ${api} the API's address?`);
  }
};

/**
 * The items of an answered list as the service wrote them; null where they are written so that they have to be read, or
 * the first of them is not what the endpoint answers, which reading finds words for.
 * @throws ApiError when the service said no, ResponseError for a page of HTML
 */
export const readRawList = (
  endpoint: Endpoint, exchange: Exchange, api: string, whole = false,
): RawList | null => {
  checkFound(exchange, api);
  const items = parseRawList(exchange.response.body);
  const isOdd = items !== null && items.length > 0
    && mismatch(endpoint.returns as Shape, [items.first()], whole && endpoint.companion !== true) !== null;
  return isOdd ? null : items;
};

/** @throws ApiError for a refusal, ResponseError for what is neither success nor refusal */
export const checkStatus = (request: HttpRequest, response: HttpResponse): void => {
  const { status, headers } = response;
  if (status >= 400) throw new ApiError(status, reasonOf(response), requestLine(request), bodyOf(response), headers);
  const isWhole = status >= 200 && status < 300 && status !== 206;
  if (!isWhole) throw responseError(request, response, `answered with an unexpected status ${status}`);
};

const parseJson = (request: HttpRequest, response: HttpResponse): unknown => {
  const text = textOf(response.body);
  if (text.trim() === '') throw responseError(request, response, 'answered with an empty body where JSON is expected');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const type = mediaType(response.headers);
    const what = type === '' || type === 'application/json' ? 'broken JSON' : `${type}, not JSON`;
    throw responseError(request, response, `answered with ${what}`, { cause });
  }
};

/** A change may be done without a result; a read that brings nothing has failed. */
const isDone = ({ method }: HttpRequest, { status }: HttpResponse): boolean =>
  method !== 'GET' && (status === 202 || status === 204);

/** wire-facts 4.2.1: a body of quick actions alone is carried out and leaves no note. */
const noResult = (request: HttpRequest, response: HttpResponse): NoResultError => {
  const body = bodyOf(response);
  const { summary, commands_changes: changes } = isParams(body) ? body : {};
  const sentences = Array.isArray(summary) ? summary.map(String) : [];
  return new NoResultError(sentences, isParams(changes) ? changes : {}, requestLine(request), response.status);
};

const isPage = (response: HttpResponse): boolean => mediaType(response.headers) === 'text/html';

const responseError = (
  request: HttpRequest, { status }: HttpResponse, message: string, options?: ErrorOptions,
): ResponseError =>
  new ResponseError(message, requestLine(request), status, options);

/** The body of an answer: parsed where it is JSON, else its text; empty text where there is none. */
export const bodyOf = (response: HttpResponse): unknown => {
  const text = textOf(response.body);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** What a status means, for answers that carry no words of their own. */
const meanings: Readonly<Record<number, string>> = {
  400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed',
  407: 'Proxy Authentication Required', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone',
  412: 'Precondition Failed', 413: 'Payload Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type',
  422: 'Unprocessable Entity', 429: 'Too Many Requests', 500: 'Internal Server Error', 502: 'Bad Gateway',
  503: 'Service Unavailable', 504: 'Gateway Timeout',
};

/** Longest text of a stranger that is repeated in a message. */
const longest = 300;

/**
 * The words of a refusal on one line: the service's own (wire-facts 1.3-1.6, 4.12), else what the status means. A page
 * of HTML comes from something in front of the service and is described, never repeated.
 */
export const reasonOf = (response: HttpResponse): string => {
  const meaning = meanings[response.status] ?? 'no reason given';
  const body = bodyOf(response);
  if (isHtml(response, body)) return `${meaning} (an HTML page in place of the service's answer)`;
  const words = errorMessage(body)?.replace(/\s+/g, ' ') ?? meaning;
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
};

const isHtml = (response: HttpResponse, body: unknown): boolean =>
  mediaType(response.headers) === 'text/html' || (typeof body === 'string' && /^\s*</.test(body));

/** What of a JSON Schema is looked at. */
export interface Shape {
  readonly type?: string;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

/** What is wrong, and where. */
interface Mismatch { readonly place: string; readonly words: string }

/** Every answer passes here: places are put together only on the way back from what does not fit. */
type Check = (value: unknown, whole: boolean) => Mismatch | null;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What keeps a value from being read as a shape, in words, or null. Only what a reader would stumble over: objects and
 * lists where they belong, and the ids. Fields and words nobody knows yet pass, and whatever else a scalar may be.
 * @param whole whether what a reader needs has to be there; what is there has to fit in any case
 */
export const mismatch = (shape: Shape, value: unknown, whole: boolean): string | null => {
  const found = cachedCheck(shape)?.(value, whole)
    ?? (whole ? withoutId(shape, value) ?? withoutFields(shape, value) : null);
  return found && found.words + (found.place && `, at ${found.place}`);
};

/** The things asked for have their ids; what they hold may do without. */
const withoutId = ({ items, required = [] }: Shape, value: unknown): Mismatch | null => {
  if (Array.isArray(value)) {
    const at = items?.required?.includes('id') ? value.findIndex(lacksId) : -1;
    return at < 0 ? null : within(`[${at}]`, missingId);
  }
  return required.includes('id') && lacksId(value) ? missingId : null;
};

/** An object with none of the fields that it should have is another one, such as the words of a failure. */
const withoutFields = ({ required = [] }: Shape, value: unknown): Mismatch | null =>
  required.length === 0 || required.some((name) => name in (value as JsonObject)) ? null
    : { place: '', words: 'has none of the fields that are expected' };

const missingId: Mismatch = { place: 'id', words: 'has nothing where an id is expected' };

const lacksId = (thing: unknown): boolean => ((thing as JsonObject)['id'] ?? null) === null;

const known = new WeakMap<Shape, Check | null>();

/** The check for a shape, made once; null where anything will do. */
const cachedCheck = (shape: Shape): Check | null => {
  const made = known.get(shape);
  if (made !== undefined) return made;
  const check = createCheck(shape);
  known.set(shape, check);
  return check;
};

const createCheck = ({ type, items = {}, properties, required = [], anyOf = [] }: Shape): Check | null => {
  const [only, ...others] = anyOf.filter((each) => each.type !== 'null');
  if (only) return others.length === 0 ? orNull(cachedCheck(only)) : null;
  if (type === 'array') return list(cachedCheck(items));
  return type === 'object' && properties ? object(properties, required) : null;
};

const orNull = (check: Check | null): Check | null =>
  check && ((value, whole) => value === null ? null : check(value, whole));

const list = (check: Check | null): Check => (value, whole) => {
  if (!Array.isArray(value)) return mismatchOf(value, 'a list');
  for (let i = 0; check && i < value.length; i++) {
    const found = check(value[i], whole);
    if (found) return within(`[${i}]`, found);
  }
  return null;
};

const object = (properties: Readonly<Record<string, Shape>>, required: readonly string[]): Check => {
  const fields = Object.entries(properties).flatMap(([name, shape]) => {
    const check = name === 'id' ? id : cachedCheck(shape);
    const isDemanded = required.includes(name);
    return check ? [{ name, check, isDemanded, isRead: isDemanded && isRead(shape) }] : [];
  });
  return (value, whole) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return mismatchOf(value, 'an object');
    for (const { name, check, isDemanded, isRead } of fields) {
      const given = (value as JsonObject)[name];
      const mayBeMissing = given === null ? !isDemanded : given === undefined && !(whole && isRead);
      const found = mayBeMissing ? null : check(given, whole);
      if (found) return within(name, found);
    }
    return null;
  };
};

/** What is read without a second look: objects, and lists of what is known. */
const isRead = ({ type, items }: Shape): boolean => type === 'object' || items?.type !== undefined;

/** Past 2^53 two ids look the same: one would be taken for the other. */
const id: Check = (value) => typeof value !== 'number' || Number.isSafeInteger(value) ? null
  : { place: '', words: 'has a number too large to be read to the last digit' };

const within = (outer: string, { place, words }: Mismatch): Mismatch =>
  ({ words, place: outer + (place === '' || place.startsWith('[') ? place : `.${place}`) });

const mismatchOf = (value: unknown, wanted: string): Mismatch =>
  ({ place: '', words: `has ${nameOf(value)} where ${wanted} is expected` });

const nameOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
};
