import type { Endpoint } from '../contract/endpoint.js';
import type { Encoding } from '../wire/encode.js';
import type { HttpRequest, Transport } from '../wire/http.js';
import type { TokenScheme } from './middleware/auth.js';
import type { Observer } from './middleware/events.js';
import type { RetryPolicy } from './middleware/retry.js';
import type { Time } from './time.js';
import type { SocketSettings } from './transport/socket.js';

/** How requests reach the service. All of it is handed in: nothing is read from an environment. */
export interface TransportOptions extends SocketSettings {
  /** The base URL of the service, with a path where it has one; a trailing `/api/v4` may stand or not. */
  readonly url: string;
  /** Sent to this service and nowhere else; without one, calls are anonymous. */
  readonly token?: string | undefined;
  /** How the token is presented; `private-token` by default, `bearer` for OAuth tokens. */
  readonly tokenScheme?: TokenScheme | undefined;
  /** Performs the requests in place of sockets; then proxy, TLS, dispatcher and timeout have no effect. */
  readonly transport?: Transport | undefined;
  /** When a failed request is sent again; `defaultRetry` by default, `noRetry` for never. */
  readonly retry?: RetryPolicy | undefined;
  /** The `User-Agent`; `colloquy` by default. */
  readonly userAgent?: string | undefined;
  /** Is told of requests, answers, repeats and pages. */
  readonly onEvent?: Observer | undefined;
  /** Clock, timer and dice; the machine's own by default. */
  readonly time?: Time | undefined;
}

/** What a client may be given. Only `url` is needed. */
export interface ClientOptions extends TransportOptions {
  /** How parameters travel where no file is among them; `json` by default. */
  readonly encoding?: Encoding | undefined;
  /** Ends every call of the client. */
  readonly signal?: AbortSignal | undefined;
  /** Which of an endpoint's paths the service knows; a new Map by default. */
  readonly routes?: Routes | undefined;
  /** Results a page where a call names no number; 100, the most a service gives, by default. */
  readonly perPage?: number | undefined;
  /** The most pages of one list that are asked for at once, and that are held; 25 by default. */
  readonly pagesAtOnce?: number | undefined;
  /**
   * Refuse answers that lack an object, a list or an id that interface.md has in them. Without it they are handed on;
   * what is there has to be of the right kind in any case.
   */
  readonly strict?: boolean | undefined;
  /**
   * Sees every answer that is read before the caller does; what it throws fails the call. Tests check shapes with it.
   */
  readonly check?: ((endpoint: Endpoint, answer: unknown, request: HttpRequest) => void) | undefined;
}

/** Remembers which of an endpoint's paths a service knows. A Map will do; a caller may keep it between runs. */
export interface Routes {
  get(key: string): string | undefined;
  set(key: string, path: string): unknown;
}
