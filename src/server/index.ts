import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../contract/endpoint.js';
import { version } from '../version.js';
import type { Handler, Service } from '../wire/http.js';
import { isLoopback } from '../wire/loopback.js';
import { fetchFrom } from './http/fetch.js';
import { createHostCheck } from './http/hosts.js';
import { listen, type ListenOptions } from './http/listen.js';
import type { LoggedRequest } from './http/request-log.js';
import { checkName } from './names.js';
import { randomHex, type RandomStream } from './random.js';
import { createService, type OperatedService, type ServiceOptions } from './service.js';
import { saveState, snapshotLimits } from './snapshots.js';
import type { Database } from './store/database.js';
import { openDatabase } from './store/open.js';
import { engineOpeningError } from './store/sqlite/errors.js';
import { countRecords, type WorldCounts } from './world/counts.js';
import { WorldError } from './world/problem.js';
import type { World } from './world/schema.js';
import { seedIfEmpty, seedTables, tokensByUser, worldOf, worldToServe } from './world/served.js';
import { watchFile } from './world/watch.js';
import type { Instance, Template, Worlds } from './worlds/worlds.js';

export { demoWorld } from './world/demo/demo.js';
export { WorldError } from './world/problem.js';
export type { WorldCounts } from './world/counts.js';
export type { World } from './world/schema.js';
export { backupStore, type BackupOptions } from './store/backup.js';
export { StoreError } from './store/errors.js';
export { ListenError } from './http/listen.js';
export { OperationError } from './http/errors.js';
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
  /** The clock; default: the system's. */
  readonly now?: () => Date;
  /** Waits so many milliseconds, for `latency`; default: a timer of the system. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Random hexadecimal text of a length; default: from the system. */
  readonly hex?: (length: number) => string;
  /** The base URL of links; default: that of the socket. */
  readonly externalUrl?: string;
  /** Whether to reset to the file of `world` whenever it changes; stored data is deleted then too. */
  readonly watch?: boolean;
  /** Receives the outcome of each reload: null, or the error of an invalid world, which changes nothing. */
  readonly onReload?: (error: unknown) => void;
}

/** A server in code: what its control plane does, and requests without a socket. */
export interface ServerControls {
  /** The base URL of links, without a trailing slash. */
  readonly url: string;
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The number of records in the store by kind. */
  counts(): Promise<WorldCounts>;
  /** Responds to a standard request. Its host does not matter. */
  fetch(request: Request): Promise<Response>;
  /** Deletes all data, restores the start world, and clears the log of requests. */
  reset(): Promise<void>;
  /** The last 1,000 requests, without their secrets. */
  requests(): Promise<readonly LoggedRequest[]>;
  /** The current data as a world. */
  world(): Promise<World>;
  /** Replaces all data with a world or the world of a file. @throws WorldError */
  setWorld(world: World | string): Promise<void>;
  /** Takes a snapshot of the data, or replaces the one with this name. @throws OperationError, also on PostgreSQL */
  snapshot(name: string): Promise<void>;
  /** Replaces all data with a snapshot. @throws OperationError if there is none */
  restore(name: string): Promise<void>;
  /** The base URL of an isolated copy of the start world, which its first request makes. @throws OperationError */
  worldUrl(name: string): string;
}

/** A service with its store, in this process. */
export interface OpenService extends Service, ServerControls {
  /** Sets the base URL of links. */
  readonly setAddress: (url: string) => void;
  /** Closes the store. */
  close(): Promise<void>;
}

/** A running server. */
export interface RunningServer extends ServerControls {
  /** Closes the server and its store after pending requests were handled. */
  close(): Promise<void>;
}

/** The reference server without a socket, for tests and tools in the same process. */
export const openService = async (options: ServerOptions = {}): Promise<OpenService> => {
  const { data: file, durability, externalUrl } = options;
  const shared = sharedOptions(options);
  const stream = randomStream(options);
  const startWatching = watchWorld(options);
  const readWorld = () => worldToServe(options.world, shared.isRemote, stream.hex);
  let world = readWorld();
  const database = await openDatabase({ file, durability });
  let tokens = await seedIfEmpty(database, world, {
    ...shared, ...stream, rejectsKnownTokens: shared.isRemote && options.world === undefined,
  }).catch(async (error: unknown) => {
    await database.close();
    throw engineOpeningError(file, error);
  });
  let url = externalUrl ?? 'http://127.0.0.1';
  const address = () => url;
  const worlds = lazyWorlds(() => openWorlds({ options, shared, start, address, world: () => world }));
  const start = createService({ ...shared, ...stream, database, world, address, worlds });
  const handle: Handler = (request) =>
    request.target.startsWith(worldPrefix) ? worlds.handle(request) : start.handle(request);
  const stopWatching = startWatching(async () => {
    const changed = readWorld();
    await start.operations.restartWith(changed);
    world = changed;
    tokens = await database.read((queries) => tokensByUser(queries, changed));
    await worlds.clear();
  });
  return {
    handle,
    ...controlsOf(start, database),
    get url() { return url; },
    get tokens() { return tokens; },
    fetch: fetchFrom(handle),
    worldUrl: (name) => url + pathOfWorld(name),
    setAddress: (given) => { url = externalUrl ?? given; },
    close: async () => {
      await stopWatching();
      await worlds.close();
      await start.operations.snapshots.clear();
      await database.close();
    },
  };
};

/** Reloads a world when its file changes. Returns a function that stops, after a running reload. */
type StartReloading = (reload: () => Promise<void>) => () => Promise<void>;

/** Watches the file of the world from now on. @throws WorldError if the world is not a file */
const watchWorld = ({ watch, world, onReload }: ServerOptions): StartReloading => {
  if (!watch) return () => async () => undefined;
  if (typeof world !== 'string') throw new WorldError('only a world file can be watched', 'pass its path as the world');
  const startWatching = watchFile(world);
  return (reload) => {
    let running = Promise.resolve();
    const stop = startWatching(() => {
      running = running.then(reload).then(() => onReload?.(null), (error: unknown) => onReload?.(error));
    });
    return () => {
      stop();
      return running;
    };
  };
};

/** The controls of one world. */
const controlsOf = ({ operations }: OperatedService, database: Database) => ({
  counts: () => countRecords(database),
  reset: operations.reset,
  requests: async () => operations.requests(),
  world: operations.world,
  setWorld: async (world: World | string) => operations.setWorld(worldOf(world)),
  snapshot: operations.snapshots.take,
  restore: operations.snapshots.restore,
});

/** Copies of the start world are below this prefix. */
const worldPrefix = '/w/';

const pathOfWorld = (name: string): string => {
  checkName('world', name);
  return worldPrefix + name;
};

type Shared = ReturnType<typeof sharedOptions>;

/** The options that all worlds of a server share. */
const sharedOptions = (options: ServerOptions) => {
  const { host = '127.0.0.1', externalUrl, allowedHosts, controlToken, onRequest, onFault, rateLimit } = options;
  return {
    version, dialect: options.dialect ?? 'document', now: options.now ?? (() => new Date()),
    sleep: options.sleep ?? sleep, timer: () => performance.now(),
    isRemote: [host, ...allowedHosts ?? []].some((name) => !isLoopback(name)),
    knowsHost: createHostCheck({ host, ...given({ externalUrl, allowedHosts }) }),
    budget: { bytes: snapshotLimits.bytes },
    ...given({ controlToken, onRequest, onFault, rateLimit, latency: options.latency }),
  } satisfies Partial<ServiceOptions>;
};

/** The random stream of one world. */
const randomStream = (options: ServerOptions): RandomStream => ({ hex: options.hex ?? randomHex });

/** The dependencies of the worlds of a server. */
interface WorldSources {
  readonly options: ServerOptions;
  readonly shared: Shared;
  readonly start: OperatedService;
  /** The current start world. */
  readonly world: () => World;
  readonly address: () => string;
}

const openWorlds = async ({ options, shared, start, world, address }: WorldSources): Promise<Worlds> => {
  const { createWorlds } = await import('./worlds/worlds.js');
  const openTemplate = async (): Promise<Template> => {
    const database = await openDatabase();
    const stream = randomStream(options);
    await database.writeExclusively((queries) => seedTables(queries, world(), { ...shared, ...stream }));
    return { database, state: (await saveState({ database, ...stream }))! };
  };
  const openWorld = async (name: string, { state }: Template): Promise<Instance> => {
    const database = await openDatabase();
    const service = createService({
      ...shared, ...randomStream(options), database, world: world(), template: state, name, cacheBytes: worldCacheBytes,
      address: () => address() + pathOfWorld(name),
    });
    await service.operations.reset();
    return {
      ...service,
      close: async () => { await service.operations.snapshots.clear(); await database.close(); },
    };
  };
  return createWorlds({ ...shared, start, openTemplate, openWorld });
};

/** The most bytes of cached responses of a copy of the start world: there may be hundreds. */
const worldCacheBytes = 1_048_576;

/** Opens the worlds with the first request to one, as most servers have none. */
const lazyWorlds = (open: () => Promise<Worlds>): Worlds => {
  let opened: Promise<Worlds> | null = null;
  let isClosed = false;
  const openFirst = async (): Promise<Worlds> => {
    const worlds = await open();
    if (isClosed) await worlds.close();
    return worlds;
  };
  return {
    handle: async (request) => (await (opened ??= openFirst())).handle(request),
    remove: async (name) => await (await opened)?.remove(name) ?? false,
    requests: async (name) => await (await opened)?.requests(name) ?? [],
    clear: async () => { await (await opened)?.clear(); },
    close: async () => {
      isClosed = true;
      await (await opened)?.close();
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
  const service = await openService({ ...options, allowedHosts: [...allowedHosts, ...ownNames] });
  try {
    const listening = await listen(service, { host, port, ...given({ tls }) });
    service.setAddress(listening.url);
    const { handle: _, setAddress: __, ...controls } = service;
    return {
      ...controls,
      url: listening.url,
      get tokens() { return service.tokens; },
      worldUrl: (name) => listening.url + pathOfWorld(name),
      close: async () => { await listening.close(); await service.close(); },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
};

/** Removes undefined entries. */
const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as
    { [K in keyof T]?: Exclude<T[K], undefined> };
