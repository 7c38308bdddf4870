import { describe, expect, it, onTestFinished } from 'vitest';
import { newestVersion } from '../../../src/contract/conventions.js';
import { openService, startServer, type ClockState, type FaultState, type ServerOptions } from '../../../src/server/index.js';
import { randomHex } from '../../../src/server/random.js';
import { testService, type TestService } from '../../support/service.js';
import { onPostgres } from '../../support/stores.js';
import { acme } from '../../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';
const inWorld = (name: string, path = '/version') => `/w/${name}/api/v4${path}`;
const noon = '2024-05-01T12:00:00.000Z';

interface Thread { readonly id: string; readonly notes: readonly { readonly created_at: string }[] }

const newThread = async ({ post }: TestService, path = issue) => (await post<Thread>(path, { json: { body: 'x' } })).body;

const hitsIn = async ({ get }: TestService, path: string) =>
  (await get<FaultState>(`${path}/-/faults`)).body.rules.map(({ hits }) => hits);

const timeIn = async ({ get }: TestService, path: string) => (await get<ClockState>(`${path}/-/clock`)).body.now;

describe('the faults of a world', () => {
  it('do not affect the server itself or other worlds', async () => {
    const { get, put } = await testService();
    await put('/w/a/-/faults', { json: { rules: ['* => status 500'] } });
    expect((await get(inWorld('a'))).status).toBe(500);
    expect((await get(inWorld('b'))).status).toBe(200);
    expect((await get('/version')).status).toBe(200);
  });

  it('are not those that the server itself has got', async () => {
    const { get, put } = await testService();
    await put('/-/faults', { json: { rules: ['* => status 500'] } });
    expect((await get('/version')).status).toBe(500);
    expect((await get(inWorld('a'))).status).toBe(200);
  });

  it('are at first those that the server started with, counted for each world', async () => {
    const service = await testService({ faults: ['GET /version => status 500 times=1'] });
    for (const path of ['/version', inWorld('a'), inWorld('b')]) {
      expect((await service.get(path)).status).toBe(500);
      expect((await service.get(path)).status).toBe(200);
    }
    expect([await hitsIn(service, ''), await hitsIn(service, '/w/a'), await hitsIn(service, '/w/b')]).toEqual([[1], [1], [1]]);
  });

  it('are drawn as in the server itself, so that a test can be replayed in any world', async () => {
    const { get } = await testService({ faults: ['* => status 500 p=0.5'], faultSeed: 3 });
    const statuses = async (path: string) => {
      const got: number[] = [];
      for (let i = 0; i < 20; i++) got.push((await get(path)).status);
      return got;
    };
    const first = await statuses('/version');
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await statuses(inWorld('a'))).toEqual(first);
    expect(await statuses(inWorld('b'))).toEqual(first);
  });
});

describe('the clock of a world', () => {
  it('does not affect the server itself or other worlds', async () => {
    const service = await testService();
    await service.put('/w/a/-/clock', { json: { advance: '2h' } });
    const thread = await newThread(service, inWorld('a', issue));
    expect(thread.notes[0]!.created_at).toBe('2024-05-01T14:00:00.000Z');
    expect((await newThread(service, inWorld('b', issue))).notes[0]!.created_at).toBe(noon);
    expect((await newThread(service)).notes[0]!.created_at).toBe(noon);
  });

  it('starts with the time that the server started with', async () => {
    const service = await testService({ now: '2030-01-01T00:00:00Z' });
    await service.put('/-/clock', { json: { advance: '1d' } });
    expect(await timeIn(service, '')).toBe('2030-01-02T00:00:00.000Z');
    expect(await timeIn(service, '/w/a')).toBe('2030-01-01T00:00:00.000Z');
  });

  it('decides there when a token expires', async () => {
    const world = { users: [{ username: 'eva', tokens: [{ token: 'eva-token', expires_at: '2024-06-01' }] }] };
    const { get, put } = await testService({ world });
    const status = async (path: string) => (await get(path, { as: 'eva' })).status;
    expect(await status(inWorld('a', '/user'))).toBe(200);
    await put('/w/a/-/clock', { json: { advance: '60d' } });
    expect([await status(inWorld('a', '/user')), await status(inWorld('b', '/user')), await status('/user')]).toEqual([401, 200, 200]);
  });
});

describe('a reset', () => {
  it.each([['the server itself', '', '/w/a'], ['a world', '/w/a', '']])('of %s restores its clock and faults alone', async (_of, one, other) => {
    const service = await testService({ faults: ['GET /user => status 500'] });
    for (const path of [one, other]) {
      await service.put(`${path}/-/clock`, { json: { now: '2040-01-01T00:00:00Z' } });
      await service.put(`${path}/-/faults`, { json: { rules: ['POST * => status 501', '* => latency 0'] } });
    }
    await service.post(`${one}/-/reset`);
    expect([await timeIn(service, one), await timeIn(service, other)]).toEqual([noon, '2040-01-01T00:00:00.000Z']);
    expect([(await hitsIn(service, one)).length, (await hitsIn(service, other)).length]).toEqual([1, 2]);
  });

  it('of a world starts its rate limit again, not that of others', async () => {
    const { get, post } = await testService({ rateLimit: 1 });
    const status = async (name: string) => (await get(inWorld(name))).status;
    expect([await status('a'), await status('a'), await status('b'), await status('b')]).toEqual([200, 429, 200, 429]);
    await post('/w/a/-/reset');
    expect([await status('a'), await status('b')]).toEqual([200, 429]);
  });
});

describe('a seed', () => {
  const seeded: ServerOptions = { seed: 7, hex: randomHex };

  it('gives the same ids in every world, whatever happens in others', async () => {
    const service = await testService(seeded);
    const ids = [await newThread(service), await newThread(service)].map(({ id }) => id);
    for (const name of ['a', 'b']) {
      const path = inWorld(name, issue);
      expect([await newThread(service, path), await newThread(service, path)].map(({ id }) => id)).toEqual(ids);
    }
  });

  const worlds: [name: string, path: string][] = [['a world', '/w/a'], ...onPostgres ? [] : [['the server itself', ''] as [string, string]]];

  it.each(worlds)('gives the same ids again after a snapshot of %s was restored', async (_of, path) => {
    const service = await testService(seeded);
    const target = path === '' ? issue : inWorld('a', issue);
    const before = await newThread(service, target);
    await service.put(`${path}/-/snapshots/s`);
    const after = [await newThread(service, target), await newThread(service, target)].map(({ id }) => id);
    await service.post(`${path}/-/snapshots/s`);
    expect([await newThread(service, target), await newThread(service, target)].map(({ id }) => id)).toEqual(after);
    expect(after).not.toContain(before.id);
  });

  it('gives the same ids again after a reset of a world', async () => {
    const service = await testService(seeded);
    const path = inWorld('a', issue);
    const { id } = await newThread(service, path);
    await service.post('/w/a/-/reset');
    expect((await newThread(service, path)).id).toBe(id);
  });
});

describe('a snapshot', () => {
  it('leaves the clock and the faults as they are', async () => {
    const service = await testService();
    await service.put('/w/a/-/snapshots/s');
    await service.put('/w/a/-/clock', { json: { advance: '1h' } });
    await service.put('/w/a/-/faults', { json: { rules: ['GET /user => status 500'] } });
    await service.post('/w/a/-/snapshots/s');
    expect(await timeIn(service, '/w/a')).toBe('2024-05-01T13:00:00.000Z');
    expect((await service.get(inWorld('a', '/user'))).status).toBe(500);
  });
});

describe('a fault of delivery', () => {
  const headers = { 'private-token': 'developer-token' };
  const request = (path: string) => new Request(`http://test${path}`, { headers });

  it.each(['/api/v4/version', inWorld('a')])('reaches callers of fetch as a rejection: %s', async (path) => {
    const service = await openService({ world: acme, faults: ['* => reset times=1', '* => truncate times=1'] });
    onTestFinished(() => service.close());
    await expect(service.fetch(request(path))).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(service.fetch(request(path))).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect((await service.fetch(request(path))).status).toBe(200);
  });

  it('reaches callers of handle in a world', async () => {
    const { get } = await testService({ faults: ['* => reset'] });
    await expect(get(inWorld('a'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('closes the connection of a request to a world', async () => {
    const server = await startServer({ world: acme, faults: ['* => reset times=1', '* => truncate times=1'] });
    onTestFinished(() => server.close());
    const get = async () => (await fetch(`${server.worldUrl('a')}/api/v4/version`, { headers })).text();
    await expect(get()).rejects.toThrow('fetch failed');
    await expect(get()).rejects.toThrow('terminated');
    expect(await get()).toContain(newestVersion);
    expect((await server.fetch(request('/-/faults'))).status).toBe(200);
  });

  it('in a deleted world ends at once', async () => {
    const { get, call } = await testService({ sleep: (_time, signal) => new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    }), faults: ['GET /version => stall 60000'] });
    const stalled = get(inWorld('a'));
    const rejected = expect(stalled).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect.poll(async () => (await call<FaultState>('GET', '/w/a/-/faults')).body.rules[0]!.hits).toBe(1);
    expect((await call('DELETE', '/-/worlds/a')).status).toBe(204);
    await rejected;
  });
});
