import type { Connection } from './connection.js';
import type { Awaitable, Queries } from './database.js';

/** A unit of work that waits to be written, and what its caller waits for. */
export interface WaitingWrite {
  readonly work: (queries: Queries) => Awaitable<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More would make the last one of a transaction wait for the first. */
export const mostAtOnce = 64;

/**
 * Runs waiting units of work in one transaction that is open already, each within a savepoint of its own: one that
 * fails leaves no trace, and the others are kept. Gives what to tell each caller once the transaction is committed.
 * @throws where the transaction itself broke, and nothing of it is kept
 */
export const runTogether = async (
  connection: Connection, queries: Queries, units: readonly WaitingWrite[],
): Promise<readonly (() => void)[]> => {
  const outcomes: (() => void)[] = [];
  for (const unit of units) {
    connection.exec('SAVEPOINT unit');
    try {
      const result = unit.work(queries);
      const settled = result instanceof Promise ? await result : result;
      connection.exec('RELEASE unit');
      outcomes.push(() => unit.resolve(settled));
    } catch (error) {
      connection.exec('ROLLBACK TO unit');
      connection.exec('RELEASE unit');
      outcomes.push(() => unit.reject(error));
    }
  }
  return outcomes;
};
