import type { Static, TSchema } from '@sinclair/typebox';
import type { Contract } from '../../contract/contract.js';
import type { Dialect, Endpoint, ItemOf, Parameter, ResultOf } from '../../contract/endpoint.js';
import type { Json } from '../http/json.js';
import type { NoteableRow } from '../repositories/noteables.js';
import type { UserRow } from '../repositories/people.js';
import type { WorldReads } from '../repositories/world-reads.js';
import type { Awaitable, Queries } from '../store/database.js';

/** Who makes a call. */
export type Caller = UserRow;

/** What a behaviour may know of a call beside its parameters. */
export interface Call {
  readonly queries: Queries;
  readonly world: WorldReads;
  readonly caller: Caller;
  /**
   * When this change happens, ISO 8601 UTC with milliseconds: the moment it is first asked for, after all waiting for
   * others, so that what is made later has the later time.
   */
  readonly now: string;
  readonly dialect: Dialect;
  /** Fresh random hexadecimal text. */
  readonly hex: (length: number) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** Told of the noteable that the call is about, once it may be read. */
  readonly onNoteable: (noteable: NoteableRow) => void;
  /** The part of a list that is asked for. */
  readonly page: PageAsked;
}

/** Which rows of a list are asked for; `limit` is the page size after its bounds were applied. */
export interface PageAsked { readonly page: number; readonly limit: number; readonly offset: number }

/** One page of a list and how many rows the list has; null for the whole of a list that has no pages. */
export interface PageOf<T> { readonly items: readonly Json<T>[]; readonly rows: number | null }

/**
 * Parameters after conversion. Any of them may be null although it is required: the service counts a key that is
 * there as given (wire-facts 2.3), and what null means is the behaviour's to say.
 */
export type AcceptedOf<E extends Endpoint> =
  { readonly [K in keyof E['params']]:
    E['params'][K] extends Parameter<infer S, infer R> ? Accepted<S> | (R extends true ? never : undefined) : never };
type Accepted<S extends TSchema> = Static<S> | null;

/** What a behaviour answers: JSON text, a page of a list, or nothing. */
export type AnswerOf<E extends Endpoint> = E extends { readonly paged: true } ? PageOf<ItemOf<E>>
  : E['returns'] extends TSchema ? Json<ResultOf<E>> : void;

/** The behaviour of one endpoint. Parameters arrive converted; it says no with a `Refusal`. */
export type OperationHandler<E extends Endpoint> = (params: AcceptedOf<E>, call: Call) => Awaitable<AnswerOf<E>>;

/** One behaviour for every endpoint of a tree: a forgotten one does not compile. */
export type HandlersOf<T> = {
  readonly [K in keyof T]: T[K] extends Endpoint ? OperationHandler<T[K]> : HandlersOf<T[K]>;
};

export type OperationHandlers = HandlersOf<Contract>;
