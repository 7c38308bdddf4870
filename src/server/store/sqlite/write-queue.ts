import type { Awaitable, Queries, Row, Value } from '../database.js';
import { delayBeforeRetry, retryWhileLocked } from './errors.js';

/** Runs units of work one after another, in the order they came. */
export type Mutex = <T>(unit: () => Awaitable<T>) => Promise<T>;

/** A gate that costs next to nothing while nobody waits. A unit must not wait for another unit of the same gate. */
export const createMutex = (): Mutex => {
  const waiting: (() => void)[] = [];
  let taken = false;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) taken = false;
    else next();
  };
  return async (unit) => {
    if (taken) await new Promise<void>((resolve) => { waiting.push(resolve); });
    taken = true;
    try {
      const result = unit();
      return result instanceof Promise ? await result : result;
    } finally {
      leave();
    }
  };
};

/** A unit of work that waits to be written, and what its caller waits for. */
export interface QueuedWrite {
  readonly work: (queries: Queries) => Awaitable<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More would make the last one of a transaction wait for the first. */
export const maxBatch = 64;

/**
 * Runs waiting units of work one after another in one transaction. Gives what to tell each caller once it is committed.
 * A unit that fails before it changed anything is told its error and is in nobody's way.
 * @throws where one fails after it changed something: then nothing may be kept, and each is to be run alone
 */
export const runBatch = async (
  queries: Queries, units: readonly QueuedWrite[],
): Promise<readonly (() => void)[]> => {
  const outcomes: (() => void)[] = [];
  for (const unit of units) {
    const seen = trackWrites(queries);
    try {
      const result = await unit.work(seen.queries);
      outcomes.push(() => unit.resolve(result));
    } catch (error) {
      if (seen.hasWritten()) throw error;
      outcomes.push(() => unit.reject(error));
    }
  }
  return outcomes;
};

/** The same queries, and whether any of them can have changed something. */
const trackWrites = (queries: Queries) => {
  let written = false;
  const track = (sql: string): string => {
    written ||= !/^\s*SELECT\b/i.test(sql);
    return sql;
  };
  const watched: Queries = {
    ...queries,
    get: <R extends Row>(sql: string, ...values: Value[]) => queries.get<R>(track(sql), ...values),
    all: <R extends Row>(sql: string, ...values: Value[]) => queries.all<R>(track(sql), ...values),
    run: (sql, ...values) => queries.run(track(sql), ...values),
    insert: (sql, ...values) => queries.insert(track(sql), ...values),
    script: (statements) => { written = true; return queries.script(statements); },
    resetIds: (table) => { written = true; return queries.resetIds(table); },
  };
  return { queries: watched, hasWritten: () => written };
};

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
  readonly runAlone: <T>(work: Work<T>) => Promise<T>;
  /** Whether a transaction failed because another process holds the file. */
  readonly isLocked: (error: unknown) => boolean;
  /** How long a unit waits for such a process, in milliseconds. */
  readonly lockTimeout: number;
  /** The error that a caller gets for an engine's. */
  readonly toUnitError: (error: unknown) => Error;
}

interface PendingWrite extends QueuedWrite {
  /** Aborts when the unit has waited long enough for another process. */
  deadline?: AbortSignal;
}

/**
 * Commits writes that come in the same turn of the event loop together, for committing is what a write costs most.
 * While another process holds the file all of them wait, and those that come meanwhile join them.
 */
export const writeQueue = ({ runAlone: alone, isLocked, lockTimeout: patience, toUnitError: meaningOf }: WriteQueueOptions): WriteQueue => {
  let waiting: PendingWrite[] = [];
  let running: Promise<void> | null = null;

  /** Rejects the units that have waited long enough. */
  const rejectExpired = (error: unknown): void => {
    const end = AbortSignal.timeout(patience);
    for (const unit of waiting) unit.deadline ??= end;
    const late = waiting.filter((unit) => unit.deadline!.aborted);
    waiting = waiting.filter((unit) => !unit.deadline!.aborted);
    for (const unit of late) unit.reject(error);
  };

  const writeSingle = ({ work, resolve, reject }: QueuedWrite): Promise<void> =>
    retryWhileLocked(() => alone(work), isLocked, patience).then(resolve, reject);

  /** @throws where another process holds the file: then nothing of the units was kept */
  const commit = async (units: readonly QueuedWrite[]): Promise<void> => {
    const [first] = units;
    try {
      if (units.length === 1) first!.resolve(await alone(first!.work));
      else for (const tell of await alone((queries) => runBatch(queries, units))) tell();
    } catch (error) {
      if (isLocked(error)) throw error;
      if (units.length === 1) first!.reject(error);
      else await Promise.all(units.map(writeSingle));
    }
  };

  const run = async (): Promise<void> => {
    for (let tries = 0; waiting.length > 0;) {
      await nextTurn();
      const units = waiting.slice(0, maxBatch);
      try {
        await commit(units);
        waiting.splice(0, units.length);
        tries = 0;
      } catch (error) {
        rejectExpired(error);
        await delayBeforeRetry(++tries);
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
