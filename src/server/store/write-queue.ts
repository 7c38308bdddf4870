import type { Awaitable, Queries } from './database.js';
import { mostAtOnce, runTogether, type WaitingWrite } from './group-commit.js';
import { pauseAfter, whileLocked } from './patience.js';

type Work<T> = (queries: Queries) => Awaitable<T>;

/** Units of work that are written in the order they came. */
export interface WriteQueue {
  readonly write: <T>(work: Work<T>) => Promise<T>;
  /** Resolves when every unit that waits now was written, or its caller was told why not. */
  readonly settled: () => Promise<void>;
}

/** What a queue needs of its store. */
export interface WriteQueueOptions {
  /** Runs one unit of work in a transaction of its own. */
  readonly alone: <T>(work: Work<T>) => Promise<T>;
  /** Whether a transaction failed because another process holds the file. */
  readonly isLocked: (error: unknown) => boolean;
  /** How long a unit waits for such a process, in milliseconds. */
  readonly patience: number;
  /** The error that a caller gets for an engine's. */
  readonly meaningOf: (error: unknown) => Error;
}

interface Waiting extends WaitingWrite {
  /** Aborts when the unit has waited long enough for another process. */
  end?: AbortSignal;
}

/**
 * Commits writes that come in the same turn of the event loop together, for committing is what a write costs most.
 * While another process holds the file all of them wait, and those that come meanwhile join them.
 */
export const writeQueue = ({ alone, isLocked, patience, meaningOf }: WriteQueueOptions): WriteQueue => {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  /** Rejects the units that have waited long enough. */
  const giveUp = (error: unknown): void => {
    const end = AbortSignal.timeout(patience);
    for (const unit of waiting) unit.end ??= end;
    const late = waiting.filter((unit) => unit.end!.aborted);
    waiting = waiting.filter((unit) => !unit.end!.aborted);
    for (const unit of late) unit.reject(error);
  };

  const single = ({ work, resolve, reject }: WaitingWrite): Promise<void> =>
    whileLocked(() => alone(work), isLocked, patience).then(resolve, reject);

  /** @throws where another process holds the file: then nothing of the units was kept */
  const commit = async (units: readonly WaitingWrite[]): Promise<void> => {
    const [first] = units;
    try {
      if (units.length === 1) first!.resolve(await alone(first!.work));
      else for (const tell of await alone((queries) => runTogether(queries, units))) tell();
    } catch (error) {
      if (isLocked(error)) throw error;
      if (units.length === 1) first!.reject(error);
      else await Promise.all(units.map(single));
    }
  };

  const run = async (): Promise<void> => {
    for (let tries = 0; waiting.length > 0;) {
      await nextTurn();
      const units = waiting.slice(0, mostAtOnce);
      try {
        await commit(units);
        waiting.splice(0, units.length);
        tries = 0;
      } catch (error) {
        giveUp(error);
        await pauseAfter(++tries);
      }
    }
    running = null;
  };

  return {
    write: <T>(work: Work<T>) => new Promise<T>((resolve, reject) => {
      const told = (error: unknown) => { reject(meaningOf(error)); };
      waiting.push({ work, resolve: resolve as (result: unknown) => void, reject: told });
      running ??= run();
    }),
    settled: async () => { await running; },
  };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });
