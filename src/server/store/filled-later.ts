import { clearTimeout, setTimeout } from '../../wire/time.js';
import type { Database } from './database.js';

/** Milliseconds; a server is ready sooner. */
const idleTime = 20;

/**
 * Filled by its first use, or when idle: a server responds sooner to requests that need no data, such as checks whether
 * it is ready. If filling fails, so does every use.
 */
export const fillLater = (database: Database, fill: () => Promise<unknown>): Database => {
  let filling: Promise<unknown> | null = null;
  /** Afterwards the methods are those of the database: they cost nothing more. */
  const filled = () => filling ??= fill().then(() => Object.assign(early, database));
  const afterFilling = <A extends readonly unknown[], T>(method: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      await filled();
      return method(...given);
    };
  const scheduled = setTimeout(() => { filled().catch(() => undefined); }, idleTime).unref();
  const { copies } = database;
  const early: Database = {
    all: afterFilling(database.all) as Database['all'],
    read: afterFilling(database.read),
    write: afterFilling(database.write),
    writeExclusively: afterFilling(database.writeExclusively),
    revision: () => null,
    copies: copies && { save: afterFilling(copies.save), restore: afterFilling(copies.restore) },
    close: async () => {
      clearTimeout(scheduled);
      await filling?.catch(() => undefined);
      await database.close();
    },
  };
  return early;
};
