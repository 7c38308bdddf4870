import { type Handler, type HttpRequest, type HttpResponse, splitTarget, type Transport } from '../wire/http.js';
import { apiRequest, givenToken, readParameters, tokenRow, validToken } from './api/request.js';
import { checkSender, checkToken, controlPrefix, isOpenToAll } from './control/access.js';
import { dataControls, type Operations, setWorldWith, type WorldControls } from './control/operations.js';
import { type SavedState, saveState } from './control/saved-state.js';
import { checkHost, checkName, splitWorldTarget, worldPath } from './http/addresses.js';
import { createPending, type Pending } from './http/middleware.js';
import { newTrace } from './http/request-log.js';
import { OperationError } from './http/response.js';
import type { OpenWorld } from './options.js';
import { createWorldCache } from './repositories/world.js';
import { createService, type OperatedService, type ServiceOptions } from './service.js';
import type { Database } from './store/database.js';
import { openDatabase } from './store/open.js';
import { replaceWorld } from './world-file/fill.js';
import type { World } from './world-file/schema.js';

/** The world outside of `/w/` does not count. */
export const maxWorlds = 500;

interface Template {
  /** The database knows the tokens that may make worlds. */
  readonly database: Database;
  readonly state: SavedState;
}

export interface Worlds extends WorldControls {
  readonly handle: Handler;
  /** Makes the world if it does not exist. @throws OperationError */
  open(name: string): Promise<NamedWorld>;
  /** Ends the delays of faults and the waits for requests, even in worlds that are made later. */
  interrupt(): void;
  /** Further worlds are copies of the initial data of that time. */
  clear(): Promise<void>;
  /** @param limit how long to wait for pending requests, in milliseconds */
  close(limit: number): Promise<void>;
}

interface NamedWorld {
  readonly handle: Handler;
  /** @throws OperationError once it is closed */
  operations(): Operations;
  /** Deletes the world; the next request to the name makes a new one. Does nothing if it is closed. */
  close(): Promise<void>;
}

interface Entry {
  readonly opening: Promise<OperatedService>;
  readonly pending: Pending;
  closing: Promise<void> | null;
}

interface WorldSources extends Omit<ServiceOptions, 'database' | 'world' | 'clock' | 'random' | 'tokens'> {
  readonly createSources: () => Pick<Required<ServiceOptions>, 'clock' | 'random' | 'tokens'>;
  readonly startFaults: (operations: Operations) => Promise<void>;
  readonly start: OperatedService;
  readonly world: () => World;
}

/**
 * Worlds are services in memory whose stores are copies of a seeded one. The first request that is authenticated or
 * may use the control plane makes the world; concurrent ones share it. A deleted world completes the requests that it
 * has received.
 */
export const openWorlds = (sources: WorldSources): Worlds => {
  const { start, knowsHost = () => true } = sources;
  const { now } = sources.createSources().clock;
  const entries = new Map<string, Entry>();
  let template: Promise<Template> | null = null;
  let isInterrupted = false;
  let isClosed = false;

  const openTemplate = (): Promise<Template> => template ??= seedTemplate(sources, now).catch((error: unknown) => {
    template = null;
    throw error;
  });
  const make = (name: string): Entry => {
    if (isClosed) throw new OperationError(503, 'the server is closed');
    if (entries.size >= maxWorlds) throw tooMany([...entries.keys()]);
    const opening = openTemplate().then((made) => copyTemplate(sources, name, made));
    if (isInterrupted) opening.then(interrupt, () => undefined);
    const entry: Entry = { opening, pending: createPending(), closing: null };
    entries.set(name, entry);
    opening.catch(() => { if (entries.get(name) === entry) entries.delete(name); });
    return entry;
  };
  const handleIn = ({ opening, pending }: Entry, request: HttpRequest): Promise<HttpResponse> =>
    pending.track(async () => (await opening).handle(request));
  const handleFirst = async (name: string, request: HttpRequest): Promise<HttpResponse> => {
    checkName('world', name);
    checkHost(request, knowsHost);
    const [path] = splitTarget(request.target);
    if (isOpenToAll(path)) return start.handle(request);
    if (path.startsWith(controlPrefix)) {
      checkSender(request, sources);
      checkToken(request, sources);
    } else await authenticate((await openTemplate()).database, request, now());
    return handleIn(entries.get(name) ?? make(name), request);
  };
  const open = async (name: string): Promise<NamedWorld> => {
    checkName('world', name);
    const entry = entries.get(name) ?? make(name);
    const { operations } = await entry.opening;
    return {
      handle: async (request) => entries.get(name) === entry ? handleIn(entry, request)
        : start.reject(request, closedWorld(name)),
      operations: () => {
        if (entries.get(name) !== entry) throw closedWorld(name);
        return operations;
      },
      close: async () => {
        if (entries.get(name) === entry) entries.delete(name);
        await closeEntry(entry);
      },
    };
  };
  const clear = async (limit?: number): Promise<void> => {
    const former = [...entries.values()];
    const old = template;
    entries.clear();
    template = null;
    await Promise.all(former.map((entry) => closeEntry(entry, limit)));
    if (old) await closeTemplate(old);
  };
  return {
    handle: (request) => {
      const { name, target } = splitWorldTarget(request.target);
      const entry = entries.get(name);
      const inside = { ...request, target };
      const handling = entry ? handleIn(entry, inside) : handleFirst(name, inside);
      return handling.catch((error: unknown) => start.reject(request, error));
    },
    open,
    names: async () => [...entries.keys()],
    remove: async (name) => {
      const entry = entries.get(name);
      if (!entry) return false;
      entries.delete(name);
      void closeEntry(entry);
      return true;
    },
    log: async (name, isAwaited) => {
      const entry = entries.get(name) ?? (isAwaited ? make(name) : null);
      return entry && (await entry.opening).operations.log;
    },
    interrupt: () => {
      isInterrupted = true;
      for (const { opening } of entries.values()) opening.then(interrupt, () => undefined);
    },
    clear: () => clear(),
    close: (limit: number) => {
      isClosed = true;
      return clear(limit);
    },
  };
};

const interrupt = ({ operations }: OperatedService): void => operations.interrupt();

/**
 * Closes a world once, after its requests. One that could not be opened has nothing to close.
 * @param limit how long to wait for them, in milliseconds
 */
const closeEntry = (entry: Entry, limit?: number): Promise<void> => entry.closing ??= (async () => {
  const instance = await entry.opening.catch(() => null);
  instance?.operations.interrupt();
  await entry.pending.idle(limit);
  await instance?.operations.close();
  instance?.operations.log.clear();
})();

const closeTemplate = async (opening: Promise<Template>): Promise<void> => {
  const template = await opening.catch(() => null);
  template?.state.copy.close();
  await template?.database.close();
};

const authenticate = (database: Database, request: HttpRequest, now: Date): Promise<void> =>
  database.read(async (queries) => {
    const world = await createWorldCache().of(queries);
    const check = async (token: string | null) => {
      validToken(token === null ? undefined : await tokenRow(world, token), now.toISOString());
    };
    const { parameters } = apiRequest({ ...request, trace: newTrace() });
    await check(givenToken(request.headers, await readParameters(parameters, check)));
  });

const tooMany = (names: readonly string[]) => new OperationError(503,
  `there are already ${maxWorlds} worlds: ${names.slice(0, maxNamed).join(', ')} and ${maxWorlds - maxNamed} others; `
  + 'close those that are no longer needed with close() of the world or DELETE /-/worlds/NAME');

const maxNamed = 10;

const closedWorld = (name: string) =>
  new OperationError(404, `the world ${name} is closed; open it again with openWorld("${name}")`);

/** The cache of a copy is small, since there may be hundreds. */
const cacheBytes = 1_048_576;

const seedTemplate = async (
  { createSources, world, dialect, settings }: WorldSources, now: () => Date,
): Promise<Template> => {
  const database = await openDatabase();
  const { random, tokens } = createSources();
  await replaceWorld(database, world(), { dialect, ...settings && { settings }, now, random, tokens });
  return { database, state: (await saveState({ database, random, tokens }))! };
};

const copyTemplate = async (sources: WorldSources, name: string, { state }: Template): Promise<OperatedService> => {
  const { createSources, startFaults, start: _, world, address, ...shared } = sources;
  const database = await openDatabase();
  const service = createService({
    ...shared, ...createSources(), database, world: world(), template: state, name, cacheBytes,
    address: () => address() + worldPath(name),
  });
  await startFaults(service.operations);
  await service.operations.reset();
  return service;
};

export const openedWorld = (
  world: NamedWorld, name: string, url: () => string, inProcess: (handle: Handler) => Transport,
): OpenWorld => {
  const { tokens } = world.operations();
  return {
    name,
    get url() { return url(); },
    get tokens() { return tokens(); },
    handle: inProcess(world.handle),
    ...dataControls(world.operations),
    set: setWorldWith(world.operations),
    close: world.close,
    [Symbol.asyncDispose]: world.close,
  };
};
