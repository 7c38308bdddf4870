import type { Awaitable, Queries, Row, Value } from '../database.js';
import { pauseAfter, whileLocked } from './errors.js';

/** Runs units of work one after another, in the order they came. */
export type Gate = <T>(unit: () => Awaitable<T>) => Promise<T>;

/** A gate that costs next to nothing while nobody waits. A unit must not wait for another unit of the same gate. */
export const gate = (): Gate => {
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
export interface WaitingWrite {
  readonly work: (queries: Queries) => Awaitable<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More would make the last one of a transaction wait for the first. */
export const mostAtOnce = 64;

/**
 * Runs waiting units of work one after another in one transaction. Gives what to tell each caller once it is committed.
 * A unit that fails before it changed anything is told its error and is in nobody's way.
 * @throws where one fails after it changed something: then nothing may be kept, and each is to be run alone
 */
export const runTogether = async (
  queries: Queries, units: readonly WaitingWrite[],
): Promise<readonly (() => void)[]> => {
  const outcomes: (() => void)[] = [];
  for (const unit of units) {
    const seen = watching(queries);
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
const watching = (queries: Queries) => {
  let written = false;
  const noting = (sql: string): string => {
    written ||= !/^\s*SELECT\b/i.test(sql);
    return sql;
  };
  const watched: Queries = {
    ...queries,
    get: <R extends Row>(sql: string, ...values: Value[]) => queries.get<R>(noting(sql), ...values),
    all: <R extends Row>(sql: string, ...values: Value[]) => queries.all<R>(noting(sql), ...values),
    run: (sql, ...values) => queries.run(noting(sql), ...values),
    insert: (sql, ...values) => queries.insert(noting(sql), ...values),
    script: (statements) => { written = true; return queries.script(statements); },
    numberOn: (table) => { written = true; return queries.numberOn(table); },
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
