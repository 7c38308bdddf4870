import type { Clock } from '../clock.js';
import type { PushChange, PushResult } from '../handlers/pushes/push.js';
import type { Faults } from '../faults/faults.js';
import type { Hooks } from '../hooks/deliveries.js';
import type { LoggedExchange, RequestLog } from '../http/request-log.js';
import type { WorldControls } from './worlds.js';
import type { RequestQuery } from './request-log/find.js';
import { createSnapshots, restoreState, type SavedState, type SnapshotBudget, type Snapshots } from './saved-state.js';
import type { Database } from '../store/database.js';
import { type Filling, fillWith, type TokensByUser } from '../world-file/fill.js';
import { WorldError } from '../world-file/problem.js';
import type { World } from '../world-file/schema.js';

interface OperationOptions extends Filling {
  /** Of the server, without a trailing slash. */
  readonly address: () => string;
  readonly database: Database;
  readonly world: World;
  /** A seeded world, which a reset restores instead because that is faster. */
  readonly template?: SavedState;
  /** Shared by the snapshots of all worlds. */
  readonly budget: SnapshotBudget;
  /** Other machines can reach the service: then tokens are secret. */
  readonly isRemote?: boolean;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly hooks: Hooks;
  readonly log: RequestLog;
  /** Their requests can be found too. */
  readonly worlds?: WorldControls;
  readonly closing: AbortController;
  readonly restart: () => Promise<void>;
}

export interface Operations {
  /** Restores the start world with its clock, faults and ids, and clears the log. */
  reset(): Promise<void>;
  world(): Promise<World>;
  /** Drops late changes, and clears the log. @throws WorldError */
  setWorld(world: World): Promise<void>;
  /** Makes a valid world the start world and resets to it. */
  restartWith(world: World): Promise<void>;
  /** Adds a version to a merge request. @throws OperationError */
  push(change: PushChange): Promise<PushResult>;
  /** Also those of other worlds. @throws FilterError, TooManyWaits */
  requests(query?: RequestQuery): Promise<readonly LoggedExchange[]>;
  readonly log: RequestLog;
  /** By username, of the users whose token is known. */
  tokens(): TokensByUser;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly hooks: Hooks;
  /** Before a close: ends all delays and the waits for requests, and drops late changes. */
  interrupt(): void;
  /** Before its store is closed. */
  close(): Promise<void>;
}

export const createOperations = (options: OperationOptions): Operations => {
  const { database, template, isRemote, clock, faults, hooks, log, worlds } = options;
  let start = options.world;

  const fill = async (world: World): Promise<void> => {
    await fillWith(database, world, options);
    hooks.drop();
    log.clear();
  };
  /** The clock comes first, because seeded times depend on it. */
  const resetWith = async (restoreData: () => Promise<void>): Promise<void> => {
    await options.restart();
    await restoreData();
    hooks.drop();
    log.clear();
  };
  const snapshots = createSnapshots(options);
  return {
    reset: () => resetWith(() => template ? restoreState(options, template) : fill(start)),
    world: async () => (await import('../world-file/dump.js')).dumpWorld(database),
    setWorld: async (world) => {
      if (isRemote && !world.users?.length) {
        throw new WorldError('a world without users gets an administrator with a publicly known token', 'add users');
      }
      await faults.drop();
      await fill(world);
    },
    restartWith: async (world) => {
      await resetWith(() => fill(world));
      start = world;
    },
    push: async (change) => {
      const { checkedPushChange } = await import('./push.js');
      const { push } = await import('../handlers/pushes/push.js');
      return push({ ...options, hex: options.random.hex }, checkedPushChange(change));
    },
    requests: async (query = {}) => {
      const { findRequests } = await import('./request-log/find.js');
      return findRequests({ own: log, of: worlds?.log }, query);
    },
    tokens: options.tokens.current,
    log, snapshots, clock, faults, hooks,
    interrupt: () => {
      options.closing.abort();
      log.close();
      hooks.close();
      void faults.close();
    },
    close: async () => {
      log.close();
      hooks.close();
      await faults.close();
      await snapshots.clear();
    },
  };
};
