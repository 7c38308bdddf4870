import type { Awaitable, Database, Queries, Row, Value } from '../database.js';
import { isLost, StoreError, StoreUnavailable } from '../errors.js';
import { queryOnce, type Connections, type Acquire } from './connections.js';
import { lockKey, toParameter, statementsOf } from './queries.js';
import { beginSession, wasCommitted, type Session } from './session.js';

type Work<T> = (queries: Queries) => Awaitable<T>;

/** Held shared by every writing unit, and alone by one that replaces the store. */
const storeLock = lockKey("'store'");

/** Each statement of a writing unit sees what is committed when it runs: after a lock, what its holders before did. */
const beginStatements = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock_shared(${storeLock})`,
  alone: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(${storeLock})`,
};

/** How often a unit is run before it is given up: oftener after a conflict, which others may lose next time. */
const maxAttempts = { lost: 2, conflict: 8, unprepared: 2, refused: 1 };

/**
 * The driver port on PostgreSQL. Units of work run side by side, writing ones on connections of their own, so that
 * readers never wait behind writers that wait for each other.
 */
export const postgresDatabase = ({ acquireReader: toRead, acquireWriter: toWrite, end }: Connections): Database => {
  const statements = statementsOf();
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const unit = <T>(once: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new StoreError('the store is closed', 'open it again'));
    const run = withRetries(once, statements.disableNames);
    running.add(run);
    const over = () => { running.delete(run); };
    run.then(over, over);
    return run;
  };
  const write = <T>(begin: string, work: Work<T>): Promise<T> => unit(async () => {
    const session = await beginSession(toWrite, begin, statements);
    const result = await runInSession(session, work);
    await commit(toWrite, session);
    return result;
  });
  return {
    all: <R extends Row>(sql: string, ...values: Value[]) => unit(async () => {
      const { name, text } = statements.of(sql);
      return (await queryOnce<R>(toRead, { name, text, values: values.map(toParameter) })).rows;
    }),
    read: (work) => unit(async () => {
      const session = await beginSession(toRead, beginStatements.read, statements);
      const result = await runInSession(session, work);
      session.release('open');
      return result;
    }),
    write: (work) => write(beginStatements.write, work),
    writeExclusively: (work) => write(beginStatements.alone, work),
    revision: () => null,
    close: async () => {
      if (closed) return;
      closed = true;
      await Promise.allSettled(running);
      await end();
    },
  };
};

const withRetries = async <T>(once: () => Promise<T>, withoutNames: () => void): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (error.why === 'unprepared') withoutNames();
      if (tried >= maxAttempts[error.why]) throw error;
    }
  }
};

/** Runs work in a transaction; where it fails, the transaction is undone. */
const runInSession = async <T>(session: Session, work: Work<T>): Promise<T> => {
  try {
    return await work(session.queries);
  } catch (error) {
    session.release(isLost(error) ? 'broken' : 'open');
    throw error;
  }
};

/** Where the connection breaks in between, another one tells what became of the unit. */
const commit = async (take: Acquire, session: Session): Promise<void> => {
  try {
    if (!await session.commit()) throw new Error('a transaction continued after one of its statements failed');
    session.release('done');
  } catch (error) {
    session.release('broken');
    if (!(error instanceof StoreUnavailable)) throw error;
    const mark = session.mark();
    if (mark !== null && !await wasCommitted(take, mark)) throw error;
  }
};
