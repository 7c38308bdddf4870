import { throwIfAborted } from '../../../wire/http.js';
import type { Database, Row, Value, Work } from '../database.js';
import { isLost, StoreError, StoreUnavailable } from '../errors.js';
import { type Acquire, beginSession, type Connections, queryOnce, type Session, wasCommitted } from './connections.js';
import { lockKey, statementsOf, toParameter } from './queries.js';

/** Write transactions hold it shared; one that replaces the store holds it exclusively. */
const storeLock = lockKey("'store'");

/** Each statement of a write transaction sees what is committed by then: after a lock, what its holders changed. */
const beginStatements = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock_shared(${storeLock})`,
  alone: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(${storeLock})`,
};

/** A conflict gets more attempts, because another transaction may lose next time. */
const maxAttempts = { lost: 2, conflict: 8, unprepared: 2, refused: 1 };

/** Writers use connections of their own, so that readers never wait for writers that wait for each other. */
export const postgresDatabase = ({ acquireReader, acquireWriter, end }: Connections): Database => {
  const statements = statementsOf();
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const unit = <T>(once: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new StoreError('the store is closed', 'open it again'));
    const run = withRetries(once, statements.disableNames);
    running.add(run);
    const done = () => { running.delete(run); };
    run.then(done, done);
    return run;
  };
  const write = <T>(begin: string, work: Work<T>, signal?: AbortSignal): Promise<T> => unit(async () => {
    throwIfAborted(signal);
    const session = await beginSession(acquireWriter, begin, statements);
    const result = await runInSession(session, async (queries) => {
      throwIfAborted(signal);
      const made = await work(queries);
      throwIfAborted(signal);
      return made;
    });
    await commit(acquireWriter, session);
    return result;
  });
  return {
    all: <R extends Row>(sql: string, ...values: Value[]) => unit(async () => {
      const { name, text } = statements.of(sql);
      return (await queryOnce<R>(acquireReader, { name, text, values: values.map(toParameter) })).rows;
    }),
    read: (work) => unit(async () => {
      const session = await beginSession(acquireReader, beginStatements.read, statements);
      const result = await runInSession(session, work);
      session.release('open');
      return result;
    }),
    write: (work, signal) => write(beginStatements.write, work, signal),
    writeExclusively: (work) => write(beginStatements.alone, work),
    revision: () => null,
    copies: null,
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

const runInSession = async <T>(session: Session, work: Work<T>): Promise<T> => {
  try {
    return await work(session.queries);
  } catch (error) {
    session.release(isLost(error) ? 'broken' : 'open');
    throw error;
  }
};

/** If the connection is lost in between, another one looks up the outcome. */
const commit = async (acquire: Acquire, session: Session): Promise<void> => {
  try {
    if (!await session.commit()) throw new Error('a transaction continued after one of its statements failed');
    session.release('done');
  } catch (error) {
    session.release('broken');
    if (!(error instanceof StoreUnavailable)) throw error;
    const mark = session.mark();
    if (mark !== null && !await wasCommitted(acquire, mark)) throw error;
  }
};
