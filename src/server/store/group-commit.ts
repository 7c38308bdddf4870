import type { Awaitable, Queries, Row, Value } from './database.js';

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
