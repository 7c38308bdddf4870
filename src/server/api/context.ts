import type { Edition } from '../../contract/behavior/fact.js';
import type { Contract } from '../../contract/operations.js';
import type { Dialect, Endpoint, ItemOf, Parameter, ResultOf } from '../../contract/endpoint.js';
import type { Static, TSchema } from '../../contract/schema.js';
import type { QuickActions } from '../../contract/shapes/note.js';
import type { HookEvent } from '../hooks/events.js';
import type { HookRules } from '../hooks/rules.js';
import type { HttpError, Json } from '../http/response.js';
import type { Hex } from '../random.js';
import type { NoteableRow } from '../repositories/noteables.js';
import type { UserRow, WorldReads } from '../repositories/world.js';
import type { Awaitable, Queries } from '../store/database.js';

export type Caller = UserRow;

export interface Call {
  readonly queries: Queries;
  readonly world: WorldReads;
  readonly caller: Caller;
  /** ISO 8601 UTC with milliseconds, taken on first use after waiting for locks: later changes have later times. */
  readonly now: string;
  readonly dialect: Dialect;
  readonly edition: Edition;
  readonly quickActions: boolean;
  readonly hex: Hex;
  readonly headers: Readonly<Record<string, string>>;
  readonly unread: readonly string[];
  readonly onNoteable: (noteable: NoteableRow) => void;
  readonly page: PageRequest;
  /** For webhooks, which are called after the commit; costs nothing without them. */
  readonly addEvent: (event: HookEvent) => void;
  readonly hookRules: HookRules;
}

/** `limit` is the page size within its bounds. */
export interface PageRequest { readonly page: number; readonly limit: number; readonly offset: number }

/** `rows` counts all of them; null if the list is not paged. */
export interface PageOf<T> { readonly items: readonly Json<T>[]; readonly rows: number | null }

export const requestedPage = <T>({ page: { offset, limit } }: Pick<Call, 'page'>, all: readonly Json<T>[]): PageOf<T> =>
  ({ items: all.slice(offset, offset + limit), rows: all.length });

/** One after another, as their queries share a transaction. */
export const mapInTurn = async <T, U>(all: readonly T[], work: (one: T) => Awaitable<U>): Promise<U[]> => {
  const results: U[] = [];
  for (const one of all) results.push(await work(one));
  return results;
};

/** @param keyOf what comes first, then what decides among equals */
export const inOrder = <T>(
  all: readonly T[], isAscending: boolean, keyOf: (one: T) => readonly [text: string, id: number],
): T[] => {
  const ascending = all.toSorted((a, b) => {
    const [[text, id], [other, otherId]] = [keyOf(a), keyOf(b)];
    return text < other ? -1 : text > other ? 1 : id - otherId;
  });
  return isAscending ? ascending : ascending.reverse();
};

/** Required ones may be null too: the service treats a key with any value as given (behavior: parameters.null). */
export type HandlerParams<E extends Endpoint> =
  { readonly [K in keyof E['params']]:
    E['params'][K] extends Parameter<infer S, infer R> ? Static<S> | null | (R extends true ? never : undefined)
      : never };

/** Of a text of quick actions alone: the status is 202, and no note is stored (behavior: notes.quick-actions-alone). */
export interface AcceptedActions { readonly accepted: Json<QuickActions> }

/** Unlike an error that is thrown, it leaves what the handler stored. */
export interface PartlyDone { readonly failure: HttpError }

export interface WithHeaders<R extends string> {
  readonly result: R;
  readonly headers: Readonly<Record<string, string>>;
}

type HandlerResult<E extends Endpoint> =
  Result<E> | (E extends { readonly accepted: TSchema } ? AcceptedActions : never);
type Result<E extends Endpoint> = E extends { readonly paged: true } ? PageOf<ItemOf<E>>
  : E['returns'] extends TSchema ? SingleResult<E> | WithHeaders<SingleResult<E>> : PartlyDone | void;
type SingleResult<E extends Endpoint> = E extends { readonly raw: true } ? string : Json<ResultOf<E>>;

export type OperationHandler<E extends Endpoint> =
  (params: HandlerParams<E>, call: Call) => Awaitable<HandlerResult<E>>;

export type HandlersOf<T> = {
  readonly [K in keyof T]: T[K] extends Endpoint ? OperationHandler<T[K]> : HandlersOf<T[K]>;
};

export type HandlerAreas = { readonly [Area in keyof Contract]: () => Promise<HandlersOf<Contract[Area]>> };
