import type { Client } from '../../src/client/methods.js';
import type { MethodOf, MethodsOf } from '../../src/client/client.js';
import type { appearance } from '../../src/contract/appearance.js';
import type { Contract } from '../../src/contract/derived/operations.js';
import type { discussions } from '../../src/contract/discussions.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import type { epics } from '../../src/contract/epics.js';
import type { discussionNotes, lookups, notes } from '../../src/contract/lookups/lookups.js';

/** The contract as declared, with the exact type of every shape. The compiler rejects this file if a derived type differs. */
interface Declared {
  readonly discussions: typeof discussions;
  readonly appearance: typeof appearance;
  readonly epics: typeof epics;
  readonly lookups: typeof lookups;
  readonly notes: typeof notes;
  readonly discussionNotes: typeof discussionNotes;
}

type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

type SameMethod<A, B> = A extends (params: infer P, options?: infer O) => infer R
  ? B extends (params: infer Q, options?: infer N) => infer S ? Same<[P, O, R], [Q, N, S]> : false : false;

/** The names of the endpoints whose methods differ from those of a tree, or that it lacks. */
type Differing<E, M, Prefix extends string = ''> = {
  [K in keyof E & string]: K extends keyof M
    ? E[K] extends Endpoint
      ? SameMethod<MethodOf<E[K]>, M[K]> extends true ? never : `${Prefix}${K}`
      : Differing<E[K], M[K], `${Prefix}${K}.`> | Exclude<keyof M[K], keyof E[K]>
    : `${Prefix}${K}`
}[keyof E & string];

type None<T extends never> = T;

export type DifferingMethods = None<Differing<Declared, Client> | Exclude<keyof Client, keyof Declared>>;
export type DifferingEndpoints = None<Differing<Declared, MethodsOf<Contract>>>;
