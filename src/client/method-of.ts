import type { Endpoint, ItemOf, ParamsOf, ResultOf } from '../contract/endpoint.js';
import type { CallOptions, RequestOptions } from './options.js';
import type { Pages } from './pages.js';

/** Takes parameters and returns the typed result, or the pages of a list. */
export type MethodOf<E extends Endpoint> = E extends { readonly paged: true }
  ? (...given: MethodArguments<ParamsOf<E>>) => Pages<ItemOf<E>>
  : (...given: MethodArguments<ParamsOf<E>>) => Promise<ResultOf<E>>;

/** The arguments of a method: without parameters if none of them is required. */
export type MethodArguments<P> = Record<never, never> extends P ? [params?: P, options?: CallOptions]
  : [params: P, options?: CallOptions];

/** The methods for a tree of endpoints, under the same names. */
export type MethodsOf<T> = { readonly [K in keyof T]: T[K] extends Endpoint ? MethodOf<T[K]> : MethodsOf<T[K]> };

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
