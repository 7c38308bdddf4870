import { mediaType, type HttpResponse } from '../wire/http.js';
import { wordsOf } from '../wire/refusals.js';
import { bodyOf } from './body.js';

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
  if (isPage(response, body)) return `${meaning} (an HTML page in place of the service's answer)`;
  const words = wordsOf(body)?.replace(/\s+/g, ' ') ?? meaning;
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
};

const isPage = (response: HttpResponse, body: unknown): boolean =>
  mediaType(response.headers) === 'text/html' || (typeof body === 'string' && /^\s*</.test(body));
