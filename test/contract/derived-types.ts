import type { Client } from '../../src/client/methods.js';
import type { MethodOf, MethodsOf } from '../../src/client/client.js';
import type { CallOptions } from '../../src/client/options.js';
import type { appearance } from '../../src/contract/appearance.js';
import type { Contract } from '../../src/contract/derived/operations.js';
import type { discussions } from '../../src/contract/discussions.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import type { epics } from '../../src/contract/epics.js';
import type { discussionNotes, lookups, notes } from '../../src/contract/lookups/lookups.js';
import type { Pages } from '../../src/client/pagination/pages.js';
import type { Same } from '../support/same-type.js';

/** The contract as declared, with the exact type of every shape. The compiler rejects this file if a derived type differs. */
interface Declared {
  readonly discussions: typeof discussions;
  readonly appearance: typeof appearance;
  readonly epics: typeof epics;
  readonly lookups: typeof lookups;
  readonly notes: typeof notes;
  readonly discussionNotes: typeof discussionNotes;
}

/** The data of a method: its parameters, and its result or items. */
type DataOf<M> = M extends (params: infer P, options?: CallOptions) => infer R
  ? [params: P, result: R extends Pages<infer I> ? { items: I } : Awaited<R>] : never;

/** The names of the endpoints whose methods differ from those of a tree, or that it lacks. */
type Differing<E, M, Prefix extends string = ''> = {
  [K in keyof E & string]: K extends keyof M
    ? E[K] extends Endpoint
      ? Same<DataOf<MethodOf<E[K]>>, DataOf<M[K]>> extends true ? never : `${Prefix}${K}`
      : Differing<E[K], M[K], `${Prefix}${K}.`> | Exclude<keyof M[K], keyof E[K]>
    : `${Prefix}${K}`
}[keyof E & string];

type None<T extends never> = T;

export type DifferingMethods = None<Differing<Declared, Client> | Exclude<keyof Client, keyof Declared>>;
export type DifferingEndpoints = None<Differing<Declared, MethodsOf<Contract>>>;
