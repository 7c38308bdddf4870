import type { Endpoint } from '../contract/endpoint.js';
import { isUnknownRoute } from '../wire/error-body.js';
import type { HttpResponse } from '../wire/http.js';
import { bodyOf } from './response/read.js';

/** Remembers which of an endpoint's paths a service knows. A Map will do; a caller may keep it between runs. */
export interface Routes {
  get(key: string): string | undefined;
  set(key: string, path: string): unknown;
}

/** The key of an endpoint's entry: the service's base URL, the verb and the documented path. */
export const routeKey = (base: string, endpoint: Endpoint): string => `${base} ${endpoint.method} ${endpoint.paths[0]}`;

/**
 * Tries an endpoint's paths in turn as long as the service does not know the path itself (wire-facts 1.5, 7.1, 7.15),
 * starting with the one that is remembered. Where all are unknown, the first answer stands.
 * @param send makes and sends the request on one path
 */
export const onKnownPath = async <R extends { readonly response: HttpResponse }>(
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
