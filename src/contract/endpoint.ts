import type { TSchema } from './schema.js';

/** One parameter of an endpoint: a path parameter if the path contains its name, else a request parameter. */
export interface Parameter<S extends TSchema = TSchema, R extends boolean = boolean> {
  /** The JSON Schema of valid values. */
  readonly shape: S;
  /** Whether a request without it is rejected. */
  readonly required: R;
  /** A noun phrase for help, OpenAPI and the reference: lower case, no full stop. */
  readonly text: string;
  /** The name in the documentation, if it differs from the wire name (`issue_iid` for `noteable_id`). */
  readonly documented?: string;
  /** The service version that introduced it. */
  readonly since?: string;
  /** The right that the caller needs in addition to access to the noteable. */
  readonly needs?: 'admin' | 'owner';
  /** The document has it, but the service ignores it (behavior: replies.note-id-ignored, pages.children-whole). */
  readonly unneeded?: true;
  /** The only response format that has the parameter; a server ignores it in the other one. */
  readonly dialect?: Dialect;
  /** Valid values that are rejected: `has a value not allowed` (behavior: pages.zero). */
  readonly except?: readonly unknown[];
  /** Blank text and null are rejected: `is empty` (behavior: errors.blank). */
  readonly notBlank?: true;
}

/** The format of responses: that of the documentation, or of the live service with its additional fields. */
export type Dialect = 'document' | 'live';

type Extra = Omit<Parameter, 'shape' | 'required' | 'text'>;

export const required = <S extends TSchema, X extends Extra>(shape: S, text: string, extra?: X) =>
  ({ shape, text, required: true as const, ...extra });

export const optional = <S extends TSchema, X extends Extra>(shape: S, text: string, extra?: X) =>
  ({ shape, text, required: false as const, ...extra });

/** One operation of the service. */
export interface Endpoint {
  /** The HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v4`, with parameters as `:name`. A client tries the others if a service does not know the first. */
  readonly paths: readonly [string, ...string[]];
  /**
   * Those of the paths that a live service does not have (behavior: threads.commit-path, threads.commit-path-unknown,
   * epics.assign-parameter, epics.assign-without-title).
   */
  readonly documentedOnly?: readonly string[];
  /** What the operation does: an imperative fragment, without a full stop. */
  readonly summary: string;
  /** The parameters by name, those of the path included. */
  readonly params: Readonly<Record<string, Parameter>>;
  /** The names of parameters in a client, by those on the wire. A client takes the latter too, as old names. */
  readonly clientNames?: Readonly<Record<string, string>>;
  /** Exactly one of these parameters is required. */
  readonly exactlyOneOf?: readonly string[];
  /** At most one parameter of each pair can be given. */
  readonly exclusive?: readonly (readonly [string, string])[];
  /** Filters of the service that the test server does not have, and rejects (behavior: lookups.unserved-filters). */
  readonly unservedFilters?: readonly string[];
  /** The shape of the result; null if there is none. For a paged list: the shape of the array. */
  readonly returns: TSchema | null;
  /** The status of a success (behavior: requests.created, requests.deleted). */
  readonly status: 200 | 201 | 204;
  /**
   * The shape of the response with status 202, to a text of quick actions alone (behavior: notes.quick-actions-alone).
   */
  readonly accepted?: TSchema;
  /** The result is a list that the service sends in pages. */
  readonly paged?: true;
  /** The body of the response is the text itself, not JSON. */
  readonly raw?: true;
  /** The service version that introduced it. */
  readonly since?: string;
  /** The right that the caller needs in addition to access to the noteable. */
  readonly needs?: 'admin' | 'owner';
  /** The operation is not in the documentation (behavior: requests.companions). */
  readonly companion?: true;
}

/** A JSON Schema of values of a type. */
export type SchemaOf<T> = TSchema & {
  /** The type of valid values, for the compiler alone. */
  readonly static: T;
};

/** An endpoint with parameters and a result of these types; `R` is undefined if it has no result. */
export interface Operation<P, R> extends Endpoint {
  /** Parameters with values of the types in `P`. */
  readonly params: {
    readonly [K in keyof P]-?:
      Parameter<SchemaOf<Exclude<P[K], undefined>>, Record<never, never> extends Pick<P, K> ? false : true>
  };
  /** A JSON Schema for `R`; null if there is no result. */
  readonly returns: [R] extends [undefined] ? null : SchemaOf<R>;
}

/** An endpoint that may respond with 202 and a value of type `A` instead of its result. */
export interface AcceptingOperation<P, R, A> extends Operation<P, R> {
  /** A JSON Schema for `A`. */
  readonly accepted: SchemaOf<A>;
}

/** An endpoint that returns pages of items of this type. */
export interface ListOperation<P, I> extends Operation<P, I[]> { readonly paged: true }

/** An endpoint whose response is a text, not JSON. */
export interface RawOperation<P> extends Operation<P, string> { readonly raw: true }

/** An endpoint with `N` as the names in a client. */
export type Renamed<E extends Endpoint, N> = Omit<E, 'clientNames'> & {
  /** The names of parameters in a client, by those on the wire. */
  readonly clientNames: N;
};

/** The parameters of an endpoint, by their names in a client. One that has an old name may have that instead. */
export type ParamsOf<E extends Endpoint> = E extends Renamed<Endpoint, infer N extends Readonly<Record<string, string>>>
  ? Omit<WireParamsOf<E>, keyof N> & (Pick<WireParamsOf<E>, keyof N & keyof WireParamsOf<E>>
    | { [K in keyof N as N[K]]: WireParamsOf<E>[K & keyof WireParamsOf<E>] })
  : WireParamsOf<E>;

/** The parameters of an endpoint, by their names on the wire. */
export type WireParamsOf<E extends Endpoint> = {
  [K in keyof E['params'] as E['params'][K] extends Parameter<TSchema, true> ? K : never]:
    E['params'][K]['shape']['static']
} & {
  [K in keyof E['params'] as E['params'][K] extends Parameter<TSchema, false> ? K : never]?:
    E['params'][K]['shape']['static'] | undefined
};

/** The result of an endpoint; undefined if it has none. */
export type ResultOf<E extends Endpoint> = E['returns'] extends TSchema ? E['returns']['static'] : undefined;

/** An item of the pages of an endpoint. */
export type ItemOf<E extends Endpoint> = ResultOf<E> extends readonly (infer I)[] ? I : never;

const namesByPath = new Map<string, readonly string[]>();

/** @param path one of the contract: its names are kept */
export const pathNames = (path: string): readonly string[] => {
  const known = namesByPath.get(path);
  if (known !== undefined) return known;
  const names = [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!);
  namesByPath.set(path, names);
  return names;
};

/** The names that a client takes for the parameters of a path. */
export const pathNamesInClient = (
  path: string, { clientNames }: Pick<Endpoint, 'clientNames'>,
): readonly string[] => {
  const names = pathNames(path);
  return clientNames === undefined ? names : [...names.flatMap((name) => clientNames[name] ?? []), ...names];
};

/** A file in a multipart form. */
export interface Upload {
  /** The name under which the service stores the file. */
  readonly filename: string;
  /** The media type according to the sender; the server detects it from the content. */
  readonly content_type?: string;
  /** The content of the file, whole. */
  readonly bytes: Uint8Array;
}
