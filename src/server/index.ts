import { setTimeout as timeout } from 'node:timers/promises';
import type { Dialect } from '../contract/endpoint.js';
import { version } from '../version.js';
import type { Service } from '../wire/http.js';
import { isLoopback } from '../wire/loopback.js';
import { createClock, type ClockChange, type ClockState } from './clock.js';
import type { FaultRule, FaultState } from './faults/faults.js';
import { received } from './http/delivery.js';
import { createHostCheck } from './http/hosts.js';
import { listen, type ListenOptions } from './http/listen.js';
import type { LoggedRequest } from './http/request-log.js';
import { createRandom, randomHex } from './random.js';
import { createService, type CreatedService } from './service.js';
import { openDatabase } from './store/open.js';
import { engineOpeningError } from './store/sqlite/errors.js';
import { countRecords, type WorldCounts } from './world/counts.js';
import type { World } from './world/derived.js';
import { lastNote, seedIfEmpty, worldToServe } from './world/served.js';

export { demoWorld } from './world/demo/demo.js';
export { WorldError } from './world/problem.js';
export type { WorldCounts } from './world/counts.js';
export type * from './world/derived.js';
export { backupStore, type BackupOptions } from './store/backup.js';
export { StoreError } from './store/errors.js';
export { FaultError } from './faults/error.js';
export { faultsFrom, type GivenFaults } from './faults/file.js';
export type { CountedRule, FaultRule, FaultState } from './faults/faults.js';
export { ClockError } from './clock.js';
export type { ClockChange, ClockState } from './clock.js';
export { ListenError } from './http/listen.js';
export type { Dialect } from '../contract/endpoint.js';
export type { LoggedRequest } from './http/request-log.js';
export type { Service } from '../wire/http.js';

/** The options of a server, all optional. */
export interface ServerOptions extends Partial<ListenOptions> {
  /** The world, or the path of a YAML or JSON file; default: the demo world. */
  readonly world?: World | string;
  /** A SQLite file or a postgres:// URL; default: in memory. Only an empty store is seeded. */
  readonly data?: string;
  readonly durability?: 'process' | 'power';
  readonly dialect?: Dialect;
  /** Requests per minute and token. */
  readonly rateLimit?: number;
  /** Delay of every API response in milliseconds. */
  readonly latency?: number;
  /**
   * The bearer token of the control plane. Without it the control plane is open only on loopback addresses, under
   * loopback names and to requests that no proxy forwarded.
   */
  readonly controlToken?: string;
  /**
   * Host names to accept besides loopback names, `host` and the host of `externalUrl`. With a name that is not a
   * loopback name, other machines count as able to reach the server; so they do with such an `externalUrl` of a server
   * that listens.
   */
  readonly allowedHosts?: readonly string[];
  readonly onRequest?: (request: LoggedRequest) => void;
  readonly onFault?: (error: unknown, requestId: string) => void;
  /**
   * Faults to apply to API requests: objects, or texts such as `* => status 500 p=0.3 times=2 skip=1`.
   */
  readonly faults?: readonly (string | FaultRule)[];
  /** Decides which requests faults with a probability apply to; default: 0. */
  readonly faultSeed?: number;
  /** Makes thread ids, request ids and fresh tokens repeatable. */
  readonly seed?: number;
  /** The clock; default: the system's. A time in ISO 8601 is a clock that stands still. */
  readonly now?: string | (() => Date);
  /** Waits so many milliseconds, for `latency` and faults; default: a timer of the system. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Random hexadecimal text of a length; default: from the system. */
  readonly hex?: (length: number) => string;
  /** The base URL of links; default: that of the socket. */
  readonly externalUrl?: string;
}

/** A service with its store, in this process. */
export interface OpenService extends Service {
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The number of records in the store by kind. */
  counts(): Promise<WorldCounts>;
  /**
   * Replaces the fault rules; without rules, only returns those in use with their hits.
   * @throws FaultError
   */
  faults(rules?: readonly (string | FaultRule)[], seed?: number): Promise<FaultState>;
  /**
   * Sets or advances the clock, which then stands still; without a change, only returns its time.
   * @throws ClockError
   */
  clock(change?: ClockChange): Promise<ClockState>;
  /** Sets the base URL of links. */
  readonly setAddress: (url: string) => void;
  /** Closes the store. */
  close(): Promise<void>;
}

/** A running server. */
export interface RunningServer {
  readonly url: string;
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The number of records in the store by kind. */
  counts(): Promise<WorldCounts>;
  /**
   * Replaces the fault rules; without rules, only returns those in use with their hits.
   * @throws FaultError
   */
  faults(rules?: readonly (string | FaultRule)[], seed?: number): Promise<FaultState>;
  /**
   * Sets or advances the clock, which then stands still; without a change, only returns its time.
   * @throws ClockError
   */
  clock(change?: ClockChange): Promise<ClockState>;
  /** Closes the server and its store after pending requests were handled. */
  close(): Promise<void>;
}

/**
 * The reference server without a socket, for tests and tools in the same process.
 * @throws StoreError or WorldError
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 * import { openService } from 'colloquy/server';
 *
 * const service = await openService();
 * const client = createClient({ url: 'http://test', token: 'ada-token', transport: service.handle });
 * const issues = await client.lookups.issues({ id: 'acme/app' }).all();
 * console.log(issues.length > 0); // prints true
 * await service.close();
 * ```
 */
export const openService = async (options: ServerOptions = {}): Promise<OpenService> => {
  const { service, ...others } = await opened(options);
  const sleep = options.sleep ?? pause;
  const handle: Service['handle'] = (request) => service.faults.active
    ? service.handle(request).then((response) => received(response, sleep)) : service.handle(request);
  return { ...others, handle };
};

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  timeout(milliseconds, undefined, signal && { signal });

/** A service with its store. */
const opened = async (options: ServerOptions) => {
  const { data: file, durability, controlToken, onRequest, onFault, rateLimit, externalUrl, faultSeed } = options;
  const dialect = options.dialect ?? 'document';
  const clock = createClock(options.now ?? (() => new Date()));
  const random = createRandom(options.seed, options.hex ?? randomHex);
  const surroundings = { now: clock.now, hex: random.hex, uniqueHex: random.uniqueHex, dialect };
  const host = options.host ?? '127.0.0.1';
  const isRemote = [host, ...options.allowedHosts ?? []].some((name) => !isLoopback(name));
  const world = worldToServe(options.world, isRemote, random.tokenHex);
  const database = await openDatabase({ file, durability });
  let address = externalUrl ?? 'http://127.0.0.1';
  const service = createService({
    database, world, version, ...surroundings, clock, random, sleep: options.sleep ?? pause,
    timer: () => performance.now(), address: () => address, isRemote,
    knowsHost: createHostCheck({ host, ...given({ externalUrl, allowedHosts: options.allowedHosts }) }),
    ...given({ controlToken, onRequest, onFault, rateLimit, latency: options.latency }),
  });
  const close = () => {
    service.faults.stop();
    return database.close();
  };
  try {
    if (options.faults || faultSeed !== undefined) await service.faults.startWith(options.faults ?? [], faultSeed);
    const tokens = await seedIfEmpty(database, world, {
      ...surroundings, rejectsKnownTokens: isRemote && options.world === undefined,
    });
    if (random.isSeeded) random.restart(await lastNote(database));
    return {
      service, tokens, close, counts: () => countRecords(database), ...membersOf(service),
      setAddress: (url: string) => { address = externalUrl ?? url; },
    };
  } catch (error) {
    await close();
    throw engineOpeningError(file, error);
  }
};

/** The state of a service that its owner can change. */
const membersOf = ({ faults, clock }: CreatedService): Pick<OpenService, 'faults' | 'clock'> => ({
  faults: async (rules, seed) => {
    if (rules) await faults.set(rules, seed);
    return faults.state();
  },
  clock: async (change) => {
    if (change) clock.change(change);
    return clock.state();
  },
});

/**
 * Starts the reference server, by default on a free port of the loopback address, in memory, with the demo world.
 * @throws StoreError, WorldError, ListenError, or the system's error if the address is not available
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 * import { startServer } from 'colloquy/server';
 *
 * const server = await startServer();
 * const client = createClient({ url: server.url, token: 'root-token' });
 * const user = await client.lookups.user({});
 * console.log(user.username); // prints root
 * await server.close();
 * ```
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const { host = '127.0.0.1', port = 0, tls, externalUrl, allowedHosts = [] } = options;
  const ownNames = externalUrl === undefined ? [] : [new URL(externalUrl).hostname];
  const service = await opened({ ...options, allowedHosts: [...allowedHosts, ...ownNames] });
  try {
    const listening = await listen(service.service, { host, port, ...given({ tls }) });
    service.setAddress(listening.url);
    const { tokens, counts, faults, clock } = service;
    const close = async () => { await listening.close(); await service.close(); };
    return { url: listening.url, tokens, counts, faults, clock, close };
  } catch (error) {
    await service.close();
    throw error;
  }
};

/** Removes undefined entries. */
const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as
    { [K in keyof T]?: Exclude<T[K], undefined> };
