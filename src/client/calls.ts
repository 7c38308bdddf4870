import { apiPrefix } from '../contract/conventions.js';
import { pathNames, type Endpoint } from '../contract/endpoint.js';
import { encode } from '../wire/encode.js';
import { isUnknownRoute } from '../wire/error-body.js';
import type { Params } from '../wire/forms.js';
import type { HttpResponse, Transport } from '../wire/http.js';
import type { RawList } from '../wire/raw-list.js';
import { readBaseUrl } from './base-url.js';
import type { ClientOptions, Routes } from './options.js';
import { bodyOf, readRawList, readResponse, type Exchange } from './response.js';

/** An answer that may be read, with the exchange that brought it. */
export interface CallResult {
  readonly exchange: Exchange;
  readonly read: () => unknown;
  /** The items of a list as they were written; null where they have to be read. */
  readonly raw: () => RawList | null;
}

/** Calls one endpoint once. */
export type Call = (endpoint: Endpoint, params: Params, signal?: AbortSignal) => Promise<CallResult>;

/** Calls over a transport. */
export const createCall = (transport: Transport, options: ClientOptions): Call => {
  const { encoding, check } = options;
  const base = readBaseUrl(options.url).href;
  const routes: Routes = options.routes ?? new Map<string, string>();
  return async (endpoint, params, signal) => {
    const exchange = await withKnownPath(endpoint, base, routes, async (path) => {
      const request = encode(endpoint, params, path, encoding);
      return { request, response: await transport(request, signal) };
    });
    const read = () => {
      const answer = readResponse(endpoint, exchange, base + apiPrefix, options.strict);
      check?.(endpoint, answer, exchange.request);
      return answer;
    };
    return { exchange, read, raw: () => readRawList(endpoint, exchange, base + apiPrefix, options.strict) };
  };
};

/** The parameters of a followed page: its own, then the caller's, with what stands in paths always the caller's. */
export const nextParams = (endpoint: Endpoint, params: Params): (next: Params) => Params => {
  const inPath = new Set(endpoint.paths.flatMap(pathNames));
  return (next) => ({ ...params, ...Object.fromEntries(Object.entries(next).filter(([name]) => !inPath.has(name))) });
};

/** The key of an endpoint's entry: the service's base URL, the verb and the documented path. */
export const routeKey = (base: string, endpoint: Endpoint): string => `${base} ${endpoint.method} ${endpoint.paths[0]}`;

/**
 * Tries an endpoint's paths in turn as long as the service does not know the path itself (wire-facts 1.5, 7.1, 7.15),
 * starting with the one that is remembered. Where all are unknown, the first answer stands.
 * @param send makes and sends the request on one path
 */
export const withKnownPath = async <R extends { readonly response: HttpResponse }>(
  endpoint: Endpoint, base: string, routes: Routes, send: (path: string) => Promise<R>,
): Promise<R> => {
  if (endpoint.paths.length === 1) return send(endpoint.paths[0]);
  const key = routeKey(base, endpoint);
  const [first, ...others] = inOrder(endpoint.paths, routes.get(key));
  const answer = await send(first!);
  if (isKnown(answer.response)) return answer;
  for (const path of others) {
    const other = await send(path);
    if (!isKnown(other.response)) continue;
    routes.set(key, path);
    return other;
  }
  return answer;
};

const isKnown = (response: HttpResponse): boolean => response.status !== 404 || !isUnknownRoute(404, bodyOf(response));

const inOrder = (paths: readonly string[], known: string | undefined): readonly string[] =>
  known !== undefined && paths.includes(known) ? [known, ...paths.filter((path) => path !== known)] : paths;
