import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../contract/endpoint.js';
import { versionPattern, type Tier } from '../contract/versions.js';
import { version } from '../version.js';
import type { Service } from '../wire/http.js';
import { isLoopback } from '../wire/loopback.js';
import { createHostCheck } from './http/hosts.js';
import { listen, type ListenOptions } from './http/listen.js';
import { createRequestLog, type LoggedExchange, type LoggedRequest, type RequestLog } from './http/request-log.js';
import { randomHex } from './random.js';
import type { RequestQuery } from './requests/find.js';
import { createService } from './service.js';
import { openDatabase } from './store/open.js';
import { engineOpeningError } from './store/sqlite/errors.js';
import { countRecords, type WorldCounts } from './world/counts.js';
import type { World } from './world/schema.js';
import { seedIfEmpty, worldToServe } from './world/served.js';

export { demoWorld } from './world/demo/demo.js';
export { WorldError } from './world/problem.js';
export type { WorldCounts } from './world/counts.js';
export type { World } from './world/schema.js';
export { backupStore, type BackupOptions } from './store/backup.js';
export { StoreError } from './store/errors.js';
export { ListenError } from './http/listen.js';
export type { Dialect } from '../contract/endpoint.js';
export type { Tier } from '../contract/versions.js';
export type { LoggedExchange, LoggedRequest, LoggedResponse } from './http/request-log.js';
export type { RequestFilter } from './requests/filter.js';
export type { RequestQuery } from './requests/find.js';
export type { Service } from '../wire/http.js';

/** The options of a server, all optional. */
export interface ServerOptions extends Partial<ListenOptions> {
  /** The world, or the path of a YAML or JSON file; default: the demo world. */
  readonly world?: World | string;
  /** A SQLite file or a postgres:// URL; default: in memory. Only an empty store is seeded. */
  readonly data?: string;
  readonly durability?: 'process' | 'power';
  readonly dialect?: Dialect;
  /**
   * The version of the service, such as `12.7`; overrides that of the world. Newer operations and parameters are
   * unknown. Default: all of them.
   */
  readonly serviceVersion?: string;
  /** Whether quick actions are taken out of the texts of notes; default: in the live dialect. */
  readonly quickActions?: boolean;
  /** The subscription of the instance; overrides that of the world. Default: `ultimate`. */
  readonly tier?: Tier;
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
  /** The clock; default: the system's. */
  readonly now?: () => Date;
  /** Waits so many milliseconds, for `latency`; default: a timer of the system. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
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
   * The logged requests that match, oldest first, without secrets. With `timeout`, waits for one if there is none yet.
   * @throws FilterError
   */
  requests(query?: RequestQuery): Promise<readonly LoggedExchange[]>;
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
   * The logged requests that match, oldest first, without secrets. With `timeout`, waits for one if there is none yet.
   * @throws FilterError
   */
  requests(query?: RequestQuery): Promise<readonly LoggedExchange[]>;
  /** Closes the server and its store after pending requests were handled. */
  close(): Promise<void>;
}

/** The reference server without a socket, for tests and tools in the same process. */
export const openService = (options: ServerOptions = {}): Promise<OpenService> =>
  openWithLog(options, createRequestLog());

const openWithLog = async (options: ServerOptions, log: RequestLog): Promise<OpenService> => {
  const { data: file, durability, controlToken, onRequest, onFault, rateLimit, externalUrl } = options;
  const { serviceVersion, tier, latency, quickActions, dialect = 'document' } = options;
  checkVersion(serviceVersion);
  const surroundings = { now: options.now ?? (() => new Date()), hex: options.hex ?? randomHex, dialect };
  const host = options.host ?? '127.0.0.1';
  const isRemote = [host, ...options.allowedHosts ?? []].some((name) => !isLoopback(name));
  const world = worldToServe(options.world, isRemote, surroundings.hex);
  const database = await openDatabase({ file, durability });
  const tokens = await seedIfEmpty(database, world, {
    ...surroundings, rejectsKnownTokens: isRemote && options.world === undefined,
  }).catch(async (error: unknown) => {
    await database.close();
    throw engineOpeningError(file, error);
  });
  let address = externalUrl ?? 'http://127.0.0.1';
  const service = createService({
    database, world, version, log, settings: { version: serviceVersion, tier }, ...surroundings,
    sleep: options.sleep ?? sleep, timer: () => performance.now(), address: () => address, isRemote,
    knowsHost: createHostCheck({ host, ...given({ externalUrl, allowedHosts: options.allowedHosts }) }),
    ...given({ controlToken, onRequest, onFault, rateLimit, latency, quickActions }),
  });
  return {
    ...service,
    tokens,
    counts: () => countRecords(database),
    requests: async (query = {}) => (await import('./requests/find.js')).findRequests({ own: log }, query),
    setAddress: (url) => { address = externalUrl ?? url; },
    close: () => {
      log.close();
      return database.close();
    },
  };
};

/**
 * Starts the reference server, by default on a free port of the loopback address, in memory, with the demo world.
 * @throws StoreError, WorldError, ListenError, or the system's error if the address is not available
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const { host = '127.0.0.1', port = 0, tls, externalUrl, allowedHosts = [] } = options;
  const ownNames = externalUrl === undefined ? [] : [new URL(externalUrl).hostname];
  const log = createRequestLog();
  const service = await openWithLog({ ...options, allowedHosts: [...allowedHosts, ...ownNames] }, log);
  try {
    const listening = await listen(service, { host, port, ...given({ tls }) });
    service.setAddress(listening.url);
    const { tokens, counts, requests } = service;
    const close = async () => {
      // Requests that wait for other requests are pending too.
      log.close();
      await listening.close();
      await service.close();
    };
    return { url: listening.url, tokens, counts, requests, close };
  } catch (error) {
    await service.close();
    throw error;
  }
};

/** @throws TypeError */
const checkVersion = (given: string | undefined): void => {
  if (given !== undefined && !versionPattern.test(given)) {
    throw new TypeError(`invalid service version ${JSON.stringify(given)}: use a version such as 12.7 or 13.12.0-ee`);
  }
};

/** Removes undefined entries. */
const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as
    { [K in keyof T]?: Exclude<T[K], undefined> };
