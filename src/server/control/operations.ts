import type { Clock, ClockChange, ClockState } from '../clock.js';
import type { Faults, FaultState } from '../faults/faults.js';
import type { FaultRule } from '../faults/file.js';
import type { PushChange, PushResult } from '../handlers/pushes/push.js';
import type { Delivery, Hooks } from '../hooks/deliveries.js';
import type { LoggedExchange, RequestLog } from '../http/request-log.js';
import type { WorldCache } from '../repositories/world.js';
import type { Database } from '../store/database.js';
import type { World } from '../world-file/schema.js';
import { loadWorld, replaceWorld, type SeedSources, type TokensByUser } from '../world-file/fill.js';
import { WorldError } from '../world-file/problem.js';
import type { DeliveryQuery, RequestQuery } from './queries.js';
import { createSnapshots, restoreState, type SavedState, type SnapshotBudget, type Snapshots } from './saved-state.js';

interface OperationOptions extends SeedSources {
  readonly address: () => string;
  readonly database: Database;
  readonly worldCache: WorldCache;
  readonly world: World;
  readonly template?: SavedState;
  readonly budget: SnapshotBudget;
  readonly isRemote?: boolean;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly hooks: Hooks;
  readonly log: RequestLog;
  readonly worlds?: WorldControls;
  readonly restart: () => Promise<void>;
}

export interface Operations {
  /** Restores the initial data, clock, faults and ids, and clears the log. */
  reset(): Promise<void>;
  world(): Promise<World>;
  /** Drops late changes, and clears the log. @throws WorldError */
  setWorld(world: World): Promise<void>;
  /** Makes a valid world the initial data and resets to it. */
  restartWith(world: World): Promise<void>;
  /** Adds a version to a merge request. @throws OperationError */
  push(change: PushChange): Promise<PushResult>;
  requests(query?: RequestQuery): Promise<readonly LoggedExchange[]>;
  readonly log: RequestLog;
  tokens(): TokensByUser;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly hooks: Hooks;
  /** Ends all delays and the waits for requests, and drops late changes, so that a close need not wait. */
  interrupt(): void;
  /** Also closes the database. */
  close(): Promise<void>;
}

export const createOperations = (options: OperationOptions): Operations => {
  const { database, template, isRemote, clock, faults, hooks, log, worlds } = options;
  let start = options.world;

  const replaceData = async (replace: Promise<void>): Promise<void> => {
    await replace;
    hooks.drop();
    log.clear();
  };
  const fill = (world: World) => replaceData(replaceWorld(database, world, options));
  const snapshots = createSnapshots(options);
  return {
    reset: async () => {
      // The clock comes first, because seeded times depend on it.
      await options.restart();
      await (template ? replaceData(restoreState(options, template)) : fill(start));
    },
    world: async () => (await import('../world-file/dump.js')).dumpWorld(database),
    setWorld: async (world) => {
      if (isRemote && !world.users?.length) {
        throw new WorldError('a world without users gets an administrator with a publicly known token', 'add users');
      }
      await faults.drop();
      await fill(world);
    },
    restartWith: async (world) => {
      await options.restart();
      await fill(world);
      start = world;
    },
    push: async (change) => {
      const { checkedPushChange } = await import('./push.js');
      const { push } = await import('../handlers/pushes/push.js');
      const result = await push({ ...options, hex: options.random.hex }, checkedPushChange(change));
      faults.active?.countWrite();
      return result;
    },
    requests: async (query = {}) => {
      const { findRequests } = await import('./queries.js');
      return findRequests({ own: log, of: worlds?.log }, query);
    },
    tokens: options.tokens.current,
    log, snapshots, clock, faults, hooks,
    interrupt: () => {
      log.close();
      hooks.close();
      void faults.close();
    },
    close: async () => {
      log.close();
      hooks.close();
      await faults.close();
      await snapshots.clear();
      await database.close();
    },
  };
};

export interface WorldControls {
  /** False if the world does not exist. */
  remove(name: string): Promise<boolean>;
  names(): Promise<readonly string[]>;
  /** Null if the world does not exist, unless somebody awaits its requests, which makes it. */
  log(name: string, isAwaited: boolean): Promise<RequestLog | null>;
}

/** What code can do with the data of a world. */
export interface DataControls {
  /** The base URL of links, without a trailing slash. */
  readonly url: string;
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: TokensByUser;
  /** Deletes all data, restores the initial data, the clock and the faults, and clears the log of requests. */
  reset(): Promise<void>;
  /** Oldest first, without secrets. With `timeout`, waits for one if there is none yet. @throws TypeError */
  requests(query?: RequestQuery): Promise<readonly LoggedExchange[]>;
  /**
   * Finished deliveries of webhooks, oldest first, without secrets. With `timeout`, waits for one if there is none yet.
   * @throws TypeError for an invalid query
   */
  deliveries(query?: DeliveryQuery): Promise<readonly Delivery[]>;
  /** The current data as a world. */
  world(): Promise<World>;
  /** Adds a version to a merge request: threads move with their lines, or become outdated. @throws OperationError */
  push(change: PushChange): Promise<PushResult>;
  /** Takes a snapshot of the data, or replaces the one with this name. @throws OperationError, even on PostgreSQL */
  snapshot(name: string): Promise<void>;
  /** Replaces all data with a snapshot. @throws OperationError if there is none */
  restore(name: string): Promise<void>;
  /** Replaces the fault rules; without rules, only returns those in use with their hits. @throws FaultError */
  faults(rules?: readonly (string | FaultRule)[], seed?: number): Promise<FaultState>;
  /** Sets or advances the clock and freezes it; without a change, only returns its time. @throws ClockError */
  clock(change?: ClockChange): Promise<ClockState>;
}

/** @param operations throws if the world is closed */
export const dataControls = (operations: () => Operations) => ({
  reset: async () => operations().reset(),
  world: async () => operations().world(),
  push: async (change) => operations().push(change),
  requests: async (query) => operations().requests(query),
  deliveries: async (query = {}) => (await import('./queries.js')).findDeliveries(operations().hooks, query),
  snapshot: async (name) => operations().snapshots.take(name),
  restore: async (name) => operations().snapshots.restore(name),
  faults: async (rules?: readonly (string | FaultRule)[], seed?: number) => {
    const { faults } = operations();
    if (rules) await faults.set(rules, seed);
    return faults.state();
  },
  clock: async (change?: ClockChange) => {
    const { clock } = operations();
    if (change) clock.change(change);
    return clock.state();
  },
} satisfies Omit<DataControls, 'url' | 'tokens'>);

/** Replaces all data. @throws WorldError */
export const setWorldWith = (operations: () => Operations) => async (given: World | string): Promise<void> => {
  const { setWorld } = operations();
  await setWorld(await loadWorld(given));
};
