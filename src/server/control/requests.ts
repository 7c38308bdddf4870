import { STATUS_CODES } from 'node:http';
import { shellWord } from '../../text/quoting.js';
import { type HttpRequest, type HttpResponse, splitTarget } from '../../wire/http.js';
import type { Hooks } from '../hooks/deliveries.js';
import type { EventKind } from '../hooks/events.js';
import { badRequest, httpError, json, jsonResponse } from '../http/response.js';
import { type UrlContext, urlIn, type UrlOf } from '../http/addresses.js';
import { type LoggedExchange, TooManyWaits } from '../http/request-log.js';
import { FilterError, findDeliveries, type RequestQuery } from './queries.js';

interface RequestsContext extends UrlContext { readonly version: string }

/** JSON, curl commands or HAR. With `wait`, responds as soon as a request matches. @throws HttpError */
export const requestsResponse = async (
  request: HttpRequest, find: (query: RequestQuery) => Promise<readonly LoggedExchange[]>, context: RequestsContext,
): Promise<HttpResponse> => {
  const { format = 'json', wait, ...filter } = readParameters(request,
    ['method', 'path', 'status', 'world', 'since', 'wait', 'format']);
  const write = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!write) throw badRequest(`invalid format: use ${Object.keys(formats).join(', ')}`);
  const query = { ...filter, timeout: timeoutOf(wait), signal: request.signal };
  return write(await find(query).catch(rejectQuery), context);
};

const readParameters = ({ target }: HttpRequest, names: readonly string[]): Record<string, string> => {
  const parameters = Object.fromEntries(new URLSearchParams(splitTarget(target)[1]));
  const unknown = Object.keys(parameters).find((name) => !names.includes(name));
  if (unknown === undefined) return parameters;
  throw badRequest(`unknown parameter ${JSON.stringify(unknown.slice(0, 100))}: use ${names.join(', ')}`);
};

const rejectQuery = (error: unknown): never => {
  if (error instanceof FilterError) throw badRequest(error.message);
  if (error instanceof TooManyWaits) throw httpError(503, `503 Service Unavailable - ${error.message}`);
  throw error;
};

const maxWait = 300;

const timeoutOf = (wait = '0'): number => {
  const seconds = /^\d{1,3}(\.\d{1,3})?$/.test(wait) ? Number(wait) : NaN;
  if (seconds <= maxWait) return seconds * 1_000;
  throw badRequest(`invalid wait: use seconds from 0 to ${maxWait}`);
};

const formats: Readonly<Record<
  string, (requests: readonly LoggedExchange[], context: RequestsContext) => HttpResponse
>> = {
  json: (requests) => jsonResponse(200, json(requests)),
  har: (requests, context) => jsonResponse(200, json(harOf(requests, urlIn(context), context.version))),
  curl: (requests, context) => ({
    status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: curlText(requests, urlIn(context)),
  }),
};

export const deliveriesResponse = async (request: HttpRequest, hooks: Hooks): Promise<HttpResponse> => {
  const { event, wait, ...numbers } = readParameters(request, ['hook', 'event', 'status', 'after', 'wait']);
  const query = Object.fromEntries(Object.entries(numbers).map(([name, text]) =>
    [name, text === 'null' ? null : /^\d{1,15}$/.test(text) ? Number(text) : text]));
  const ofEvent = event === undefined ? {} : { event: event as EventKind };
  const found = findDeliveries(hooks, { ...query, ...ofEvent, timeout: timeoutOf(wait), signal: request.signal });
  return jsonResponse(200, json(await found.catch(rejectQuery)));
};

/** Secrets stay redacted, and a comment marks truncated bodies. */
export const curlText = (requests: readonly LoggedExchange[], urlOf: UrlOf): string =>
  requests.map((request) => `${commandFor(request, urlOf(request))}\n`).join('');

const commandFor = ({ method, headers, body, isTruncated }: LoggedExchange, url: string): string => {
  const given = Object.entries(headers).filter(([name]) => !madeByCurl.has(name));
  const command = [
    // Without --globoff, curl expands brackets and braces.
    'curl', '--globoff', ...method === 'HEAD' ? ['--head'] : ['-X', shellWord(method)], shellWord(url),
    ...given.flatMap(([name, value]) => ['-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`)]),
    ...(body === '' ? [] : ['--data-raw', shellWord(body)]),
  ].join(' ');
  return isTruncated ? `# the body is truncated\n${command}` : command;
};

/** curl sends these itself, or they belong to one connection. */
const madeByCurl = new Set([
  'host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive',
]);

/** HAR 1.2, as the developer tools of browsers read it. Secrets stay redacted. @param version of Colloquy */
const harOf = (requests: readonly LoggedExchange[], urlOf: UrlOf, version: string) => ({
  log: {
    version: '1.2', creator: { name: 'colloquy', version },
    entries: requests.map((each) => entry(each, urlOf(each))),
  },
});

/** The log has the time of the response; an archive has that of the request. */
const entry = (exchange: LoggedExchange, url: string): object => ({
  startedDateTime: new Date(Date.parse(exchange.time) - exchange.duration).toISOString(),
  time: exchange.duration,
  request: requestEntry(exchange, url),
  response: responseEntry(exchange),
  cache: {},
  timings: { send: 0, wait: exchange.duration, receive: 0 },
  ...commentOf(exchange),
});

const requestEntry = ({ method, target, headers, body, isTruncated }: LoggedExchange, url: string): object => ({
  method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: pairs(headers),
  queryString: [...new URLSearchParams(splitTarget(target)[1])].map(([name, value]) => ({ name, value })),
  ...(body !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
  headersSize: -1, bodySize: isTruncated ? -1 : Buffer.byteLength(body),
});

/** A whole body has the size that it has without secrets. */
const responseEntry = ({ status, response }: LoggedExchange): object => {
  const { headers, body, isTruncated } = response;
  const isWhole = body !== null && !isTruncated;
  const size = isWhole ? Buffer.byteLength(body) : response.size;
  return {
    status, statusText: STATUS_CODES[status] ?? '', httpVersion: 'HTTP/1.1', cookies: [], headers: pairs(headers),
    content: { size, mimeType: headers['content-type'] ?? '', ...(body !== null && { text: body }) },
    redirectURL: headers['location'] ?? '', headersSize: -1, bodySize: isWhole ? size : -1,
  };
};

const pairs = (headers: Readonly<Record<string, string>>): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const commentOf = ({ isTruncated, response }: LoggedExchange): object => {
  const parts = [isTruncated && 'request', response.isTruncated && 'response'].filter(Boolean);
  return parts.length === 0 ? {} : { comment: `truncated: body of the ${parts.join(' and of the ')}` };
};
