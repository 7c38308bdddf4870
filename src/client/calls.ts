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
import type { RepeatedRequest, RepeatingTransport } from './retry.js';

/** Not parsed yet. */
export interface CallResult {
  readonly exchange: Exchange;
  readonly read: () => unknown;
  /** Null if the items must be parsed. */
  readonly raw: () => RawList | null;
}

type Handling = Pick<RepeatedRequest, 'returns429' | 'isSentOnce'>;

/** Calls one endpoint once. @param handling what the caller does itself instead of the transport */
export type Call = (
  endpoint: Endpoint, params: Params, signal?: AbortSignal, handling?: Handling,
) => Promise<CallResult>;

export const createCall = (transport: RepeatingTransport, options: ClientOptions): Call => {
  const { encoding, check } = options;
  const base = readBaseUrl(options.url).href;
  const routes: Routes = options.routes ?? new Map<string, string>();
  return async (endpoint, params, signal, handling) => {
    const exchange = await withKnownPath(endpoint, base, routes, async (path) => {
      const request = await encode(endpoint, params, path, encoding);
      const response = await transport(handling ? { ...request, ...handling } : request, signal);
      return { request, response };
    });
    const read = () => {
      const result = readResponse(endpoint, exchange, base + apiPrefix, options.strict);
      check?.(endpoint, result, exchange.request);
      return result;
    };
    return { exchange, read, raw: () => readRawList(endpoint, exchange, base + apiPrefix, options.strict) };
  };
};

/** The base URL, the method and the documented path. */
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
