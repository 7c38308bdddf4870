import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../../src/server/clock.js';
import { snapshotLimits } from '../../../src/server/control/saved-state.js';
import { openService } from '../../../src/server/index.js';
import { createRandom } from '../../../src/server/random.js';
import { createService } from '../../../src/server/service.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { seedTables } from '../../../src/server/world-file/fill.js';
import { testService } from '../../support/service.js';
import { newStore, onPostgres } from '../../support/stores.js';
import { acme } from '../../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';
type Thread = { readonly id: string; readonly notes: readonly { readonly id: number }[] };

/** On PostgreSQL too, these tests use SQLite. */
const services = onPostgres ? [] : [['in memory', async () => testService()] as const,
  ['on a file', async () => testService({ data: await newStore() })] as const];

describe.each(services)('snapshots %s', (_where, open) => {
  it('restore the data, and give new notes the same ids again', async () => {
    const { get, post, call } = await open();
    expect((await call('PUT', '/-/snapshots/before')).status).toBe(204);
    const before = (await get('/-/world')).body;
    const first = await post<Thread>(issue, { json: { body: 'one' } });
    expect((await post('/-/snapshots/before')).status).toBe(204);
    expect((await get('/-/world')).body).toEqual(before);
    const second = await post<Thread>(issue, { json: { body: 'two' } });
    expect(second.body.notes[0]!.id).toBe(first.body.notes[0]!.id);
  });

  it('keep the award emoji of notes', async () => {
    const { get, post, call } = await open();
    const awards = '/projects/20/issues/1/notes/100/award_emoji';
    await post(awards, { json: { name: 'rocket' } });
    const before = (await get(awards)).body;
    await call('PUT', '/-/snapshots/before');
    await post(awards, { json: { name: 'eyes' } });
    await post('/-/snapshots/before');
    expect((await get(awards)).body).toEqual(before);
  });

  it('are not hidden by cached responses', async () => {
    const { get, post, call } = await open();
    await call('PUT', '/-/snapshots/before');
    for (const body of ['one', 'two']) {
      await post(issue, { json: { body } });
      expect((await get(issue)).text).toContain(`"body":"${body}"`);
      await post('/-/snapshots/before');
      expect((await get(issue)).text).not.toContain(`"body":"${body}"`);
    }
  });

  it('restore draft notes', async () => {
    const { get, post, call } = await open();
    const world = structuredClone(acme);
    Object.assign(world.projects![0]!.merge_requests![0]!, { draft_notes: [{ note: 'mine', author: 'root' }] });
    await call('PUT', '/-/world', { json: world });
    await call('PUT', '/-/snapshots/before');
    await call('PUT', '/-/world', { json: acme });
    await post('/-/snapshots/before');
    expect((await get('/-/world')).text).toContain('"note":"mine"');
  });

  it('are listed, replaced and deleted', async () => {
    const { get, call } = await open();
    expect((await get('/-/snapshots')).body).toEqual([]);
    for (const name of ['b', 'a', 'b']) await call('PUT', `/-/snapshots/${name}`);
    const { body } = await get<{ bytes: number }[]>('/-/snapshots');
    expect(body).toMatchObject([{ name: 'a', created_at: '2024-05-01T12:00:00.000Z' }, { name: 'b' }]);
    expect(body[0]!.bytes).toBeGreaterThan(1_000);
    expect((await call('DELETE', '/-/snapshots/a')).status).toBe(204);
    expect((await get('/-/snapshots')).body).toMatchObject([{ name: 'b' }]);
  });

  it('outlive a reset', async () => {
    const { get, post, call } = await open();
    await post(issue, { json: { body: 'kept in the snapshot' } });
    await call('PUT', '/-/snapshots/later');
    await post('/-/reset');
    await post('/-/snapshots/later');
    expect((await get(issue)).text).toContain('kept in the snapshot');
  });

  it('can be taken and restored at the same time as other requests', async () => {
    const { get, post, call } = await open();
    await call('PUT', '/-/snapshots/a');
    const statuses = await Promise.all([
      call('PUT', '/-/snapshots/a'), post('/-/snapshots/a'), post(issue, { json: { body: 'x' } }), call('PUT', '/-/snapshots/a'),
      post('/-/snapshots/a'), get(issue),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 201, 204, 204, 200]);
  });

  it('work from code', async () => {
    const { service, get, post } = await open();
    await service.snapshot('before');
    await post(issue, { json: { body: 'gone soon' } });
    await service.restore('before');
    expect((await get(issue)).text).not.toContain('gone soon');
    await expect(service.restore('other')).rejects.toMatchObject({ name: 'OperationError', status: 404 });
    await expect(service.snapshot('..')).rejects.toMatchObject({ status: 400, message: /invalid snapshot name/ });
  });
});

describe('the control plane', () => {
  it.each(['.', '..', 'a%20b', 'é', 'a/b', 'x'.repeat(65)])('rejects the snapshot name %j', async (name) => {
    const { call } = await testService();
    for (const method of ['PUT', 'POST', 'DELETE']) {
      const { status, body } = await call<{ message: string }>(method, `/-/snapshots/${name}`);
      expect([status, body.message]).toEqual([
        400, '400 Bad request - invalid snapshot name: use 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".." alone']);
    }
  });

  it('reports a missing snapshot', async () => {
    const { handle } = await serviceWith({});
    for (const method of ['POST', 'DELETE']) {
      expect(await handle({ method, target: '/-/snapshots/none', headers: {} })).toMatchObject({
        status: 404, body: '{"message":"404 Not Found - no snapshot is named none; take one with PUT /-/snapshots/none"}',
      });
    }
  });
});

const serviceWith = async (more: Partial<Parameters<typeof createService>[0]>) => {
  const database = await openDatabase();
  onTestFinished(() => database.close());
  const now = () => new Date(0);
  const hex = (length: number) => 'a'.repeat(length);
  await database.write((queries) => seedTables(queries, acme, { dialect: 'document', now, hex }));
  return createService({
    database, world: acme, dialect: 'document', version: '0', clock: createClock(now), random: createRandom(undefined, hex), sleep: async () => undefined,
    address: () => '', ...more,
  });
};

it('a snapshot continues a repeatable random stream where it was', async () => {
  const random = createRandom(7);
  const { operations: { snapshots } } = await serviceWith({ random });
  random.hex(40);
  await snapshots.take('one');
  const next = random.hex(40);
  await snapshots.restore('one');
  expect(random.hex(40)).toBe(next);
});

it('there are at most 100 snapshots of a service, and existing ones can be replaced', async () => {
  const { operations: { snapshots } } = await serviceWith({});
  for (let i = 0; i < snapshotLimits.count; i++) await snapshots.take(`s${i}`);
  await expect(snapshots.take('more')).rejects.toMatchObject({ status: 503, message: /already 100 snapshots; delete one/ });
  await snapshots.take('s1');
  await snapshots.remove('s2');
  await snapshots.take('more');
});

it('snapshots of several services share their memory', async () => {
  const { operations } = await serviceWith({});
  await operations.snapshots.take('a');
  const { bytes } = operations.snapshots.list()[0]!;
  const budget = { bytes: 2 * bytes - 1 };
  const [one, other] = [await serviceWith({ budget }), await serviceWith({ budget })];
  await one.operations.snapshots.take('a');
  await expect(other.operations.snapshots.take('b')).rejects.toMatchObject({ status: 503, message: /256 MiB of memory; delete one/ });
  await one.operations.snapshots.take('a');
  await one.operations.snapshots.remove('a');
  expect(budget.bytes).toBe(2 * bytes - 1);
  await other.operations.snapshots.take('b');
});

it('snapshots on PostgreSQL are rejected with the reason', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.close());
  const { handle } = await serviceWith({ database: { ...database, copies: null } });
  for (const [method, target] of [['GET', '/-/snapshots'], ['PUT', '/-/snapshots/a'], ['POST', '/-/snapshots/a'], ['DELETE', '/-/snapshots/a']] as const) {
    const { status, body } = await handle({ method, target, headers: {} });
    expect([status, body]).toEqual([501, '{"message":"501 Not Implemented - snapshots require a server that stores its data in memory or in a SQLite file"}']);
  }
});

it.each(onPostgres ? ['PUT', 'POST', 'DELETE'] : [])('a server on PostgreSQL rejects %s of a snapshot', async (method) => {
  const { call } = await testService();
  expect(await call(method, '/-/snapshots/a')).toMatchObject({ status: 501, body: { message: /501 Not Implemented - snapshots need/ } });
});

it('a service that is closed frees its snapshots', async () => {
  const service = await openService();
  await service.snapshot('a');
  await service.close();
  await expect(service.restore('a')).rejects.toMatchObject({ status: 404 });
});
