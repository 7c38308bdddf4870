import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import type { Queries } from '../../../../../src/server/store/database.js';
import { OutcomeUnknown } from '../../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../../src/server/store/open.js';
import { wasCommitted } from '../../../../../src/server/store/postgres/connections.js';
import { openCuttableConnection } from '../../../../support/cut-connection.js';
import { testService, type TestService } from '../../../../support/service.js';
import { newStoreByAddress } from '../../../../support/stores.js';

let connection: Awaited<ReturnType<typeof openCuttableConnection>>;
let service: TestService;
beforeEach(async () => {
  connection = await openCuttableConnection(await newStoreByAddress());
  service = await testService({ data: connection.url });
});
afterEach(async () => {
  await service.close();
  connection.end();
});

/** The message that commits on PostgreSQL: the text, and where it ends. */
const commit = 'COMMIT\0';
const issue = '/projects/20/issues/1/discussions';
const post = (body: string) => service.post(issue, { json: { body } });
const timesKept = async (body: string): Promise<number> =>
  (await service.get<Discussion[]>(issue)).body.filter(({ notes }) => notes[0]!.body === body).length;

const away = (what = '') => ({
  status: 503, headers: { 'retry-after': '1' }, body: { message: `503 Service Unavailable - the database cannot be reached${what}` },
});

describe('a connection that breaks', () => {
  test('before the change is committed costs nothing: the change is made on another one', async () => {
    connection.cutAt('INSERT INTO notes', 'before');
    expect((await post('once')).status).toBe(201);
    expect(await timesKept('once')).toBe(1);
  });

  test('during a commit, after it succeeded: the response is sent', async () => {
    connection.cutAt(commit, 'after');
    const { status, body } = await post('once');
    expect(status).toBe(201);
    expect((await service.get(`${issue}/${(body as Discussion).id}`)).body).toEqual(body);
    expect(await timesKept('once')).toBe(1);
  });

  test('while the change is committed, with the word still under way: the truth is waited for', async () => {
    connection.cutAt(commit, 'late');
    expect((await post('once')).status).toBe(201);
    expect(await timesKept('once')).toBe(1);
  });

  test('during a commit, before it succeeded: the change is retried, and stored once', async () => {
    connection.cutAt(commit, 'before');
    expect((await post('once')).status).toBe(201);
    expect(await timesKept('once')).toBe(1);
  });

  test('while a change is committed that is the first of its connection: the truth is waited for too', async () => {
    const database = await openDatabase({ file: connection.url });
    const put = (queries: Queries, name: string) => queries.run(`INSERT INTO meta (name, value) VALUES (?, '')`, name);
    let finish = () => undefined as void;
    const busy = database.write(async (queries) => {
      await put(queries, 'busy');
      await new Promise<void>((resolve) => { finish = resolve; });
    });
    await database.write((queries) => queries.lock('warm'));
    connection.cutAt(commit, 'late');
    await database.write((queries) => put(queries, 'once'));
    finish();
    await busy;
    expect(await database.all(`SELECT name FROM meta WHERE name = 'once'`)).toEqual([{ name: 'once' }]);
    await database.close();
  });

  test('during a commit, and PostgreSQL stays away: the outcome is unknown', async () => {
    connection.cut();
    const pool = new pg.Pool({ connectionString: connection.url });
    await expect(wasCommitted(() => pool.connect(), { connection: 'a', unit: 1 }, 50)).rejects.toThrow(OutcomeUnknown);
    await pool.end();
  });

  test('in the middle of a reading unit costs nothing', async () => {
    connection.cutAt('FROM noteables', 'after');
    expect((await service.get(issue)).status).toBe(200);
  });
});

describe('while PostgreSQL is away', () => {
  test('everything that needs it gets 503 with Retry-After, cached responses too, and nothing is stored', async () => {
    await service.get(issue);
    connection.cut();
    for (const answer of [
      await service.get(issue), await service.get('/projects/20'), await service.get('/uploads/-/system/appearance/logo/1/logo.png'),
      await service.get('/-/world'),
    ]) expect(answer).toMatchObject(away());
    for (const answer of [
      await post('lost'), await service.put('/application/appearance', { as: 'root', json: { title: 'lost' } }), await service.post('/-/reset'),
    ]) expect(answer).toMatchObject(away('; nothing was stored'));
    expect((await service.get('/-/health')).status).toBe(200);
    connection.repair();
    expect(await timesKept('lost')).toBe(0);
    expect((await post('lost')).status).toBe(201);
    expect(await timesKept('lost')).toBe(1);
  });

  test('a caller who tries again until it is back gets the change made once', async () => {
    connection.cut();
    const insisting = (async () => {
      for (let tries = 1; ; tries++) {
        const { status } = await post('insisted');
        if (status !== 503) return { status, tries };
        if (tries === 3) connection.repair();
        await new Promise((resolve) => { setTimeout(resolve, 5); });
      }
    })();
    const { status, tries } = await insisting;
    expect(status).toBe(201);
    expect(tries).toBeGreaterThan(3);
    expect(await timesKept('insisted')).toBe(1);
  });
});
