import type { Static, TSchema } from '@sinclair/typebox';

/** Who may use something beyond plain access to the noteable. */
export type Right = 'admin' | 'owner';

/** One parameter of an endpoint. It travels in the path where the path names it, else as a request parameter. */
export interface Parameter<S extends TSchema = TSchema, R extends boolean = boolean> {
  readonly shape: S;
  readonly required: R;
  /** A fragment for help, OpenAPI and README: lower case first letter, no full stop. */
  readonly text: string;
  /** The name interface.md uses where it differs from the wire's own (`issue_iid` for `noteable_id`). */
  readonly documented?: string;
  /** The service version that introduced it. */
  readonly since?: string;
  readonly needs?: Right;
  /** The document calls it required and the service neither demands nor reads it (wire-facts 4.8.6). */
  readonly unneeded?: true;
  /** The dialect that has it, where the other does not: a server ignores it there. */
  readonly dialect?: Dialect;
  /** Values that convert well and are refused all the same: `has a value not allowed` (wire-facts 2.2). */
  readonly except?: readonly unknown[];
  /** Blank text and null are refused: `is empty` (wire-facts 2.2). */
  readonly notBlank?: true;
}

/**
 * Which shapes a service speaks: those of interface.md, or those of the live service (wire-facts, section 7) with the
 * fields it has beside them.
 */
export type Dialect = 'document' | 'live';

type Extra = Omit<Parameter, 'shape' | 'required' | 'text'>;

/** A parameter that must be given. */
export const required = <S extends TSchema, X extends Extra>(shape: S, text: string, extra?: X) =>
  ({ shape, text, required: true as const, ...extra });

/** A parameter that may be left out. */
export const optional = <S extends TSchema, X extends Extra>(shape: S, text: string, extra?: X) =>
  ({ shape, text, required: false as const, ...extra });

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the service, as data. */
export interface Endpoint {
  readonly method: Method;
  /**
   * Paths below `/api/v4`, parameters as `:name`. The first is the one to call; the others mean the same, and a client
   * tries them in turn where a service does not know the first.
   */
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly params: Readonly<Record<string, Parameter>>;
  /** Of these parameters one is to be given, not none and not two. */
  readonly exactlyOneOf?: readonly string[];
  /** The answer's shape; null where there is none. For a paged list: the shape of the array. */
  readonly returns: TSchema | null;
  readonly status: 200 | 201 | 204;
  readonly paged?: true;
  readonly since?: string;
  readonly needs?: Right;
  /** Where the operation stands: in interface.md, or beside it (design: companion endpoints). */
  readonly companion?: true;
}

/** Keeps the exact type of a leaf while checking that it is one. */
export const endpoint = <const E extends Endpoint>(leaf: E): E => leaf;

type Given<P> = { [K in keyof P as P[K] extends Parameter<TSchema, true> ? K : never]: Shape<P[K]> };
type Left<P> = { [K in keyof P as P[K] extends Parameter<TSchema, false> ? K : never]?: Shape<P[K]> | undefined };
type Shape<P> = P extends Parameter<infer S> ? Static<S> : never;

/** What a caller hands to an endpoint. */
export type ParamsOf<E extends Endpoint> = Given<E['params']> & Left<E['params']>;

/** What the endpoint answers. */
export type ResultOf<E extends Endpoint> = E['returns'] extends TSchema ? Static<E['returns']> : undefined;

/** The element type of a paged answer. */
export type ItemOf<E extends Endpoint> = ResultOf<E> extends readonly (infer I)[] ? I : never;

/** The names of the parameters in a path, in order. */
export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!);

/** A file on its way to the service or arriving there: what the form part carried. */
export interface Upload {
  readonly filename: string;
  /** The media type that the sender claims; the server types files by content. */
  readonly content_type?: string;
  readonly bytes: Uint8Array;
}

/** Whether a value is a file. Its bytes decide: a JSON hash may have any keys, but never bytes. */
export const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
