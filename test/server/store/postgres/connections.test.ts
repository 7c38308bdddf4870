import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { reasons } from '../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { testService } from '../../../support/service.js';

let admin: pg.Client;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgres')!.url });
  await admin.connect();
});
afterAll(() => admin.end());

/** A store whose user may have so many connections at the same time, in all processes together. */
const storeWith = async (connections: number): Promise<{ readonly url: string; readonly role: string }> => {
  const role = `r${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT ${connections}`);
  await admin.query(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`);
  const url = new URL(inject('postgres')!.url);
  Object.assign(url, { username: role, password: 'few' });
  return { url: `${url.href}?options=${encodeURIComponent(`-c search_path=${role}`)}`, role };
};

const issue = '/projects/20/issues/1/discussions';

describe('with fewer PostgreSQL connections than a process wants', () => {
  test.each([1, 2, 3, 7])('%d, concurrent reads and changes wait for them, and all succeed', async (connections) => {
    const service = await testService({ data: (await storeWith(connections)).url });
    const bodies = Array.from({ length: 8 }, (_, i) => `change ${i}`);
    const answers = await Promise.all(bodies.flatMap((body) =>
      [service.post(issue, { json: { body } }), service.get(`${issue}?per_page=${body.length}`), service.get('/projects/20')]));
    expect(answers.map(({ status }) => status)).toEqual(bodies.flatMap(() => [201, 200, 200]));
    const { body: threads } = await service.get<Discussion[]>(`${issue}?per_page=100`);
    expect(threads.flatMap(({ notes }) => notes.map(({ body }) => body))).toEqual(expect.arrayContaining(bodies));
    await service.close();
  });

  test('a process that has none waits until another one ends', async () => {
    const { url } = await storeWith(1);
    const first = await openDatabase({ file: url });
    const opening = openDatabase({ file: url });
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    await first.close();
    const second = await opening;
    expect(await second.all(`SELECT name FROM meta WHERE name = 'schemaVersion'`)).toEqual([{ name: 'schemaVersion' }]);
    await second.close();
  });

  test('a process that gets none in time reports that the database is overloaded, and works once it gets one', async () => {
    const { url, role } = await storeWith(2);
    const service = await testService({ data: url });
    await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    const answer = await service.get('/projects/20');
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { message: `503 Service Unavailable - ${reasons.busy}` } });
    await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 2`);
    expect((await service.get('/projects/20')).status).toBe(200);
    expect((await service.post(issue, { json: { body: 'later' } })).status).toBe(201);
    await service.close();
  });
});
