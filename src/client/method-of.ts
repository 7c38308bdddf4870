import type { Endpoint, ItemOf, ParamsOf, ResultOf } from '../contract/endpoint.js';
import type { CallOptions } from './options.js';
import type { Pages } from './pages.js';

/** Takes parameters and returns the typed result, or the pages of a list. */
export type MethodOf<E extends Endpoint> = E extends { readonly paged: true }
  ? (params: ParamsOf<E>, options?: CallOptions) => Pages<ItemOf<E>>
  : (params: ParamsOf<E>, options?: CallOptions) => Promise<ResultOf<E>>;

/** The methods for a tree of endpoints, under the same names. */
export type MethodsOf<T> = { readonly [K in keyof T]: T[K] extends Endpoint ? MethodOf<T[K]> : MethodsOf<T[K]> };
