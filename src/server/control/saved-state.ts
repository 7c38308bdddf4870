import type { Faults } from '../faults/faults.js';
import type { Hooks } from '../hooks/deliveries.js';
import { OperationError } from '../http/response.js';
import { checkName } from '../http/addresses.js';
import type { Random, RandomPosition } from '../random.js';
import { writeEpoch } from '../repositories/world.js';
import type { Database, RowCopies, RowCopy } from '../store/database.js';
import { createMutex } from '../store/sqlite/write-queue.js';
import type { UserTokens, TokensByUser } from '../world-file/fill.js';

/** The count is per world, the bytes are for all worlds of a server. */
export const snapshotLimits = { count: 100, bytes: 268_435_456 };

interface SnapshotInfo { readonly name: string; readonly created_at: string; readonly bytes: number }

export interface SavedState {
  readonly copy: RowCopy;
  readonly position: RandomPosition;
  readonly tokens: TokensByUser;
}

interface StateOptions { readonly database: Database; readonly random: Random; readonly tokens: UserTokens }

/** Null if the rows take too many bytes. @throws OperationError on PostgreSQL */
export const saveState = async (
  { database, random, tokens }: StateOptions, maxBytes: number = Number.MAX_SAFE_INTEGER,
): Promise<SavedState | null> => {
  const copy = await copiesOf(database).save(maxBytes);
  return copy && { copy, position: random.position(), tokens: tokens.current() };
};

/** The state may be that of another world. @throws OperationError on PostgreSQL */
export const restoreState = async (
  { database, random, tokens }: StateOptions, { copy, position, tokens: known }: SavedState,
): Promise<void> => {
  await copiesOf(database).restore(copy, async (queries) => {
    await writeEpoch(queries);
    random.restore(position);
  });
  tokens.replace(known);
};

const copiesOf = ({ copies }: Database): RowCopies => {
  if (copies) return copies;
  throw new OperationError(501, 'snapshots require a server that stores its data in memory or in a SQLite file');
};

export type Snapshots = ReturnType<typeof createSnapshots>;

interface SnapshotOptions extends StateOptions {
  readonly now: () => Date;
  readonly budget: SnapshotBudget;
  readonly faults: Pick<Faults, 'drop'>;
  readonly hooks: Pick<Hooks, 'drop'>;
}

export interface SnapshotBudget { bytes: number }

interface Snapshot extends SavedState, SnapshotInfo {}

/** Snapshots are in memory. Each operation throws OperationErrors. */
export const createSnapshots = (options: SnapshotOptions) => {
  const { database, now, budget, faults, hooks } = options;
  const snapshots = new Map<string, Snapshot>();
  const mutex = createMutex();

  const find = (name: string): Snapshot => {
    checkName('snapshot', name);
    copiesOf(database);
    const snapshot = snapshots.get(name);
    if (snapshot) return snapshot;
    throw new OperationError(404, `no snapshot is named ${name}; take one with PUT /-/snapshots/${name}`);
  };
  const drop = ({ name, copy }: Snapshot): void => {
    snapshots.delete(name);
    budget.bytes += copy.bytes;
    copy.close();
  };
  const take = async (name: string): Promise<void> => {
    checkName('snapshot', name);
    const former = snapshots.get(name);
    if (!former && snapshots.size >= snapshotLimits.count) {
      throw tooMany(`there are already ${snapshotLimits.count} snapshots`);
    }
    const state = await saveState(options, budget.bytes + (former?.copy.bytes ?? 0));
    if (!state) throw tooMany(`snapshots may take ${snapshotLimits.bytes / 1_048_576} MiB of memory`);
    if (former) drop(former);
    budget.bytes -= state.copy.bytes;
    snapshots.set(name, { ...state, name, created_at: now().toISOString(), bytes: state.copy.bytes });
  };
  const restore = async (name: string): Promise<void> => {
    const snapshot = find(name);
    await faults.drop();
    await restoreState(options, snapshot);
    hooks.drop();
  };
  return {
    take: (name: string) => mutex(() => take(name)),
    restore: (name: string) => mutex(() => restore(name)),
    remove: (name: string) => mutex(() => drop(find(name))),
    list: (): readonly SnapshotInfo[] => {
      copiesOf(database);
      return [...snapshots.values()].sort((one, other) => one.name < other.name ? -1 : 1)
        .map(({ name, created_at, bytes }) => ({ name, created_at, bytes }));
    },
    clear: () => mutex(() => { for (const snapshot of [...snapshots.values()]) drop(snapshot); }),
  };
};

const tooMany = (problem: string) =>
  new OperationError(503, `${problem}; delete one with DELETE /-/snapshots/NAME`);
