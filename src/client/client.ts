import { contract, isEndpoint, type Contract, type EndpointTree } from '../contract/contract.js';
import type { Endpoint, ItemOf, ParamsOf, ResultOf } from '../contract/endpoint.js';
import type { Hash } from '../wire/brackets.js';
import type { Encoding } from '../wire/encode.js';
import type { Transport } from '../wire/http.js';
import type { Pages } from './pages.js';

/** What a single call may set for itself. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A method for one endpoint: parameters in, typed answer out; a paged list gives its pages. */
export type MethodOf<E extends Endpoint> = E extends { readonly paged: true }
  ? (params: ParamsOf<E>, options?: CallOptions) => Pages<ItemOf<E>>
  : (params: ParamsOf<E>, options?: CallOptions) => Promise<ResultOf<E>>;

/** A tree of methods in the shape of a tree of endpoints. */
export type MethodsOf<T> = { readonly [K in keyof T]: T[K] extends Endpoint ? MethodOf<T[K]> : MethodsOf<T[K]> };

/** One typed method for every operation of the contract. */
export type Client = MethodsOf<Contract>;
