import type { LoggedRequest, RequestLog } from './http/request-log.js';
import type { RandomStream } from './random.js';
import { createSnapshots, restoreState, type SavedState, type SnapshotBudget, type Snapshots } from './snapshots.js';
import type { Database } from './store/database.js';
import { dumpWorld } from './world/dump.js';
import { WorldError } from './world/problem.js';
import type { World } from './world/schema.js';
import { emptyDatabase, seedTables, type Seeding } from './world/served.js';

/** The dependencies of operations. */
export interface OperationOptions extends Seeding, RandomStream {
  readonly database: Database;
  /** The world that a reset restores. */
  readonly world: World;
  /** The state that a reset restores instead: that of a seeded world, which is faster to copy. */
  readonly template?: SavedState;
  /** The memory that the snapshots of all worlds share. */
  readonly budget: SnapshotBudget;
  /** Whether other machines can reach the service: then tokens are secret. */
  readonly isRemote?: boolean;
}

/** What the control plane and code can do with a world besides calling its API. */
export interface Operations {
  /** Deletes all data, restores the start world, and clears the log. */
  reset(): Promise<void>;
  /** Dumps the current data as a world. */
  world(): Promise<World>;
  /** Replaces all data with a valid world, and clears the log. @throws WorldError */
  setWorld(world: World): Promise<void>;
  /** Makes a valid world the start world and resets to it. */
  restartWith(world: World): Promise<void>;
  requests(): readonly LoggedRequest[];
  readonly snapshots: Snapshots;
}

export const createOperations = (options: OperationOptions, log: RequestLog): Operations => {
  const { database, template, isRemote } = options;
  let start = options.world;

  const fill = (world: World) => database.writeExclusively(async (queries) => {
    await emptyDatabase(queries);
    await seedTables(queries, world, options);
  });
  const thenClearLog = (filling: Promise<void>) => filling.then(() => { log.clear(); });

  return {
    reset: () => thenClearLog(template ? restoreState(options, template) : fill(start)),
    world: () => dumpWorld(database),
    setWorld: async (world) => {
      if (isRemote && !world.users?.length) {
        throw new WorldError('a world without users gets an administrator with a publicly known token', 'add users');
      }
      await thenClearLog(fill(world));
    },
    restartWith: async (world) => {
      await thenClearLog(fill(world));
      start = world;
    },
    requests: () => log.all(),
    snapshots: createSnapshots(options),
  };
};
