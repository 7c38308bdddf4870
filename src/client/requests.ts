import { apiPrefix, identityHeaders, oauthParameter, tokenParameter } from '../contract/conventions.js';
import { toPairsWithLists } from '../wire/forms.js';
import type { HttpRequest, Transport } from '../wire/http.js';
import { checkOptions, kinds, type OptionKind } from '../wire/options.js';
import { UnusablePathValue } from '../wire/encode.js';
import { rawList } from '../wire/raw-list.js';
import { anySignal } from '../wire/timers.js';
import { apiUrl, type BaseUrl, partBelowApi, readBaseUrl } from './base-url.js';
import type { ClientOptions } from './options.js';
import { itemsOf, readPage } from './page.js';
import { createPages, type FetchedPage, type Items, type Pages } from './pages.js';
import { readJson } from './response.js';

/** What a request of your own sends beside its path. */
export interface RequestOptions {
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Added to the query of the path: `{ a: { b: 1 }, c: [2] }` is `a[b]=1&c[]=2`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Further headers, but none with a credential. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts the request, or the iteration of a list, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests that no other method has. */
export interface Requests {
  /**
   * Sends a request, with the retries, redirects, events and errors of all methods. The caller states the type of the
   * result, which is not checked: the parsed JSON, or undefined for an empty response.
   * @param path below `/api/v4`, or a whole URL of the service
   */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** The items of a list, page by page. The caller states the type of an item. @param path as for `request` */
  requestPages<T = unknown>(path: string, options?: Omit<RequestOptions, 'body'>): Pages<T>;
}

const listKinds = {
  query: kinds.object, headers: kinds.object, signal: kinds.signal,
} satisfies Record<keyof Omit<RequestOptions, 'body'>, OptionKind>;

const requestKinds = { body: kinds.any, ...listKinds };

type Options = Pick<ClientOptions, 'url' | 'perPage' | 'onEvent' | 'signal'>;

export const requestsOver = (transport: Transport, options: Options): Requests => {
  const base = readBaseUrl(options.url);
  const api = base.href + apiPrefix;
  return {
    request: async <T>(method: string, path: string, given: RequestOptions = {}) => {
      checkOptions(given, requestKinds);
      const request = requestFor(base, method, path, given);
      const response = await transport(request, anySignal(options.signal, given.signal));
      return readJson({ request, response }, api) as T;
    },
    requestPages: <T>(path: string, given: Omit<RequestOptions, 'body'> = {}): Pages<T> => {
      checkOptions(given, listKinds);
      const first = { per_page: options.perPage ?? 100, ...given.query };
      return createPages<T>(async (next, signal) => {
        const query = next === null ? first : { ...first, ...next };
        const request = requestFor(base, 'GET', path, { ...given, query });
        const exchange = { request, response: await transport(request, signal) };
        const pageOf = <I extends Items>(items: I): FetchedPage<I> => readPage(exchange, items, query, options.onEvent);
        const read = () => itemsOf(exchange, readJson(exchange, api)) as readonly T[];
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
  return { method: verb, target: targetOf(base, path, given.query), headers, ...body !== undefined && { body } };
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
  return { headers: { 'content-type': 'application/json', ...accepting }, body: JSON.stringify(body) };
};

/** Relative to the base URL. */
const targetOf = (base: BaseUrl, path: string, query: RequestOptions['query'] = {}): string => {
  const url = apiUrl(base, partBelowApi(base, String(path)));
  for (const [name, value] of toPairsWithLists(query)) url.searchParams.append(name, value);
  if ([...url.searchParams.keys()].some((name) => secretParameters.has(name))) {
    throw new UnusablePathValue('the query contains a token', 'pass the token to createClient');
  }
  return url.href.slice(base.href.length);
};

const secretParameters = new Set<string>([tokenParameter, oauthParameter]);
