import type { Dialect } from './endpoint.js';
import type { Tier } from './versions.js';

/** What differs on an instance, by the id of the fact that says so. */
export interface Deviation { readonly fact: string }

/** A header that has another value. */
export interface HeaderDeviation extends Deviation {
  readonly header: string;
  /** Only where it would have this value; whatever it would be if undefined. */
  readonly when?: string;
  /** Only in responses with this status. */
  readonly status?: number;
  /** Left out if undefined. */
  readonly value?: string;
}

/** An error that has another status or body. */
export interface ErrorDeviation extends Deviation {
  /** The error that it stands for, by its status and one of the texts. */
  readonly when: { readonly status: number; readonly error?: string; readonly message?: string };
  /** Method and path, with `*` for ids; all if undefined. */
  readonly on?: string;
  readonly status: number;
  /** That of the error if undefined. */
  readonly body?: object;
}

/** An operation that always fails. */
export interface OperationDeviation extends Deviation {
  readonly on: string;
  readonly status: number;
  readonly body?: object;
}

/** Keys that objects lack. */
export interface KeysDeviation extends Deviation {
  readonly without: readonly string[];
  /** The other keys, by which such objects are recognized. */
  readonly among: readonly string[];
}

/** An instance as `conformance --save` describes it, for `serve --like`. */
export interface Imitation {
  readonly dialect?: Dialect;
  readonly service_version?: string;
  readonly tier?: Tier;
  readonly per_page?: { readonly default?: number; readonly max?: number };
  readonly headers?: readonly HeaderDeviation[];
  readonly errors?: readonly ErrorDeviation[];
  readonly operations?: readonly OperationDeviation[];
  readonly missing_keys?: readonly KeysDeviation[];
  /** Facts that differ too. */
  readonly not_imitated?: readonly string[];
}
