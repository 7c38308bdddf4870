import { expect, test } from 'vitest';
import { apiPrefix } from '../../../src/contract/conventions.js';
import { createService } from '../../../src/server/service.js';
import type { Database, Queries, Row, Value } from '../../../src/server/store/database.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { seedTables } from '../../../src/server/world-file/fill.js';
import { demanded, placed, placedRoutes } from '../../support/routes.js';
import { start } from '../../support/service.js';
import { acme } from '../../support/worlds.js';
import { createClock } from '../../../src/server/clock.js';
import { createRandom } from '../../../src/server/random.js';

/** A database that tells of every statement that is asked of it. */
const watched = (database: Database, told: (sql: string, values: readonly Value[]) => void): Database => {
  const watching = (queries: Queries): Queries => ({
    ...queries,
    get: <R extends Row>(sql: string, ...values: Value[]) => { told(sql, values); return queries.get<R>(sql, ...values); },
    all: <R extends Row>(sql: string, ...values: Value[]) => { told(sql, values); return queries.all<R>(sql, ...values); },
    run: (sql, ...values) => { told(sql, values); return queries.run(sql, ...values); },
  });
  return {
    ...database,
    all: <R extends Row>(sql: string, ...values: Value[]) => { told(sql, values); return database.all<R>(sql, ...values); },
    read: (work) => database.read((queries) => work(watching(queries))),
    write: (work) => database.write((queries) => work(watching(queries))),
  };
};

/** A lone largest value is found at the end of an index; the world's settings are few. */
const isSmall = (sql: string): boolean => /^SELECT coalesce\(max\(/.test(sql) || / FROM meta /.test(sql);

/** A step over a whole table, or over all noteables of a kind; what a statement made itself may be gone through. */
const isOverAll = (detail: string): boolean =>
  /^SCAN (?!line\b|tree\b|CONSTANT)/.test(detail) || /^SEARCH .*\(kind=\?\)$/.test(detail);

test('no operation looks at all rows of a table that grows with the store', async () => {
  const statements = new Map<string, readonly Value[]>();
  const database = await openDatabase();
  let count = 0;
  const surroundings = { dialect: 'document' as const, now: () => new Date(start), hex: (length: number) => (++count).toString(16).padStart(length, '0') };
  await database.write((queries) => seedTables(queries, acme, surroundings));
  const { handle } = createService({
    ...surroundings, clock: createClock(surroundings.now), random: createRandom(undefined, surroundings.hex),
    sleep: async () => undefined, world: acme, version: '0', address: () => '',
    database: watched(database, (sql, values) => { statements.set(sql, values); }),
  });
  const succeeded = new Set<string>();
  for (const { name, endpoint, path } of placedRoutes) {
    const { method } = endpoint;
    const { status } = await handle({
      method, target: apiPrefix + placed(path, path.startsWith('/groups/') ? '10' : '20'),
      headers: { 'private-token': 'root-token', 'content-type': 'application/json' },
      ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(demanded(endpoint)) }),
    });
    if (status < 300) succeeded.add(name);
  }
  const ofThreads = ['list', 'get', 'create', 'addNote', 'modifyNote', 'deleteNote', 'resolve'].map((verb) => `discussions.merge_request.${verb}`);
  const ofEpics = ['list', 'create', 'assign', 'reorder', 'unassign'].map((verb) => `epics.${verb}`);
  expect([...succeeded]).toEqual(expect.arrayContaining([...ofThreads, ...ofEpics, 'notes.issue.list', 'discussionNotes.issue.list']));

  const found: unknown[] = [];
  for (const [sql, values] of statements) {
    const plan = await database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    const steps = plan.map(({ detail }) => detail).filter(isOverAll);
    if (steps.length > 0 && !isSmall(sql)) found.push({ sql, steps });
  }
  expect(found).toEqual([]);
  await database.close();
});
