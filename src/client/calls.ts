import { apiPrefix, identityHeaders, oauthParameter, tokenParameter } from '../contract/conventions.js';
import { type Endpoint, pathNamesInClient } from '../contract/endpoint.js';
import { encode, UnusablePathValue } from '../wire/encode.js';
import { isUnknownRoute } from '../wire/error-response.js';
import { type HttpRequest, type HttpResponse, type Params, toPairsWithLists, type Transport } from '../wire/http.js';
import { hasContent, typeName } from '../wire/json.js';
import { checkOptions, kinds, type Names, type OptionKind, parameterProblem } from '../wire/options.js';
import { type RawList, rawList } from '../wire/raw-list.js';
import { anySignal } from '../wire/time.js';
import { apiUrl, type BaseUrl, partBelowApi, readBaseUrl } from './base-url.js';
import type { Requests } from './method-of.js';
import { type CallOptions, checkCallOptions, type ClientOptions, type RequestOptions, type Routes } from './options.js';
import { responseItems, readPage } from './page.js';
import { createPages, type FetchedPage, type Items, type Pages } from './pages.js';
import {
  parsedBody, type Exchange, readJson, readRawList, readResponse, rejectOther, type Shape,
} from './response.js';
import type { Handling, RepeatingTransport } from './retry.js';

export interface CallResult {
  readonly exchange: Exchange;
  readonly read: () => unknown;
  readonly raw: () => RawList | null;
}

/** Calls one endpoint once. @param handling what the caller does itself instead of the loop that repeats requests */
export type Call = (
  endpoint: Endpoint, params: Params, signal?: AbortSignal, handling?: Omit<Handling, 'read'>,
) => Promise<CallResult>;

/** @param complete changes each result before anybody reads it */
export const createCall = (
  transport: RepeatingTransport, options: ClientOptions,
  complete = (_endpoint: Endpoint, result: CallResult): CallResult => result,
): Call => {
  const { encoding, check, strict } = options;
  const base = readBaseUrl(options.url).href;
  const api = base + apiPrefix;
  const routes: Routes = options.routes ?? new Map<string, string>();
  const callResult = (endpoint: Endpoint, params: Params, exchange: Exchange) => readOnce(complete(endpoint, {
    exchange,
    read: () => {
      const result = readResponse(endpoint, exchange, api, strict);
      rejectOther(endpoint, params, exchange, result);
      check?.(endpoint, result, exchange.request);
      return result;
    },
    raw: () => readRawList(endpoint, exchange, api, strict),
  }));
  return async (endpoint, params, signal, handling) => {
    const { result } = await withKnownPath(endpoint, base, routes, async (path) => {
      const request = await encode(endpoint, params, path, encoding);
      const { body } = params;
      const text = endpoint.accepted && typeof body === 'string' ? body : undefined;
      let last: CallResult | null = null;
      const resultOf = (response: HttpResponse): CallResult => {
        if (last?.exchange.response !== response) last = callResult(endpoint, params, { request, response, text });
        return last;
      };
      const response = await transport(request, signal, {
        ...handling, read: (received) => { resultOf(received).read(); },
      });
      return { response, result: resultOf(response) };
    });
    return result;
  };
};

const readOnce = (result: CallResult): CallResult => {
  let value: { readonly known: unknown } | undefined;
  return { ...result, read: () => (value ??= { known: result.read() }).known };
};

/**
 * Rejects misspelled names: the service ignores them, and a note with a misspelled `internal` would be public. The
 * result throws a TypeError.
 */
export const callCheck = (endpoint: Endpoint): (params: Params, options: CallOptions) => void => {
  let names: Names | undefined;
  return (params, options) => {
    checkCallOptions(options, createsNote(endpoint));
    names ??= Object.fromEntries([
      ...Object.entries(endpoint.params).map(([name, { shape }]) => [name, namesIn(shape)]),
      ...endpoint.paths.flatMap((path) => pathNamesInClient(path, endpoint)).map((name) => [name, {}]),
    ]) as Names;
    const problem = parameterProblem(params, names);
    if (problem !== null) throw new TypeError(problem);
  };
};

export const createsNote = ({ method, params }: Endpoint): boolean => method === 'POST' && 'body' in params;

const namesIn = ({ properties = {}, anyOf = [] }: Shape): Names => Object.assign(
  Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, namesIn(shape)])), ...anyOf.map(namesIn),
) as Names;

/**
 * A caller may change what it gave before the call is over. A Date becomes its text, as in JSON.
 * @throws TypeError for values that JSON and queries would send without their content, such as a Set or a form
 */
export const copyOf = <T>(value: T, name = ''): T => {
  if (value === undefined || value === null || ArrayBuffer.isView(value)) return value;
  const sent: unknown = hasJson(value) ? value.toJSON() : value;
  if (['string', 'number', 'boolean', 'bigint'].includes(typeof sent)) return sent as T;
  if (Array.isArray(sent)) return sent.map((item: unknown) => copyOf(item, `${name}[]`)) as T;
  if (!hasContent(sent)) {
    const hint = 'pass a text, a list or a plain object';
    throw new TypeError(`${name || 'the parameters'} cannot be sent (${typeName(value)}); ${hint}`);
  }
  return Object.fromEntries(Object.entries(sent).map(([key, part]) =>
    [key, copyOf<unknown>(part, name === '' ? key : `${name}.${key}`)])) as T;
};

const hasJson = (value: unknown): value is { readonly toJSON: () => unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function';

export const routeKey = (base: string, endpoint: Endpoint): string => `${base} ${endpoint.method} ${endpoint.paths[0]}`;

/**
 * Tries paths until the service knows one (behavior: errors.unknown-route, threads.commit-repository-path). If it knows
 * none: the first response.
 */
export const withKnownPath = async <R extends { readonly response: HttpResponse }>(
  endpoint: Endpoint, base: string, routes: Routes, send: (path: string) => Promise<R>,
): Promise<R> => {
  if (endpoint.paths.length === 1) return send(endpoint.paths[0]);
  const key = routeKey(base, endpoint);
  const [first, ...others] = inOrder(endpoint.paths, routes.get(key));
  const exchange = await send(first!);
  if (isKnown(exchange.response)) return exchange;
  for (const path of others) {
    const other = await send(path);
    if (!isKnown(other.response)) continue;
    routes.set(key, path);
    return other;
  }
  return exchange;
};

const isKnown = (response: HttpResponse): boolean =>
  response.status !== 404 || !isUnknownRoute(404, parsedBody(response));

const inOrder = (paths: readonly string[], known: string | undefined): readonly string[] =>
  known !== undefined && paths.includes(known) ? [known, ...paths.filter((path) => path !== known)] : paths;

export const listMethod = (
  endpoint: Endpoint, call: Call, options: Pick<ClientOptions, 'perPage' | 'pagesAtOnce' | 'onEvent' | 'signal'>,
) => {
  const check = callCheck(endpoint);
  return (params: Params = {}, given: CallOptions = {}) => {
    check(params, given);
    const { perPage = 100, pagesAtOnce = 25, onEvent } = options;
    const first: Params = { ...copyOf(params), per_page: params['per_page'] ?? perPage };
    const withNext = nextParams(endpoint, first);
    return createPages(async (next, either) => {
      const requested = next === null ? first : withNext(next);
      const result = await call(endpoint, requested, either);
      const { exchange } = result;
      const pageOf = <I extends Items>(items: I): FetchedPage<I> => readPage(exchange, items, requested, onEvent);
      const read = () => responseItems(exchange, result.read());
      return {
        read: () => pageOf(read()),
        raw: () => {
          // All items of the first page are checked, to find out whether this is the API at all.
          const items = next === null ? read() : null;
          return pageOf(result.raw() ?? rawList(items ?? read()));
        },
      };
    }, pagesAtOnce, anySignal(options.signal, given.signal));
  };
};

/** Parameters of the link override the caller's, except for path parameters. */
const nextParams = (endpoint: Endpoint, params: Params): (next: Params) => Params => {
  const inPath = new Set(endpoint.paths.flatMap((path) => pathNamesInClient(path, endpoint)));
  return (next) => ({ ...params, ...Object.fromEntries(Object.entries(next).filter(([name]) => !inPath.has(name))) });
};

const listKinds = {
  query: kinds.object, headers: kinds.object, signal: kinds.signal,
} satisfies Record<keyof Omit<RequestOptions, 'body'>, OptionKind>;

const requestKinds = { body: kinds.any, ...listKinds };

export const requestsOver = (transport: Transport, options: ClientOptions): Requests => {
  const base = readBaseUrl(options.url);
  const api = base.href + apiPrefix;
  return {
    request: async <T>(method: string, path: string, given: RequestOptions = {}) => {
      checkOptions(given, requestKinds);
      const request = requestFor(base, method, path, given);
      const response = await transport(request, anySignal(options.signal, given.signal));
      return readJson({ request, response }, api) as T;
    },
    requestPages: <T>(path: string, received: Omit<RequestOptions, 'body'> = {}): Pages<T> => {
      checkOptions(received, listKinds);
      const given = { ...received, headers: { ...received.headers } };
      const first = { per_page: options.perPage ?? 100, ...copyOf(received.query, 'query') };
      return createPages<T>(async (next, signal) => {
        const query = next === null ? first : { ...first, ...next };
        const request = requestFor(base, 'GET', path, { ...given, query });
        const exchange = { request, response: await transport(request, signal) };
        const pageOf = <I extends Items>(items: I): FetchedPage<I> => readPage(exchange, items, query, options.onEvent);
        const read = () => responseItems(exchange, readJson(exchange, api)) as readonly T[];
        return { read: () => pageOf(read()), raw: () => pageOf(rawList(read())) };
      }, 1, anySignal(options.signal, given.signal));
    },
  };
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @throws UnusablePathValue, TypeError */
const requestFor = (base: BaseUrl, method: string, path: string, given: RequestOptions): HttpRequest => {
  const verb = String(method).toUpperCase();
  if (!methods.includes(verb)) throw new TypeError(`unknown method; use ${methods.join(', ')}`);
  const { body, headers } = content(given);
  return { method: verb, target: requestTarget(base, path, given.query), headers, ...body !== undefined && { body } };
};

const content = ({ body, headers: given = {} }: RequestOptions): Pick<HttpRequest, 'headers' | 'body'> => {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const secret = Object.keys(headers).find((name) => identityHeaders.has(name));
  if (secret !== undefined) {
    throw new TypeError(`the header ${secret} cannot be set; pass the token to createClient`);
  }
  const accepting = { accept: 'application/json', ...headers };
  if (body === undefined) return { headers: accepting };
  if (typeof body === 'string' || body instanceof Uint8Array) return { headers: accepting, body };
  if (ArrayBuffer.isView(body)) {
    return { headers: accepting, body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) };
  }
  if (body instanceof ArrayBuffer) return { headers: accepting, body: new Uint8Array(body) };
  const text = JSON.stringify(copyOf(body, 'body'));
  return { headers: { 'content-type': 'application/json', ...accepting }, body: text };
};

const requestTarget = (base: BaseUrl, path: string, query: RequestOptions['query'] = {}): string => {
  const url = apiUrl(base, partBelowApi(base, String(path)));
  for (const [name, value] of toPairsWithLists(copyOf(query, 'query'))) url.searchParams.append(name, value);
  if ([...url.searchParams.keys()].some((name) => secretParameters.has(name))) {
    throw new UnusablePathValue('the query contains a token', 'pass the token to createClient');
  }
  return url.href.slice(base.href.length);
};

const secretParameters = new Set<string>([tokenParameter, oauthParameter]);
