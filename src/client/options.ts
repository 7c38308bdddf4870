import type { Endpoint } from '../contract/endpoint.js';
import type { Encoding } from '../wire/encode.js';
import type { HttpRequest, Transport } from '../wire/http.js';
import type { Marker } from '../wire/note-text.js';
import { checkOptions, either, group, kinds, oneOf, type OptionKind } from '../wire/options.js';
import type { Time } from '../wire/time.js';
import type { Observer } from './events.js';
import type { RetryPolicy } from './retry.js';
import type { ConnectionSettings } from './transport/connection.js';

/**
 * How a token is sent: in a header of its own, or as an OAuth bearer token (behavior: tokens.header, tokens.bearer).
 */
export type TokenScheme = 'private-token' | 'bearer';

/** How requests reach the service. Nothing is read from environment variables. */
export interface TransportOptions extends ConnectionSettings {
  /** The base URL of the service, with or without `/api/v4`; it can have a path. */
  readonly url: string;
  /** The access token, sent to this service only; calls without one are anonymous. */
  readonly token?: string | undefined;
  /** How the token is sent; `private-token` by default, `bearer` for OAuth tokens. */
  readonly tokenScheme?: TokenScheme | undefined;
  /**
   * Performs the requests instead of sockets; then proxy, TLS and dispatcher have no effect, and the timeout is for the
   * whole response. Its signal is aborted after the timeout, and when the call is aborted.
   */
  readonly transport?: Transport | undefined;
  /**
   * When to repeat failed requests: the fields that differ from `defaultRetry`, or `noRetry` for never. A 500 is
   * repeated only with `serverErrors`.
   */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** The `User-Agent`; `colloquy` by default. */
  readonly userAgent?: string | undefined;
  /** Receives request, response, retry and page events. */
  readonly onEvent?: Observer | undefined;
  /** Clock, timer and random numbers; those of the system by default. */
  readonly time?: Time | undefined;
}

const retryKinds = {
  retries: kinds.number, unreached: kinds.number, firstWait: kinds.milliseconds, limitedWait: kinds.milliseconds,
  longestWait: kinds.milliseconds, totalWait: kinds.milliseconds, serverErrors: kinds.switch,
} satisfies Record<keyof Required<RetryPolicy>, OptionKind>;

/** Options of a client are accepted everywhere. */
const optionKinds = {
  url: { ...kinds.text, form: 'the base URL of the service as a text, such as https://gitlab.example.com' },
  token: kinds.text, tokenScheme: oneOf('private-token', 'bearer'), transport: kinds.callback, retry: group(retryKinds),
  userAgent: kinds.header, onEvent: kinds.callback, time: kinds.object, encoding: oneOf('json', 'form', 'query'),
  signal: kinds.signal, routes: kinds.object, perPage: kinds.count, pagesAtOnce: kinds.count, strict: kinds.switch,
  once: oneOf('marker', 'text'), resend: kinds.switch, check: kinds.callback, http: oneOf('undici', 'node', 'fetch'),
  dispatcher: kinds.object, proxy: either(kinds.text, group({ http: kinds.text, https: kinds.text })),
  noProxy: kinds.text,
  ca: either(kinds.text, kinds.object), cert: either(kinds.text, kinds.object), key: either(kinds.text, kinds.object),
  timeout: kinds.milliseconds, responseTimeout: kinds.milliseconds,
} satisfies Record<keyof Required<ClientOptions>, OptionKind>;

/** @throws TypeError that names an unknown option, or one with a value of another type */
export const checkClientOptions = (options: unknown = {}): void => { checkOptions(options, optionKinds, ['url']); };

/** A rejected promise cannot fail the call and would end the process, so a callback that returns a promise throws. */
export const withSyncCallbacks = (options: ClientOptions): ClientOptions =>
  ({ ...options, onEvent: synchronous('onEvent', options.onEvent), check: synchronous('check', options.check) });

const synchronous = <A extends readonly unknown[]>(name: string, callback: ((...given: A) => unknown) | undefined) =>
  callback && ((...given: A): void => {
    const returned = callback(...given);
    if (!(returned instanceof Promise)) return;
    returned.catch(() => undefined);
    throw new TypeError(`the option ${name} returned a promise; pass a function that is not async`);
  });

/**
 * How a note is recognized after a request without a response: by an invisible marker in its text, or by author, place,
 * text and time.
 */
export type OnceMode = 'marker' | 'text';

/** Options of a client. Only `url` is required. */
export interface ClientOptions extends TransportOptions {
  /** How parameters without files are sent; `json` by default. */
  readonly encoding?: Encoding | undefined;
  /** Aborts every call of the client. */
  readonly signal?: AbortSignal | undefined;
  /** The path of each endpoint that the service supports; a new Map by default. */
  readonly routes?: Routes | undefined;
  /** Page size of calls without `per_page`; 100, the maximum of the service, by default. */
  readonly perPage?: number | undefined;
  /** How many pages of one list are requested and held at the same time, at most; 25 by default. */
  readonly pagesAtOnce?: number | undefined;
  /**
   * Rejects responses that lack an object, list or id of their type, also of lookups. The type of objects, lists and
   * ids that are there is always checked.
   */
  readonly strict?: boolean | undefined;
  /**
   * Creates each note exactly once: after an attempt of unknown outcome, the client looks for the note before it sends
   * it again. Off by default.
   */
  readonly once?: OnceMode | undefined;
  /**
   * Whether a note is sent again if it is not found after a timeout, a 502 or a 504, although the service may store it
   * later. By default only with a marker, by which a second copy is recognized and deleted.
   */
  readonly resend?: boolean | undefined;
  /** Receives every parsed response before the caller does; the call fails if it throws. */
  readonly check?: ((endpoint: Endpoint, result: unknown, request: HttpRequest) => void) | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, or the iteration of a list, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides `once` of the client for a call that creates a note; false turns it off. */
  readonly once?: OnceMode | false | undefined;
  /**
   * Creates a note at most once per noteable and key, however often programs run: the text gets an invisible marker
   * with the key. If the user of the token has already added a note with the key, that note is returned as it is.
   */
  readonly key?: string | undefined;
  /**
   * Looks for the note before it is sent, without a marker: an earlier program may have sent it up to so many
   * milliseconds ago.
   */
  readonly lookBack?: number | undefined;
  /** Further values for the marker; `fp` is part of the identity of the note, like `key`. */
  readonly marker?: Marker | undefined;
  /** Writes the marker as a visible line of Markdown, for services that remove HTML comments. */
  readonly visibleMarker?: boolean | undefined;
}

const callKinds = {
  signal: kinds.signal, once: either(oneOf('marker', 'text'), { form: 'false', fits: (value) => value === false }),
  key: kinds.text, lookBack: kinds.milliseconds, marker: kinds.object, visibleMarker: kinds.switch,
} satisfies Record<keyof Required<CallOptions>, OptionKind>;

/** @throws TypeError that names an unknown or ignored option: without `key`, a call would do something else */
export const checkCallOptions = (options: CallOptions, createsNote: boolean): void => {
  checkOptions(options, callKinds);
  const ignored = Object.entries(createsNote ? {} : options).find(([name, value]) => name !== 'signal' && value);
  if (ignored) throw new TypeError(`the option ${ignored[0]} is only for calls that create a comment, thread or reply`);
};

/** What a request of your own sends beside its path. */
export interface RequestOptions {
  /** Text and bytes are sent as they are, lists and plain objects as JSON; a form such as `FormData` is rejected. */
  readonly body?: unknown;
  /** Added to the query of the path: `{ a: { b: 1 }, c: [2], d: [] }` is `a[b]=1&c[]=2&d=`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Further headers, but none with a credential. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts the request, or the iteration of a list, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Remembers which path of an endpoint a service supports. A Map, or storage that lasts longer. */
export interface Routes {
  /** Returns the stored path of an endpoint. */
  get(key: string): string | undefined;
  /** Stores the path of an endpoint that the service supports. */
  set(key: string, path: string): unknown;
}
