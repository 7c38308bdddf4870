import { versionPattern } from '../contract/conventions.js';
import { version } from '../version.js';
import { type Handler, isLoopback } from '../wire/http.js';
import { unlessAborted } from '../wire/time.js';
import { createClock } from './clock.js';
import { controlPrefix, isOpenToAll } from './control/access.js';
import { createInspectorKey, pathForOnce } from './control/inspector/inspector.js';
import { dataControls, type Operations, setWorldWith } from './control/operations.js';
import { snapshotLimits } from './control/saved-state.js';
import { createHostCheck, withoutForeignPages, worldPath, worldPrefix } from './http/addresses.js';
import { createPending, shutdownTimeout, type Sleep } from './http/middleware.js';
import type { CreateProxy } from './http/proxy.js';
import { createLogBudget } from './http/request-log.js';
import { createAbortController, fetchFrom, inProcessTransport } from './http/delivery.js';
import type { Worlds } from './isolated-worlds.js';
import { checkServerOptions, type ServerControls, type ServerOptions } from './options.js';
import { createRandom, randomHex } from './random.js';
import { createService, type ServiceOptions } from './service.js';
import { fillLater } from './store/filled-later.js';
import { openDatabase } from './store/open.js';
import { engineOpeningError } from './store/sqlite/errors.js';
import { countRecords, createUserTokens, seedIfEmpty, validTokens, worldToServe } from './world-file/fill.js';

export interface System {
  readonly now: () => Date;
  readonly timer: () => number;
  readonly sleep: Sleep;
}

export const open = async (given: ServerOptions, system: System) => {
  checkServerOptions(given);
  const { options, overrides } = await withImitation(given);
  const { data: file, durability } = options;
  const externalUrl = options.externalUrl?.replace(/\/+$/, '');
  const createProxy = await loadProxy(options);
  const routes = await loadRoutes(options);
  const inspector = createInspectorKey(system.now);
  const shared = {
    ...sharedOptions(options, system), inspector, ...overrides && { overrides }, ...createProxy && { createProxy },
    ...routes && { routes },
  };
  const createSources = () => worldSources(options, system);
  const own = createSources();
  const startReloading = options.watch
    ? (await import('./world-file/watch.js')).watchWorld(options.world, safely(options.onReload)) : null;
  const readWorld = () => worldToServe(options.world, shared.isRemote, own.random.tokenHex);
  let world = await readWorld();
  const opened = await openDatabase({ file, durability });
  const now = own.clock.now();
  const isBuiltIn = options.world === undefined;
  const seed = () => seedIfEmpty(opened, world, {
    ...shared, ...own, now: () => now, rejectsKnownTokens: shared.isRemote && isBuiltIn,
  });
  // Only the demo world in memory cannot fail to fit, and repeatable ids depend on the order of their use.
  const isLater = isBuiltIn && file === undefined && options.seed === undefined;
  const database = isLater ? fillLater(opened, seed) : opened;
  let url = externalUrl ?? 'http://127.0.0.1';
  let socketUrl: string | null = null;
  const address = () => url;
  const startFaults = ({ faults }: Operations) => faults.startWith(options.faults ?? [], options.faultSeed);
  const worlds = lazyWorlds(async () => {
    const { openWorlds } = await import('./isolated-worlds.js');
    return openWorlds({ ...shared, createSources, startFaults, start, address, world: () => world });
  });
  const start = createService({ ...shared, ...own, database, world, address, worlds });
  const { operations } = start;
  const fill = async (): Promise<boolean> => {
    await startFaults(operations);
    if (!isLater) return seed();
    own.tokens.replace(validTokens(world, now));
    return true;
  };
  const wasEmpty = await fill().catch(async (error: unknown) => {
    await operations.close();
    throw engineOpeningError(file, error);
  });
  const stopReloading = startReloading?.(async () => {
    const changed = await readWorld();
    await operations.restartWith(changed);
    world = changed;
    await worlds.clear();
  });
  const guarded = (inner: Handler): Handler => withoutForeignPages(inner, address, isOpenToAll);
  const pending = createPending();
  const closing = createAbortController();
  let isClosed = false;
  const respond: Handler = async (request) => {
    const response = await start.handle(request);
    // It can be an error about the store.
    if (isClosed) throw serviceClosed();
    return response;
  };
  const handle = guarded((request) => {
    if (request.target.startsWith(worldPrefix)) return pending.track(() => worlds.handle(request));
    return closing.signal.aborted ? Promise.reject(serviceClosed()) : pending.track(() => respond(request));
  });
  /** Of a slow response: the rest is there at once when the service closes. */
  const deliveryTime = (milliseconds: number) => shared.sleep(milliseconds, closing.signal).catch(() => undefined);
  const inProcess = inProcessTransport(handle, deliveryTime);
  const worldUrl = (name: string) => (socketUrl ?? url) + worldPath(name);
  const controls = {
    ...dataControls(() => operations),
    get url() { return url; },
    get tokens() { return operations.tokens(); },
    get inspectorUrl() { return `${socketUrl ?? url}${controlPrefix}#${inspector.token}`; },
    inspectorUrlForOnce: () => (socketUrl ?? url) + pathForOnce(inspector),
    hadData: !wasEmpty,
    counts: () => countRecords(database),
    setWorld: setWorldWith(() => operations),
    fetch: fetchFrom(inProcess, externalUrl === undefined ? '' : new URL(externalUrl).pathname.replace(/\/$/, '')),
    openWorld: async (name) => {
      const { openedWorld } = await import('./isolated-worlds.js');
      return openedWorld(await worlds.open(name), name, () => worldUrl(name), (inner) =>
        inProcessTransport(guarded(inner), deliveryTime));
    },
    worlds: worlds.names,
    worldUrl,
  } satisfies Omit<ServerControls, typeof Symbol.asyncDispose>;
  const interrupt = (): void => {
    operations.interrupt();
    worlds.interrupt();
  };
  return {
    handle, inProcess, controls,
    setAddress: (given: string) => { url = externalUrl ?? given; },
    setSocketUrl: (given: string) => { socketUrl = given; },
    /** Ends the delays of faults and the waits for requests, in all worlds. */
    interrupt,
    /** @param until when to wait no longer for pending requests, by the timer */
    close: async (until = system.timer() + shutdownTimeout) => {
      const timeLeft = () => Math.max(0, until - system.timer());
      closing.abort();
      interrupt();
      await stopReloading?.();
      await pending.idle(timeLeft());
      isClosed = true;
      await worlds.close(timeLeft());
      await operations.close();
    },
  };
};

const serviceClosed = (): Error => new Error('the service is closed');

/** Other options override those of the instance to imitate, which is loaded only if there is one. @throws WorldError */
const withImitation = async (options: ServerOptions) => {
  const { like } = options;
  if (like === undefined) return { options };
  const { checkImitation, createOverrides } = await import('./overrides.js');
  const { dialect, service_version: serviceVersion, tier } = checkImitation(like);
  const merged: ServerOptions = { ...given({ dialect, serviceVersion, tier }), ...given(options) };
  return { options: merged, overrides: createOverrides(like) };
};

const loadProxy = async ({ proxy, replay }: ServerOptions): Promise<CreateProxy | null> => {
  if (proxy) return (await import('./http/proxy.js')).forwardingProxy(proxy);
  return replay ? (await import('./http/replay.js')).replayingProxy(replay) : null;
};

const loadRoutes = async ({ routes }: ServerOptions) =>
  routes && (await import('./control/custom-routes.js')).compileCustomRoutes(routes);

const safely = <A extends readonly unknown[]>(
  callback: ((...given: A) => unknown) | undefined, failed?: (error: unknown, ...given: A) => void,
) => callback && ((...given: A): void => {
  void (async () => callback(...given))().catch((error: unknown) => failed?.(error, ...given));
});

const sharedOptions = (options: ServerOptions, { timer, sleep }: System) => {
  const { host = '127.0.0.1', externalUrl, allowedHosts, allowHooksTo } = options;
  const { controlToken, rateLimit } = options;
  const onFault = safely(options.onFault);
  const onRequest = safely(options.onRequest, (error, { id }) => onFault?.(error, id));
  const { serviceVersion, tier, latency, quickActions, acceptTokens, rejectUnread } = options;
  checkVersion(serviceVersion);
  return {
    version, dialect: options.dialect ?? 'document', sleep: options.sleep ? endedBySignal(options.sleep) : sleep, timer,
    isRemote: [host, ...allowedHosts ?? []].some((name) => !isLoopback(name)),
    knowsHost: createHostCheck({ host, ...given({ externalUrl, allowedHosts }) }),
    budget: { bytes: snapshotLimits.bytes }, logBudget: createLogBudget(),
    settings: { version: serviceVersion, tier },
    ...given({ allowHooksTo, controlToken, onRequest, onFault, rateLimit, latency }),
    ...given({ quickActions, acceptTokens, rejectUnread }),
  } satisfies Partial<ServiceOptions>;
};

/** One of a caller may know no signals, but all delays end with the service. */
const endedBySignal = (sleep: Sleep): Sleep => async (milliseconds, signal) => {
  signal?.throwIfAborted();
  const sleeping = sleep(milliseconds, signal);
  await unlessAborted(sleeping, signal);
};

const checkVersion = (given: string | undefined): void => {
  if (given !== undefined && !versionPattern.test(given)) {
    throw new TypeError(`invalid service version ${JSON.stringify(given)}: use a version such as 12.7 or 13.12.0-ee`);
  }
};

const worldSources = ({ now, seed, hex }: ServerOptions, system: System) => ({
  clock: createClock(now ?? system.now), random: createRandom(seed, hex ?? randomHex), tokens: createUserTokens(),
});

/** Opens the worlds with the first request to one, as most servers have none. */
const lazyWorlds = (open: () => Promise<Worlds>): Worlds => {
  let opened: Promise<Worlds> | null = null;
  let isInterrupted = false;
  let isClosed = false;
  const openFirst = async (): Promise<Worlds> => {
    const worlds = await open();
    if (isInterrupted) worlds.interrupt();
    if (isClosed) await worlds.close(0);
    return worlds;
  };
  return {
    handle: async (request) => (await (opened ??= openFirst())).handle(request),
    open: async (name) => (await (opened ??= openFirst())).open(name),
    names: async () => await (await opened)?.names() ?? [],
    remove: async (name) => await (await opened)?.remove(name) ?? false,
    log: async (name, isAwaited) => {
      const worlds = await (isAwaited ? opened ??= openFirst() : opened);
      return worlds ? worlds.log(name, isAwaited) : null;
    },
    interrupt: () => {
      isInterrupted = true;
      void opened?.then((worlds) => worlds.interrupt(), () => undefined);
    },
    clear: async () => { await (await opened)?.clear(); },
    close: async (limit) => {
      isClosed = true;
      await (await opened)?.close(limit);
    },
  };
};

const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as
    { [K in keyof T]?: Exclude<T[K], undefined> };
