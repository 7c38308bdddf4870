import { type Tier, tiers, type TokenType, tokenTypes } from '../contract/conventions.js';
import type { Dialect } from '../contract/endpoint.js';
import type { Imitation } from '../contract/imitation.js';
import type { Service } from '../wire/http.js';
import { isObject } from '../wire/json.js';
import { checkOptions, either, group, kinds, oneOf, type OptionKind } from '../wire/options.js';
import type { DataControls } from './control/operations.js';
import type { OwnRoute } from './control/custom-routes.js';
import type { ProxyOptions } from './http/proxy.js';
import type { ReplayOptions } from './http/replay.js';
import type { FaultRule } from './faults/file.js';
import type { ListenOptions } from './http/listen.js';
import type { LoggedRequest } from './http/request-log.js';
import type { WorldCounts } from './world-file/fill.js';
import type { World } from './world-file/schema.js';

/**
 * The options of a server, all optional.
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 * import { startServer, type ServerOptions } from 'colloquy/server';
 *
 * const requests: string[] = [];
 * const options: ServerOptions = {
 *   dialect: 'live',
 *   faults: ['GET * => status 503 times=1'],
 *   onRequest: ({ method, target, status }) => { requests.push(`${method} ${target} ${status}`); },
 *   onFault: (error, requestId) => { console.error(requestId, error); },
 * };
 * const server = await startServer(options);
 * const client = createClient({ url: server.url, token: 'ada-token' });
 * await client.lookups.user();
 * console.log(requests); // prints [ 'GET /api/v4/user 503', 'GET /api/v4/user 200' ]
 * await server.close();
 * ```
 */
export interface ServerOptions extends Partial<ListenOptions> {
  /** The world, or the path of a YAML or JSON file; default: the demo world. */
  readonly world?: World | string;
  /** A SQLite file or a postgres:// URL; default: in memory. Only an empty store is seeded. */
  readonly data?: string;
  /**
   * What acknowledged changes in a SQLite file survive: the end of the `process` (the default), or also a loss of
   * `power`, at about a third of the write speed.
   */
  readonly durability?: 'process' | 'power';
  /** Responses as in the documentation of the API (`document`, the default) or as of today's services (`live`). */
  readonly dialect?: Dialect;
  /**
   * The version of the service, such as `12.7`; overrides that of the world. Newer operations and parameters are
   * unknown. Default: all of them.
   */
  readonly serviceVersion?: string;
  /** Whether quick actions are taken out of the text of notes; default: in the live format. */
  readonly quickActions?: boolean;
  /** The tier of the instance; overrides that of the world. Default: `ultimate`. */
  readonly tier?: Tier;
  /** An instance to imitate, as `conformance --save` describes it. Other options override it. */
  readonly like?: Imitation;
  /** The only kind of token that is accepted: as `PRIVATE-TOKEN`, or as `Authorization: Bearer`. Default: both. */
  readonly acceptTokens?: TokenType;
  /**
   * Whether a request with parameters that its operation does not have gets 400, which names them, and changes nothing.
   * Default: they are ignored, as on the service, and named in the header `X-Colloquy-Unread`.
   */
  readonly rejectUnread?: boolean;
  /** Requests per minute and token; more get 429. Default: no limit. */
  readonly rateLimit?: number;
  /** Delay of every API response in milliseconds; default: 0. */
  readonly latency?: number;
  /**
   * Without it the control plane is open only on loopback addresses, under loopback names and to requests that no proxy
   * forwarded.
   */
  readonly controlToken?: string;
  /**
   * Host names to accept besides loopback names, `host` and the host of `externalUrl`. With a name that is not a
   * loopback name, other machines count as able to reach the server; so they do with such an `externalUrl` of a server
   * that listens.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Endpoints beside those of the server. One with exactly the path of the server's replaces it; otherwise the server's
   * take precedence.
   */
  readonly routes?: readonly OwnRoute[];
  /** Another service to pass all requests on to, apart from those of the control plane. */
  readonly proxy?: ProxyOptions;
  /** A recording that responds to what was recorded; the world responds to the rest. */
  readonly replay?: ReplayOptions;
  /** Hosts that webhooks may reach besides loopback ones. */
  readonly allowHooksTo?: readonly string[];
  /** Receives requests after their responses, without secrets; none of the control plane. Errors go to `onFault`. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /**
   * Receives unexpected errors of the server, with the id of the request that got a 500, or with `of a late change` for
   * a change that came after its response. By default nobody sees them.
   */
  readonly onFault?: (error: unknown, requestId: string) => void;
  /** In each world: objects, or strings such as `* => status 500 p=0.3 times=2 skip=1`. */
  readonly faults?: readonly (string | FaultRule)[];
  /** Decides which requests faults with a probability apply to; default: 0. */
  readonly faultSeed?: number;
  /** Makes thread ids, request ids and fresh tokens repeatable. */
  readonly seed?: number;
  /** The clock; default: the system's. A time in ISO 8601 gives a frozen clock. */
  readonly now?: string | (() => Date | number);
  /** Waits so many milliseconds, for `latency` and faults; default: a timer of the system. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Random hexadecimal text of a length; default: from the system. */
  readonly hex?: (length: number) => string;
  /** The base URL of links; default: that of the socket. */
  readonly externalUrl?: string;
  /** Whether to reset to the file of `world` whenever it changes; stored data is deleted then too. */
  readonly watch?: boolean;
  /** Receives the outcome of each reload: null, or the error of an invalid world, which changes nothing. */
  readonly onReload?: (error: unknown) => void;
}

const texts: OptionKind = {
  form: 'a list of strings', fits: (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
};

const exchanges: OptionKind = {
  form: 'the list of recordingFrom', fits: (value) => Array.isArray(value)
    && value.every((one: unknown) => isObject(one) && isObject(one['request']) && isObject(one['response'])),
};

type KindsOf<T> = Record<keyof Required<T>, OptionKind>;

const optionKinds = {
  host: {
    ...kinds.text, form: 'a host as a text, such as 127.0.0.1',
    fits: (value) => kinds.text.fits(value) && value !== '',
  },
  port: {
    ...kinds.whole, form: 'a port from 0 to 65535',
    fits: (value) => kinds.whole.fits(value) && Number(value) < 65_536,
  },
  tls: group({ cert: kinds.any, key: kinds.any }), world: either(kinds.text, kinds.object), data: kinds.text,
  durability: oneOf('process', 'power'),
  dialect: oneOf('document', 'live'),
  serviceVersion: { ...kinds.text, form: 'a version as a text, such as "12.7"' },
  quickActions: kinds.switch, tier: oneOf(...tiers),
  like: { ...kinds.object, form: 'await imitationFrom(text, path)' },
  acceptTokens: oneOf(...tokenTypes), rejectUnread: kinds.switch, rateLimit: kinds.count, latency: kinds.milliseconds,
  controlToken: kinds.text, allowedHosts: texts, allowHooksTo: texts, onRequest: kinds.callback,
  onFault: kinds.callback, faults: { ...kinds.list, form: 'a list of fault rules' },
  faultSeed: kinds.whole, seed: kinds.whole,
  now: either(kinds.text, kinds.callback), sleep: kinds.callback, hex: kinds.callback,
  externalUrl: kinds.baseUrl,
  watch: kinds.switch, onReload: kinds.callback, routes: kinds.list,
  proxy: group({
    url: kinds.baseUrl, transport: kinds.callback, onExchange: kinds.callback,
  } satisfies KindsOf<ProxyOptions>, ['url', 'transport']),
  replay: {
    ...group({
      exchanges, strict: kinds.switch, onReplay: kinds.callback,
    } satisfies KindsOf<ReplayOptions>, ['exchanges']),
    form: '{ exchanges: await recordingFrom(text, path) }',
  },
} satisfies KindsOf<ServerOptions>;

/** @throws TypeError that names an unknown option, or one with a value of another type */
export const checkServerOptions = (options: unknown): void => { checkOptions(options, optionKinds); };

/** An isolated copy of the initial data. Its methods throw OperationErrors once it is closed. */
export interface OpenWorld extends Service, DataControls, AsyncDisposable {
  /** The name in its URL, after `/w/`. */
  readonly name: string;
  /** Replaces all data with a world or the world of a file. @throws WorldError */
  set(world: World | string): Promise<void>;
  /** Deletes the world after pending requests were handled; the next request to its URL makes a new one. */
  close(): Promise<void>;
}

/** What code can do with a server and its data. */
export interface ServerControls extends DataControls, AsyncDisposable {
  /** The address of the inspector, a page that shows and changes the data, with the token that it needs. */
  readonly inspectorUrl: string;
  /** The same with a code instead of the token; it works once, within a minute. */
  inspectorUrlForOnce(): string;
  /** Whether the store had data at the start, which is served instead of the world. */
  readonly hadData: boolean;
  /** The number of records in the store by kind. */
  counts(): Promise<WorldCounts>;
  /** Responds to a standard request. Its host does not matter. */
  fetch(request: Request): Promise<Response>;
  /** Replaces all data with a world or the world of a file. @throws WorldError */
  setWorld(world: World | string): Promise<void>;
  /** Opens an isolated copy of the initial data, and makes it if it does not exist. @throws OperationError */
  openWorld(name: string): Promise<OpenWorld>;
  /** The names of the isolated worlds, oldest first. */
  worlds(): Promise<readonly string[]>;
  /** The base URL of an isolated copy of the initial data, which its first request makes. @throws OperationError */
  worldUrl(name: string): string;
}

/** A server without a socket, of `openService`. */
export interface OpenService extends Service, ServerControls {
  /** The base URL of links. */
  readonly setAddress: (url: string) => void;
  /**
   * Ends all delays, waits at most 1.5 seconds for pending requests, or 3 with isolated worlds, and closes the store.
   * Later requests are rejected.
   */
  close(): Promise<void>;
}

/** A server that listens, of `startServer`. */
export interface RunningServer extends ServerControls {
  /** Closes the server and its store after pending requests were handled. */
  close(): Promise<void>;
}
