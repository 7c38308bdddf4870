import { apiPrefix } from '../../../src/contract/conventions.js';
import { createService } from '../../../src/server/service.js';
import type { Dialect } from '../../../src/contract/endpoint.js';
import type { Queries } from '../../../src/server/store/database.js';
import { openDatabase } from '../../../src/server/store/open.js';
import type { World } from '../../../src/server/world-file/schema.js';
import { seedTables } from '../../../src/server/world-file/fill.js';
import { acme } from '../../support/worlds.js';
import { createClock } from '../../../src/server/clock.js';
import { createRandom } from '../../../src/server/random.js';

/** A service on the world `acme` that has met its users, and tells beside each answer how often the store was asked for it. */
export const countedService = async (world: World = acme, dialect: Dialect = 'document') => {
  const database = await openDatabase();
  const now = () => new Date('2024-05-01T12:00:00Z');
  let ids = 0;
  const hex = (length: number) => (++ids).toString(16).padStart(length, '0');
  await database.write((queries) => seedTables(queries, world, { dialect, now, hex }));
  let asked: string[] = [];
  const counting = (queries: Queries): Queries => ({
    ...queries,
    get: (sql, ...values) => { asked.push(sql); return queries.get(sql, ...values); },
    all: (sql, ...values) => { asked.push(sql); return queries.all(sql, ...values); },
    run: (sql, ...values) => { asked.push(sql); return queries.run(sql, ...values); },
    lock: (name) => { asked.push('lock'); return queries.lock(name); },
  });
  const service = createService({
    database: {
      ...database, read: (work) => database.read((queries) => work(counting(queries))),
      write: (work) => database.write((queries) => work(counting(queries))),
    },
    world, dialect, version: '0', clock: createClock(now), sleep: async () => undefined,
    random: createRandom(undefined, hex),
    address: () => 'http://service.test',
  });
  const call = async (method: string, path: string, as: string | null, json?: unknown) => {
    asked = [];
    const { status, headers, body } = await service.handle({
      method, target: apiPrefix + path, headers: { ...(as && { 'private-token': `${as}-token` }), 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const { 'x-request-id': _, 'x-gitlab-meta': __, ...rest } = headers;
    return { status, headers: rest, body: String(body), questions: asked.length };
  };
  for (const { username } of world.users!) {
    for (const path of ['/version', '/groups/10', '/projects/20', '/projects/21']) await call('GET', path, username!);
  }
  return call;
};
