import type { Endpoint } from '../../contract/endpoint.js';
import { wordsOf } from '../../wire/error-body.js';
import { isHash } from '../../wire/forms.js';
import { mediaType, textOf, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { writtenIn, type Written } from '../../wire/raw-list.js';
import { AnswerError, ApiError, NoResultError, requestLine } from '../errors.js';
import { misfit, type Shape } from './validate.js';

/** A request and what came back. */
export interface Exchange { readonly request: HttpRequest; readonly response: HttpResponse }

/**
 * What an endpoint answered: parsed JSON, or undefined where it answers nothing.
 * @param api the address that was taken for the service's, for the message about an HTML page
 * @param whole whether objects, lists and ids that interface.md has in an answer must be there
 * @throws ApiError when the service said no, NoResultError when it did as asked and has nothing to show, AnswerError
 *   when the answer is not the service's interface
 */
export const readAnswer = (
  endpoint: Endpoint, { request, response }: Exchange, api: string, whole = false,
): unknown => {
  checkAnswered({ request, response }, api);
  if (endpoint.returns === null) return undefined;
  if (isDone(request, response)) throw noResult(request, response);
  const answer = jsonOf(request, response);
  const problem = misfit(endpoint.returns as Shape, answer, whole && endpoint.companion !== true);
  if (problem !== null) throw wrong(request, response, `the answer ${problem}`);
  return answer;
};

/** @throws as `readAnswer` for what is no answer of the service at all */
const checkAnswered = ({ request, response }: Exchange, api: string): void => {
  checkStatus(request, response);
  if (isPage(response)) {
    throw wrong(request, response, `answered with HTML, not JSON; is ${api} the API's address?`);
  }
};

/**
 * The items of an answered list as the service wrote them; null where they are written so that they have to be read, or
 * the first of them is not what the endpoint answers, which reading finds words for.
 * @throws ApiError when the service said no, AnswerError for a page of HTML
 */
export const writtenAnswer = (
  endpoint: Endpoint, exchange: Exchange, api: string, whole = false,
): Written | null => {
  checkAnswered(exchange, api);
  const items = writtenIn(exchange.response.body);
  const isOdd = items !== null && items.length > 0
    && misfit(endpoint.returns as Shape, [items.first()], whole && endpoint.companion !== true) !== null;
  return isOdd ? null : items;
};

/** @throws ApiError for a refusal, AnswerError for what is neither success nor refusal */
export const checkStatus = (request: HttpRequest, response: HttpResponse): void => {
  const { status, headers } = response;
  if (status >= 400) throw new ApiError(status, plainWords(response), requestLine(request), bodyOf(response), headers);
  const isWhole = status >= 200 && status < 300 && status !== 206;
  if (!isWhole) throw wrong(request, response, `answered with an unexpected status ${status}`);
};

const jsonOf = (request: HttpRequest, response: HttpResponse): unknown => {
  const text = textOf(response.body);
  if (text.trim() === '') throw wrong(request, response, 'answered with an empty body where JSON is expected');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const type = mediaType(response.headers);
    const what = type === '' || type === 'application/json' ? 'broken JSON' : `${type}, not JSON`;
    throw wrong(request, response, `answered with ${what}`, { cause });
  }
};

/** A change may be done without a result; a read that brings nothing has failed. */
const isDone = ({ method }: HttpRequest, { status }: HttpResponse): boolean =>
  method !== 'GET' && (status === 202 || status === 204);

/** wire-facts 4.2.1: a body of quick actions alone is carried out and leaves no note. */
const noResult = (request: HttpRequest, response: HttpResponse): NoResultError => {
  const body = bodyOf(response);
  const { summary, commands_changes: changes } = isHash(body) ? body : {};
  const sentences = Array.isArray(summary) ? summary.map(String) : [];
  return new NoResultError(sentences, isHash(changes) ? changes : {}, requestLine(request), response.status);
};

const isPage = (response: HttpResponse): boolean => mediaType(response.headers) === 'text/html';

const wrong = (request: HttpRequest, { status }: HttpResponse, message: string, options?: ErrorOptions): AnswerError =>
  new AnswerError(message, requestLine(request), status, options);

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
export const plainWords = (response: HttpResponse): string => {
  const meaning = meanings[response.status] ?? 'no reason given';
  const body = bodyOf(response);
  if (isHtml(response, body)) return `${meaning} (an HTML page in place of the service's answer)`;
  const words = wordsOf(body)?.replace(/\s+/g, ' ') ?? meaning;
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
};

const isHtml = (response: HttpResponse, body: unknown): boolean =>
  mediaType(response.headers) === 'text/html' || (typeof body === 'string' && /^\s*</.test(body));
