import type { Queries, Row, Value } from '../store/database.js';
import { readEpoch, readSettings, type Settings } from './settings.js';

/** Reads of what only a new world changes: who there is, what they may, which projects and groups there are. */
export interface WorldReads extends Pick<Queries, 'get'> {
  /**
   * What a caller was granted once is granted without a question; what is missing or hidden is looked for each time, in
   * as many questions, so that the time tells nothing.
   * @param key names the thing and the caller
   */
  granted<T extends object>(key: string, look: () => Promise<T | null>): Promise<T | null>;
  readonly settings: Settings;
  /** Names the world: another after every reset. */
  readonly epoch: string;
}

/** Remembers such reads as long as the world stands. */
export interface WorldMemory {
  /** The reads of one unit of work; what was read before is not asked for again. */
  of(queries: Queries): Promise<WorldReads>;
}

const most = 10_000;

interface Remembered {
  readonly epoch: string;
  readonly settings: Settings;
  readonly rows: Map<string, Row>;
  readonly grants: Map<string, object>;
}

/**
 * One row tells whether the world is still the same, in place of the four or five that access takes. Only rows that
 * were found are kept, so that guessing tokens fills nothing.
 */
export const createWorldMemory = (): WorldMemory => {
  let world: Remembered | null = null;

  const of = async (queries: Queries): Promise<WorldReads> => {
    const epoch = await readEpoch(queries);
    if (world?.epoch !== epoch) {
      world = { epoch, settings: await readSettings(queries), rows: new Map(), grants: new Map() };
    }
    const { settings, rows, grants } = world;
    const get = async <R extends Row>(sql: string, ...values: Value[]): Promise<R | undefined> => {
      const key = JSON.stringify([sql, ...values]);
      const known = rows.get(key) as R | undefined;
      if (known) return known;
      const row = await queries.get<R>(sql, ...values);
      if (row && rows.size < most) rows.set(key, row);
      return row;
    };
    const granted = async <T extends object>(key: string, look: () => Promise<T | null>): Promise<T | null> => {
      const known = grants.get(key) as T | undefined;
      if (known) return known;
      const found = await look();
      if (found && grants.size < most) grants.set(key, found);
      return found;
    };
    return { get, granted, settings, epoch };
  };

  return { of };
};
