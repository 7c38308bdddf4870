import { nextTurn } from '../../../wire/time.js';
import { RequestAborted, throwIfAborted } from '../../../wire/http.js';
import type { Awaitable, Queries, Row, Value, Work } from '../database.js';
import { delayBeforeRetry, isLocked, retryWhileLocked } from './errors.js';

/** Cheap without contention. It is not reentrant. */
export const createMutex = () => {
  const waiting: (() => void)[] = [];
  let taken = false;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) taken = false;
    else next();
  };
  return async <T>(unit: () => Awaitable<T>): Promise<T> => {
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

interface QueuedWrite {
  readonly work: Work<unknown>;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  deadline?: AbortSignal;
}

/** A larger batch would delay its first caller for too long. */
const maxBatch = 64;

/**
 * In one transaction. Returns functions that settle the callers after the commit. A unit that fails before it changes
 * anything does not affect the others.
 * @throws if a unit fails after a change: then the transaction must be rolled back and each unit run alone
 */
const runBatch = async (
  queries: Queries, units: readonly QueuedWrite[],
): Promise<readonly (() => void)[]> => {
  const outcomes: (() => void)[] = [];
  const seen = trackWrites({ ...queries, batch: {} });
  for (const unit of units) {
    seen.forget();
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
  return { queries: watched, hasWritten: () => written, forget: () => { written = false; } };
};

interface WriteQueueOptions {
  readonly runAlone: <T>(work: Work<T>) => Promise<T>;
  readonly lockTimeout: number;
  readonly toUnitError: (error: unknown) => Error;
}

/**
 * Writes of the same turn of the event loop share a transaction, because the commit is the expensive part. While
 * another process holds a lock, all of them wait and later ones join.
 */
export const writeQueue = ({ runAlone, lockTimeout, toUnitError }: WriteQueueOptions) => {
  let waiting: QueuedWrite[] = [];
  let running: Promise<void> | null = null;

  const rejectExpired = (error: unknown): void => {
    const end = AbortSignal.timeout(lockTimeout);
    for (const unit of waiting) unit.deadline ??= end;
    const late = waiting.filter((unit) => unit.deadline!.aborted);
    waiting = waiting.filter((unit) => !unit.deadline!.aborted);
    for (const unit of late) unit.reject(error);
  };

  const rejectAborted = (): void => {
    const aborted = waiting.filter(({ signal }) => signal?.aborted);
    if (aborted.length === 0) return;
    waiting = waiting.filter(({ signal }) => !signal?.aborted);
    for (const unit of aborted) unit.reject(new RequestAborted());
  };

  const writeSingle = ({ work, signal, resolve, reject }: QueuedWrite): Promise<void> =>
    retryWhileLocked(async () => {
      throwIfAborted(signal);
      return runAlone(work);
    }, lockTimeout).then(resolve, reject);

  /** @throws if another process holds a lock; then nothing was stored */
  const commit = async (units: readonly QueuedWrite[]): Promise<void> => {
    const [first] = units;
    try {
      if (units.length === 1) first!.resolve(await runAlone(first!.work));
      else for (const tell of await runAlone((queries) => runBatch(queries, units))) tell();
    } catch (error) {
      if (isLocked(error)) throw error;
      if (units.length === 1) first!.reject(error);
      else await Promise.all(units.map(writeSingle));
    }
  };

  const run = async (): Promise<void> => {
    for (let tries = 0; waiting.length > 0;) {
      await nextTurn();
      rejectAborted();
      if (waiting.length === 0) break;
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
    /** @throws RequestAborted if the signal is aborted before the transaction begins */
    write: <T>(work: Work<T>, signal?: AbortSignal) => new Promise<T>((resolve, reject) => {
      const rejectUnit = (error: unknown) => { reject(toUnitError(error)); };
      waiting.push({ work, signal, resolve: resolve as (result: unknown) => void, reject: rejectUnit });
      running ??= run();
    }),
    whenSettled: async () => { await running; },
  };
};
