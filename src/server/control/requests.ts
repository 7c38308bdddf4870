import { splitTarget, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { badRequest, httpError, jsonResponse } from '../http/errors.js';
import { json } from '../http/json.js';
import type { LoggedExchange } from '../http/request-log.js';
import { TooManyWaits } from '../http/request-waits.js';
import { curlText } from './request-log/curl.js';
import { FilterError } from './request-log/filter.js';
import { urlIn, type UrlContext } from './request-log/url.js';
import type { RequestQuery } from './request-log/find.js';
import { harOf } from './request-log/har.js';

type FindRequests = (query: RequestQuery) => Promise<readonly LoggedExchange[]>;

interface RequestsContext extends UrlContext { readonly version: string }

/** JSON, curl commands or HAR. With `wait`, responds as soon as a request matches. @throws HttpError */
export const requestsResponse = async (
  request: HttpRequest, find: FindRequests, context: RequestsContext,
): Promise<HttpResponse> => {
  const [, text] = splitTarget(request.target);
  const parameters = Object.fromEntries(new URLSearchParams(text));
  const unknown = Object.keys(parameters).find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw badRequest(`unknown parameter ${JSON.stringify(unknown.slice(0, 100))}: use ${[...names].join(', ')}`);
  }
  const { format = 'json', wait, ...filter } = parameters;
  const write = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!write) throw badRequest(`invalid format: use ${Object.keys(formats).join(', ')}`);
  const query = { ...filter, timeout: wait === undefined ? 0 : secondsIn(wait) * 1_000, signal: request.signal };
  return write(await found(find, query), context);
};

const names = new Set(['method', 'path', 'status', 'world', 'since', 'wait', 'format']);

const found = async (find: FindRequests, query: RequestQuery): Promise<readonly LoggedExchange[]> => {
  try {
    return await find(query);
  } catch (error) {
    if (error instanceof FilterError) throw badRequest(error.message);
    if (error instanceof TooManyWaits) throw httpError(503, `503 Service Unavailable - ${error.message}`);
    throw error;
  }
};

/** In seconds. */
const maxWait = 300;

const secondsIn = (text: string): number => {
  const seconds = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (seconds <= maxWait) return seconds;
  throw badRequest(`invalid wait: use seconds from 0 to ${maxWait}`);
};

type Format = (requests: readonly LoggedExchange[], context: RequestsContext) => HttpResponse;

const formats: Readonly<Record<string, Format>> = {
  json: (requests) => jsonResponse(200, json(requests)),
  har: (requests, context) => jsonResponse(200, json(harOf(requests, urlIn(context), context.version))),
  curl: (requests, context) => ({
    status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: curlText(requests, urlIn(context)),
  }),
};
