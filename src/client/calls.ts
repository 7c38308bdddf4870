import { apiPrefix } from '../contract/conventions.js';
import { type Endpoint, pathNames } from '../contract/endpoint.js';
import { encode } from '../wire/encode.js';
import { isUnknownRoute } from '../wire/error-response.js';
import type { Params } from '../wire/forms.js';
import type { HttpResponse } from '../wire/http.js';
import { type RawList, rawList } from '../wire/raw-list.js';
import { anySignal } from '../wire/timers.js';
import { readBaseUrl } from './base-url.js';
import { type CallOptions, checkCallOptions, type ClientOptions, type Routes } from './options.js';
import { itemsOf, readPage } from './page.js';
import { createPages, type FetchedPage, type Items } from './pages.js';
import { bodyOf, type Exchange, readRawList, readResponse } from './response.js';
import type { Handling, RepeatingTransport } from './retry.js';

export interface CallResult {
  readonly exchange: Exchange;
  readonly read: () => unknown;
  /** Null if the items must be parsed. */
  readonly raw: () => RawList | null;
}

/** Calls one endpoint once. @param handling what the caller does itself instead of the loop that repeats requests */
export type Call = (
  endpoint: Endpoint, params: Params, signal?: AbortSignal, handling?: Omit<Handling, 'read'>,
) => Promise<CallResult>;

type Complete = (endpoint: Endpoint, result: CallResult) => CallResult;

/** @param complete changes each result before anybody reads it */
export const createCall = (
  transport: RepeatingTransport, options: ClientOptions, complete: Complete = (_, result) => result,
): Call => {
  const { encoding, check, strict } = options;
  const base = readBaseUrl(options.url).href;
  const api = base + apiPrefix;
  const routes: Routes = options.routes ?? new Map<string, string>();
  const resultOf = (endpoint: Endpoint, exchange: Exchange): CallResult => readOnce(complete(endpoint, {
    exchange,
    read: () => {
      const result = readResponse(endpoint, exchange, api, strict);
      check?.(endpoint, result, exchange.request);
      return result;
    },
    raw: () => readRawList(endpoint, exchange, api, strict),
  }));
  return async (endpoint, params, signal, handling) => {
    const { result } = await withKnownPath(endpoint, base, routes, async (path) => {
      const request = await encode(endpoint, params, path, encoding);
      let last: CallResult | null = null as CallResult | null;
      const read = (received: HttpResponse) => {
        last = resultOf(endpoint, { request, response: received });
        last.read();
      };
      const response = await transport(request, signal, { ...handling, read });
      return { response, result: last ?? resultOf(endpoint, { request, response }) };
    });
    return result;
  };
};

const readOnce = (result: CallResult): CallResult => {
  let value: { readonly known: unknown } | undefined;
  return { ...result, read: () => (value ??= { known: result.read() }).known };
};

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

const isKnown = (response: HttpResponse): boolean => response.status !== 404 || !isUnknownRoute(404, bodyOf(response));

const inOrder = (paths: readonly string[], known: string | undefined): readonly string[] =>
  known !== undefined && paths.includes(known) ? [known, ...paths.filter((path) => path !== known)] : paths;

export const listMethod = (
  endpoint: Endpoint, call: Call, options: Pick<ClientOptions, 'perPage' | 'pagesAtOnce' | 'onEvent' | 'signal'>,
) =>
  (params: Params = {}, given: CallOptions = {}) => {
    checkCallOptions(given);
    const { perPage = 100, pagesAtOnce = 25, onEvent } = options;
    const first = { ...params, per_page: params['per_page'] ?? perPage };
    const withNext = nextParams(endpoint, first);
    return createPages(async (next, either) => {
      const requested = next === null ? first : withNext(next);
      const result = await call(endpoint, requested, either);
      const { exchange } = result;
      const pageOf = <I extends Items>(items: I): FetchedPage<I> => readPage(exchange, items, requested, onEvent);
      const read = () => itemsOf(exchange, result.read());
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

/** Parameters of the link override the caller's, except for path parameters. */
const nextParams = (endpoint: Endpoint, params: Params): (next: Params) => Params => {
  const inPath = new Set(endpoint.paths.flatMap(pathNames));
  return (next) => ({ ...params, ...Object.fromEntries(Object.entries(next).filter(([name]) => !inPath.has(name))) });
};
