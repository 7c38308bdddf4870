import type { Awaitable, Database, Queries, Row, Value } from '../database.js';
import { isLost, StoreError, StoreUnavailable } from '../errors.js';
import { askOnce, type Connections, type Take } from './connections.js';
import { lockKey, parameter, statementsOf } from './queries.js';
import { enter, wasKept, type Session } from './session.js';

type Work<T> = (queries: Queries) => Awaitable<T>;

/** Held shared by every writing unit, and alone by one that replaces the store. */
const whole = lockKey("'store'");

/** Each statement of a writing unit sees what is committed when it runs: after a lock, what its holders before did. */
const begins = {
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock_shared(${whole})`,
  alone: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(${whole})`,
};

/** How often a unit is run before it is given up: oftener after a conflict, which others may lose next time. */
const tries = { lost: 2, conflict: 8, unprepared: 2, refused: 1 };

/**
 * The driver port on PostgreSQL. Units of work run side by side, writing ones on connections of their own, so that
 * readers never wait behind writers that wait for each other.
 */
export const postgresDatabase = ({ toRead, toWrite, end }: Connections): Database => {
  const statements = statementsOf();
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const unit = <T>(once: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new StoreError('the store is closed', 'open it again'));
    const run = repeated(once, statements.withoutNames);
    running.add(run);
    const over = () => { running.delete(run); };
    run.then(over, over);
    return run;
  };
  const write = <T>(begin: string, work: Work<T>): Promise<T> => unit(async () => {
    const session = await enter(toWrite, begin, statements);
    const result = await undoing(session, work);
    await commit(toWrite, session);
    return result;
  });
  return {
    all: <R extends Row>(sql: string, ...values: Value[]) => unit(async () => {
      const { name, text } = statements.of(sql);
      return (await askOnce<R>(toRead, { name, text, values: values.map(parameter) })).rows;
    }),
    read: (work) => unit(async () => {
      const session = await enter(toRead, begins.read, statements);
      const result = await undoing(session, work);
      session.leave('open');
      return result;
    }),
    write: (work) => write(begins.write, work),
    writeAlone: (work) => write(begins.alone, work),
    stamp: () => null,
    close: async () => {
      if (closed) return;
      closed = true;
      await Promise.allSettled(running);
      await end();
    },
  };
};

const repeated = async <T>(once: () => Promise<T>, withoutNames: () => void): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (error.why === 'unprepared') withoutNames();
      if (tried >= tries[error.why]) throw error;
    }
  }
};

/** Runs work in a transaction; where it fails, the transaction is undone. */
const undoing = async <T>(session: Session, work: Work<T>): Promise<T> => {
  try {
    return await work(session.queries);
  } catch (error) {
    session.leave(isLost(error) ? 'broken' : 'open');
    throw error;
  }
};

/** Where the connection breaks in between, another one tells what became of the unit. */
const commit = async (take: Take, session: Session): Promise<void> => {
  try {
    if (!await session.commit()) throw new Error('a transaction continued after one of its statements failed');
    session.leave('done');
  } catch (error) {
    session.leave('broken');
    if (!(error instanceof StoreUnavailable)) throw error;
    const mark = session.mark();
    if (mark !== null && !await wasKept(take, mark)) throw error;
  }
};
