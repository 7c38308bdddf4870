import type { Dialect } from '../contract/endpoint.js';
import { version } from '../version.js';
import type { Service } from '../wire/http.js';
import { isLoopback } from '../wire/loopback.js';
import { createHostCheck } from './http/hosts.js';
import { listen, type ListenOptions } from './http/listen.js';
import type { LoggedRequest } from './http/request-log.js';
import { randomHex } from './random.js';
import { createService } from './service.js';
import { openDatabase } from './store/open.js';
import { engineOpeningError } from './store/sqlite/errors.js';
import type { World } from './world/schema.js';
import { seedIfEmpty, worldToServe } from './world/served.js';

export { demoWorld } from './world/demo/demo.js';
export { WorldError } from './world/problem.js';
export type { World } from './world/schema.js';
export { backupStore, type BackupOptions } from './store/backup.js';
export { StoreError } from './store/errors.js';
export { ListenError } from './http/listen.js';
export type { Dialect } from '../contract/endpoint.js';
export type { LoggedRequest } from './http/request-log.js';
export type { Service } from '../wire/http.js';

/** How a server is set up; every part may be left out. */
export interface ServerOptions extends Partial<ListenOptions> {
  /** The world, or a YAML or JSON file that holds one; the demo world when left out. */
  readonly world?: World | string;
  /**
   * A SQLite file or a postgres:// URL that keeps the data; in memory when left out. What it holds is kept: only an
   * empty one is filled.
   */
  readonly data?: string;
  readonly durability?: 'process' | 'power';
  readonly dialect?: Dialect;
  /** Requests a minute for each token. */
  readonly rateLimit?: number;
  /** Milliseconds that every request of the interface waits for its answer. */
  readonly latency?: number;
  /**
   * The bearer token of the control plane. Without it the plane is open only on the loopback, under the loopback's own
   * names and to requests that no proxy forwarded.
   */
  readonly controlToken?: string;
  /**
   * Names to accept in Host headers besides the loopback's, `host` and the host of `externalUrl`. With a name that is
   * not the loopback's, also in the `externalUrl` of a server that listens, other machines count as able to reach it.
   */
  readonly allowedHosts?: readonly string[];
  readonly onRequest?: (request: LoggedRequest) => void;
  readonly onFault?: (error: unknown, requestId: string) => void;
  /** The clock; the system's when left out. */
  readonly now?: () => Date;
  /** Random hexadecimal text of a length; from the system when left out. */
  readonly hex?: (length: number) => string;
  /** The address in links and URLs; the socket's own when left out. */
  readonly externalUrl?: string;
}

/** A service with its store, ready to answer in this process. */
export interface OpenService extends Service {
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Sets the address that links and URLs start with. */
  readonly setAddress: (url: string) => void;
  /** Lets go of the store. */
  close(): Promise<void>;
}

/** A running server. */
export interface RunningServer {
  readonly url: string;
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Answers what is in flight, then stops and lets go of the store. */
  close(): Promise<void>;
}

/**
 * The reference server without a socket, for tests and tools in the same process.
 * @throws StoreError, WorldError
 */
export const openService = async (options: ServerOptions = {}): Promise<OpenService> => {
  const { data: file, durability, controlToken, onRequest, onFault, rateLimit, externalUrl } = options;
  const dialect = options.dialect ?? 'document';
  const surroundings = { now: options.now ?? (() => new Date()), hex: options.hex ?? randomHex, dialect };
  const host = options.host ?? '127.0.0.1';
  const isRemote = [host, ...options.allowedHosts ?? []].some((name) => !isLoopback(name));
  const world = worldToServe(options.world, isRemote, surroundings.hex);
  const database = await openDatabase({ file, durability });
  const tokens = await seedIfEmpty(database, world, {
    ...surroundings, refusesKnownTokens: isRemote && options.world === undefined,
  }).catch(async (error: unknown) => {
    await database.close();
    throw engineOpeningError(file, error);
  });
  let address = externalUrl ?? 'http://127.0.0.1';
  const service = createService({
    database, world, version, ...surroundings, address: () => address, isRemote,
    knowsHost: createHostCheck({ host, ...given({ externalUrl, allowedHosts: options.allowedHosts }) }),
    ...given({ controlToken, onRequest, onFault, rateLimit, latency: options.latency }),
  });
  return {
    ...service,
    tokens,
    setAddress: (url) => { address = externalUrl ?? url; },
    close: () => database.close(),
  };
};

/**
 * Starts the reference server: by default on a free port of the loopback address, in memory, with the demo world.
 * @throws StoreError, WorldError, or the system's error when the address can't be had
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const { host = '127.0.0.1', port = 0, tls, externalUrl, allowedHosts = [] } = options;
  const ownNames = externalUrl === undefined ? [] : [new URL(externalUrl).hostname];
  const service = await openService({ ...options, allowedHosts: [...allowedHosts, ...ownNames] });
  try {
    const listening = await listen(service, { host, port, ...given({ tls }) });
    service.setAddress(listening.url);
    const { tokens } = service;
    return { url: listening.url, tokens, close: async () => { await listening.close(); await service.close(); } };
  } catch (error) {
    await service.close();
    throw error;
  }
};

/** The entries that have a value: an option left out and one set to undefined mean the same. */
const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as
    { [K in keyof T]?: Exclude<T[K], undefined> };
