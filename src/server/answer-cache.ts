import type { HttpResponse } from '../wire/http.js';
import type { Database } from './store/database.js';
import { createVersions, type Versions } from './versions.js';

/** What an answer rests on: as long as none of it changes, the answer is the same to the byte. */
export interface Grounds {
  readonly noteable: number;
  /** Raised in the transaction of every write to the noteable's threads. */
  readonly version: number;
  /** New with every world: who there is, what they may and what things are called. */
  readonly epoch: string;
  /** When the caller's token expires; null for never. */
  readonly until: string | null;
}

/** Answers as bytes, by request and caller. */
export interface AnswerCache {
  /** The kept answer, if it still stands. */
  find(key: string, now: Date): Promise<HttpResponse | null>;
  /** @param stamp the database's when the answer began to be made */
  keep(key: string, response: HttpResponse, grounds: Grounds, stamp: number | null): void;
}

interface Kept { readonly response: HttpResponse; readonly grounds: Grounds; stamp: number | null }

/**
 * Keeps answers up to so many bytes; those not asked for longest go first. While nothing was written to the database at
 * all, a kept answer stands without a look into it; else one row tells.
 */
export const createAnswerCache = (database: Database, mostBytes = 134_217_728): AnswerCache => {
  const answers = new Map<string, Kept>();
  const versions = createVersions(database);
  const stampNow = createStamps(database);
  let bytes = 0;

  const drop = (key: string, kept: Kept): void => {
    answers.delete(key);
    bytes -= sizeOf(kept.response);
  };

  const find = async (key: string, now: Date): Promise<HttpResponse | null> => {
    const kept = answers.get(key);
    if (!kept) return null;
    const stamp = await stampNow();
    const isUnchanged = stamp !== null && stamp === kept.stamp;
    if (isExpired(kept.grounds, now) || !(isUnchanged || await stillStands(versions, kept.grounds))) {
      if (answers.get(key) === kept) drop(key, kept);
      return null;
    }
    kept.stamp = stamp;
    if (answers.get(key) === kept) {
      answers.delete(key);
      answers.set(key, kept);
    }
    return kept.response;
  };

  const keep = (key: string, response: HttpResponse, grounds: Grounds, stamp: number | null): void => {
    const before = answers.get(key);
    if (before) drop(key, before);
    if (sizeOf(response) > mostBytes * largestShare) return;
    answers.set(key, { response, grounds, stamp });
    bytes += sizeOf(response);
    for (const [oldest, kept] of answers) {
      if (bytes <= mostBytes) break;
      drop(oldest, kept);
    }
  };

  return { find, keep };
};

/**
 * The stamp of the database, no older than the request: all who ask in one turn of the event loop share one look, which
 * by itself costs a quarter of a kept answer.
 */
const createStamps = (database: Database): (() => Promise<number | null>) => {
  let next: Promise<number | null> | null = null;
  return () => next ??= new Promise<void>((resolve) => { setImmediate(resolve); }).then(() => {
    next = null;
    return database.stamp();
  });
};

/** An answer that takes more of the room than this is made anew each time: it would drive out too many others. */
const largestShare = 1 / 8;

/** Headers and bookkeeping beside the body, roughly. */
const overhead = 1_024;

const sizeOf = ({ body }: HttpResponse): number => body.length + overhead;

const isExpired = ({ until }: Grounds, now: Date): boolean => until !== null && Date.parse(until) <= now.getTime();

const stillStands = async (versions: Versions, { noteable, version, epoch }: Grounds): Promise<boolean> => {
  const row = await versions(noteable);
  return row !== undefined && row.version === version && row.epoch === epoch;
};
