import { hash } from 'node:crypto';
import type { Handler, HttpResponse } from '../../wire/http.js';
import { nextTurn } from '../../wire/time.js';
import { padded } from '../repositories/noteables.js';
import { type Database, placeholders, type Row } from '../store/database.js';
import { type ApiRequest, responseKey, type Dependencies } from './request.js';

export const withCache = (
  handler: Handler<ApiRequest>, database: Database, now: () => Date, maxBytes?: number,
): Handler<ApiRequest> => {
  const cache = createResponseCache(database, maxBytes);
  return async (request) => {
    const key = hash('sha256', responseKey(request), 'base64');
    const cached = await cache.find(key, now());
    if (cached) {
      Object.assign(request.trace, cached.dependencies.trace);
      return cached.response;
    }
    const revision = database.revision();
    const response = await handler(request);
    const { dependencies } = request;
    if (response.status === 200 && dependencies !== null) cache.store(key, response, dependencies, revision);
    return response;
  };
};

interface CachedResponse { readonly response: HttpResponse; readonly dependencies: Dependencies }

interface CacheEntry extends CachedResponse { revision: number | null }

/** Limited in bytes. While the database has the same revision, entries need no query; otherwise one row decides. */
export const createResponseCache = (database: Database, maxBytes = 134_217_728) => {
  const entries = new Map<string, CacheEntry>();
  const versions = createVersions(database);
  const currentRevision = createRevisions(database);
  let bytes = 0;
  /** One iterator for all: a new one would first skip every deleted entry. */
  let oldest = entries.entries();

  const drop = (key: string, entry: CacheEntry): void => {
    entries.delete(key);
    bytes -= responseSize(entry.response);
  };

  const find = async (key: string, now: Date): Promise<CachedResponse | null> => {
    const entry = entries.get(key);
    if (!entry) return null;
    const revision = await currentRevision();
    const isUnchanged = revision !== null && revision === entry.revision;
    if (isExpired(entry.dependencies, now) || !(isUnchanged || await isCurrent(versions, entry.dependencies))) {
      if (entries.get(key) === entry) drop(key, entry);
      return null;
    }
    entry.revision = revision;
    if (entries.get(key) === entry) {
      entries.delete(key);
      entries.set(key, entry);
    }
    return entry;
  };

  const store = (key: string, response: HttpResponse, dependencies: Dependencies, revision: number | null): void => {
    const before = entries.get(key);
    if (before) drop(key, before);
    if (responseSize(response) > maxBytes * maxShare) return;
    entries.set(key, { response, dependencies, revision });
    bytes += responseSize(response);
    while (bytes > maxBytes) {
      const { value, done } = oldest.next();
      if (done) oldest = entries.entries();
      else drop(...value);
    }
  };

  return { find, store };
};

/** All requests of one turn of the event loop share a lookup, which by itself costs a quarter of a cached response. */
const createRevisions = (database: Database): (() => Promise<number | null>) => {
  let next: Promise<number | null> | null = null;
  return () => next ??= nextTurn().then(() => {
    next = null;
    return database.revision();
  });
};

/** Larger responses are not cached: they would evict too many others. */
const maxShare = 1 / 8;

const overhead = 1_024;

const responseSize = ({ body }: HttpResponse): number => body.length + overhead;

const isExpired = ({ until }: Dependencies, now: Date): boolean => until !== null && Date.parse(until) <= now.getTime();

const isCurrent = async (versions: Versions, { noteable, version, epoch }: Dependencies): Promise<boolean> => {
  const row = await versions(noteable);
  return row !== undefined && row.version === version && row.epoch === epoch;
};

interface VersionRow extends Row {
  readonly noteable: number;
  readonly version: number;
  readonly epoch: string | null;
}

type Versions = (noteable: number) => Promise<VersionRow | undefined>;

type Rows = Promise<ReadonlyMap<number, VersionRow>>;

/** Lookups that arrive during a query share the next one, so no result is older than its request. */
export const createVersions = (database: Database): Versions => {
  let running: Promise<unknown> = Promise.resolve();
  let next: { readonly ids: Set<number>; readonly rows: Rows } | null = null;
  return async (noteable) => {
    next ??= batch();
    next.ids.add(noteable);
    return (await next.rows).get(noteable);
  };

  function batch() {
    const ids = new Set<number>();
    const rows = running.then(() => {
      next = null;
      return storedVersions(database, [...ids]);
    });
    running = rows.catch(() => undefined);
    return { ids, rows };
  }
};

const storedVersions = async (database: Database, ids: readonly number[]): Rows => {
  const keys = padded(ids);
  const rows = await database.all<VersionRow>(
    `SELECT noteable, version, (SELECT value FROM meta WHERE name = 'epoch') AS epoch
     FROM activity WHERE noteable IN (${placeholders(keys.length)})`, ...keys);
  return new Map(rows.map((row) => [row.noteable, row]));
};
