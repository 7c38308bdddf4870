import { apiPrefix } from '../contract/conventions.js';
import { pathNames, type Endpoint } from '../contract/endpoint.js';
import { encode } from '../wire/encode.js';
import { isUnknownRoute } from '../wire/error-body.js';
import type { Params } from '../wire/forms.js';
import type { HttpResponse } from '../wire/http.js';
import type { RawList } from '../wire/raw-list.js';
import { readBaseUrl } from './base-url.js';
import type { RepeatedRequest, RepeatingTransport } from './middleware/retry.js';
import type { ClientOptions, Routes } from './options.js';
import { bodyOf, readRawList, readResponse, type Exchange } from './response.js';

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

/** Parameters of the link override the caller's, except for path parameters. */
export const nextParams = (endpoint: Endpoint, params: Params): (next: Params) => Params => {
  const inPath = new Set(endpoint.paths.flatMap(pathNames));
  return (next) => ({ ...params, ...Object.fromEntries(Object.entries(next).filter(([name]) => !inPath.has(name))) });
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
