import type { Handler, Transport } from '../../wire/http.js';
import { dataControls, type Operations, setWorldWith } from '../control/operations.js';
import { saveState } from '../control/saved-state.js';
import { worldPath } from '../http/addresses.js';
import type { OpenWorld } from '../options.js';
import { createService, type OperatedService, type ServiceOptions } from '../service.js';
import { openDatabase } from '../store/open.js';
import type { World } from '../world-file/schema.js';
import { replaceWorld } from '../world-file/fill.js';
import { createWorlds, type Instance, type NamedWorld, type Template, type Worlds } from './worlds.js';

interface WorldSources extends Omit<ServiceOptions, 'database' | 'world' | 'clock' | 'random' | 'tokens'> {
  readonly createSources: () => Pick<Required<ServiceOptions>, 'clock' | 'random' | 'tokens'>;
  readonly startFaults: (operations: Operations) => Promise<void>;
  readonly start: OperatedService;
  readonly world: () => World;
}

/** The cache of a copy of the start world is small, since there may be hundreds. */
const cacheBytes = 1_048_576;

/** Worlds are services in memory whose stores are copies of a seeded one. */
export const openWorlds = (sources: WorldSources): Worlds => {
  const { createSources, startFaults, start, world, address, ...shared } = sources;
  const { now } = createSources().clock;
  const openTemplate = async (): Promise<Template> => {
    const database = await openDatabase();
    const { random, tokens } = createSources();
    await replaceWorld(database, world(), { ...shared, now, random, tokens });
    return { database, state: (await saveState({ database, random, tokens }))! };
  };
  const openWorld = async (name: string, { state }: Template): Promise<Instance> => {
    const database = await openDatabase();
    const service = createService({
      ...shared, ...createSources(), database, world: world(), template: state, name, cacheBytes,
      address: () => address() + worldPath(name),
    });
    const { operations } = service;
    await startFaults(operations);
    await operations.reset();
    const close = async () => {
      await operations.close();
      operations.log.clear();
      await database.close();
    };
    return { ...service, close };
  };
  return createWorlds({ ...shared, knowsHost: shared.knowsHost ?? (() => true), now, start, openTemplate, openWorld });
};

interface OpenedAs {
  readonly name: string;
  readonly url: () => string;
  readonly inProcess: (handle: Handler) => Transport;
}

export const openedWorld = (world: NamedWorld, { name, url, inProcess }: OpenedAs): OpenWorld => {
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
