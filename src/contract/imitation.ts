import type { Dialect } from './endpoint.js';
import type { Tier } from './conventions.js';

/** What differs on an instance, by the id of the fact that says so. */
export interface Deviation {
  /** The id of the fact in docs/behavior.md, such as `pages.default`. */
  readonly fact: string;
}

/** A header that has another value. */
export interface HeaderDeviation extends Deviation {
  /** The name of the header, in any case. */
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
  readonly when: {
    /** The status that the error would have. */
    readonly status: number;
    /** The text of its key `error`. */
    readonly error?: string;
    /** The text of its key `message`. */
    readonly message?: string;
  };
  /** Method and path, with `*` for ids; all if undefined. */
  readonly on?: string;
  /** The status in its place. */
  readonly status: number;
  /** That of the error if undefined. */
  readonly body?: object;
}

/** An operation that always fails. */
export interface OperationDeviation extends Deviation {
  /** Method and path, with `*` for ids. */
  readonly on: string;
  /** The status of every response. */
  readonly status: number;
  /** The JSON of every response; `{ message: '403' }` for a 403 if undefined. */
  readonly body?: object;
}

/** Keys that objects lack. */
export interface KeysDeviation extends Deviation {
  /** The keys that the objects lack. */
  readonly without: readonly string[];
  /** The other keys, by which such objects are recognized. */
  readonly among: readonly string[];
}

/** An instance as `conformance --save` describes it, for `serve --like`. */
export interface Imitation {
  /** The format of responses. */
  readonly dialect?: Dialect;
  /** The version of the instance, such as `16.11`; newer operations and parameters are unknown. */
  readonly service_version?: string;
  /** The tier of the instance. */
  readonly tier?: Tier;
  /** The sizes of pages, where they differ from those of the service. */
  readonly per_page?: {
    /** The size without `per_page`. */
    readonly default?: number;
    /** The largest size. */
    readonly max?: number;
  };
  /** Headers that have other values. */
  readonly headers?: readonly HeaderDeviation[];
  /** Errors that have another status or body; the first one that fits decides. */
  readonly errors?: readonly ErrorDeviation[];
  /** Operations that always fail. */
  readonly operations?: readonly OperationDeviation[];
  /** Keys that objects in responses lack. */
  readonly missing_keys?: readonly KeysDeviation[];
  /** Ids of facts that differ too, but that the test server cannot imitate. */
  readonly not_imitated?: readonly string[];
}
