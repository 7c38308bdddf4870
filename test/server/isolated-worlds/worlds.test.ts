import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/index.js';
import { openService, startServer, type LoggedRequest, type ServerOptions } from '../../../src/server/index.js';
import { bodiesIn, inWorld, issue, type Thread } from '../../support/isolated-worlds.js';
import { testService } from '../../support/service.js';
import { acme } from '../../support/worlds.js';

describe('a world below /w/', () => {
  it('is made once by concurrent first requests', async () => {
    const { get, post } = await testService();
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => post(inWorld('a', issue), { json: { body: `note ${i}` } })));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const { text } = await get(inWorld('a', `${issue}?per_page=100`));
    for (let i = 0; i < 20; i++) expect(text).toContain(`"body":"note ${i}"`);
  });

  it('is made by a valid token alone, wherever the request has it', async () => {
    const { get, post, call } = await testService();
    for (const headers of [{}, { 'private-token': 'wrong' }, { authorization: 'Bearer wrong' }]) {
      expect(await get(inWorld('a', issue), { as: null, headers })).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
      expect((await call('DELETE', '/-/worlds/a')).status).toBe(404);
    }
    const ways = [
      () => get(inWorld('a', issue), { as: null, headers: { authorization: 'Bearer developer-token' } }),
      () => get(inWorld('a', `${issue}?private_token=developer-token`), { as: null }),
      () => post(inWorld('a', issue), { as: null, json: { body: 'x', private_token: 'developer-token' } }),
    ];
    for (const way of ways) {
      expect((await way()).status).toBeLessThan(300);
      expect((await call('DELETE', '/-/worlds/a')).status).toBe(204);
    }
  });

  it('accepts no token of the present data that the initial data does not have', async () => {
    const { get, call } = await testService();
    await call('PUT', '/-/world', { json: { users: [{ username: 'eva', token: 'eva-token' }] } });
    expect((await get('/user', { as: 'eva' })).status).toBe(200);
    expect((await get(inWorld('a', '/user'), { as: 'eva' })).status).toBe(401);
  });

  it.each(['.', '..', '%61', 'a%2Fb', 'é', '~', 'x'.repeat(65), ''])('rejects the name %j', async (name) => {
    const { get } = await testService();
    expect(await get(inWorld(name, issue))).toMatchObject({ status: 400, body: { message: /400 Bad request - invalid world name: use 1 to 64/ } });
  });

  it.each(['a', 'A.b-c_1', '...', 'x'.repeat(64)])('accepts the name %j', async (name) => {
    const { get } = await testService();
    expect((await get(inWorld(name, issue))).status).toBe(200);
  });

  it('responds to other paths as a server does', async () => {
    const { get } = await testService();
    await get(inWorld('a', issue));
    for (const path of ['/w/a', '/w/a/', '/w/a/api', '/w/a/w/b/api/v4/user', '/w/a?x', '/w/a/api/v3/user']) {
      expect([404, 410]).toContain((await get(path)).status);
    }
    expect((await get('/w/a/api/v4/nothing')).headers['x-colloquy-missing']).toContain('GET /api/v4/nothing');
  });
});

describe('the control plane of a world', () => {
  it('makes the world if it does not exist', async () => {
    const { get, post, call } = await testService();
    expect((await call('PUT', '/w/a/-/world', { json: { users: [{ username: 'eva', token: 'eva-token' }] } })).status).toBe(204);
    expect((await get(inWorld('a', '/user'), { as: 'eva' })).status).toBe(200);
    expect((await post('/w/b/-/reset')).status).toBe(204);
    expect((await call('DELETE', '/-/worlds/b')).status).toBe(204);
  });

  it('reports health without making the world', async () => {
    const { get, call } = await testService();
    expect(await get('/w/a/-/health', { as: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await call('DELETE', '/-/worlds/a')).status).toBe(404);
  });

  it.each<[string, ServerOptions, Record<string, string>, number]>([
    ['a web page', {}, { origin: 'http://evil.example' }, 403],
    ['a proxy', {}, { 'x-forwarded-for': '10.0.0.1' }, 403],
    ['a wrong control token', { controlToken: 'key' }, { authorization: 'Bearer other' }, 401],
    ['no control token', { controlToken: 'key' }, {}, 401],
    ['another host name', {}, { host: 'evil.example' }, 403],
  ])('is closed to %s, which makes no world either', async (_who, options, headers, status) => {
    const { post, call } = await testService(options);
    const allowed = { authorization: 'Bearer key' };
    expect((await post('/w/a/-/reset', { headers })).status).toBe(status);
    expect((await call('DELETE', '/-/worlds/a', { headers: allowed })).status).toBe(404);
    expect((await post('/w/a/-/reset', { headers: allowed })).status).toBe(204);
    expect((await post('/w/a/-/reset', { headers })).status).toBe(status);
  });

  it('cannot delete worlds or read the requests of others', async () => {
    const { get, call } = await testService();
    await get(inWorld('a', issue));
    await get(inWorld('b', '/user'));
    expect((await call('DELETE', '/w/a/-/worlds/b')).status).toBe(404);
    expect(await get('/w/a/-/requests?world=b')).toMatchObject({ status: 400, body: { message: /leave out world/ } });
  });

  it('outside of /w/ filters requests by world', async () => {
    const { get } = await testService();
    await get(issue);
    await get(inWorld('a', issue));
    expect((await get<LoggedRequest[]>('/-/requests')).body).toMatchObject([{ world: null }]);
    expect((await get<LoggedRequest[]>('/-/requests?world=a')).body).toMatchObject([{ world: 'a', target: `/api/v4${issue}` }]);
    expect((await get<LoggedRequest[]>('/-/requests?world=b')).body).toEqual([]);
  });
});

describe('a deleted world', () => {
  it('is made again by the next request, as a new copy', async () => {
    const { get, post, call } = await testService();
    const before = bodiesIn((await get<Thread[]>(issue)).body);
    await post(inWorld('a', issue), { json: { body: 'only in a' } });
    expect((await call('DELETE', '/-/worlds/a')).status).toBe(204);
    expect(bodiesIn((await get<Thread[]>(inWorld('a', issue))).body)).toEqual(before);
  });

  it('completes the requests that it has received', async () => {
    const { get, call, handle } = await testService();
    await get(inWorld('a', issue));
    const reading = Array.from({ length: 10 }, (_, i) => handle({
      method: i % 2 ? 'GET' : 'POST', target: inWorld('a', issue), headers: { 'private-token': 'developer-token', 'content-type': 'application/json' },
      ...(i % 2 === 0 && { body: '{"body":"x"}' }),
    }));
    const deleted = call('DELETE', '/-/worlds/a');
    expect((await Promise.all(reading)).map(({ status }) => status)).toEqual(reading.map((_, i) => i % 2 ? 200 : 201));
    expect((await deleted).status).toBe(204);
  });

  it('is reported if it does not exist, or has no valid name', async () => {
    const { call } = await testService();
    expect(await call('DELETE', '/-/worlds/a')).toMatchObject({ status: 404, body: { message: '404 Not Found - no world is named a' } });
    expect((await call('DELETE', '/-/worlds/..')).status).toBe(400);
  });
});

it.each([['with worlds', ['a', 'a', 'b']], ['without worlds', ['a']]])('a closed server %s makes no further ones', async (_with, names) => {
  const service = await openService({ world: acme });
  const status = async (name: string) =>
    (await service.handle({ method: 'GET', target: inWorld(name, '/version'), headers: { 'private-token': 'developer-token' } })).status;
  for (const name of names.slice(1)) expect(await status(name)).toBe(200);
  await service.close();
  expect(await Promise.all(names.map(status))).toEqual(names.map(() => 503));
});

it('clients of many worlds never see one another', { timeout: 60_000 }, async () => {
  const server = await startServer({ world: acme });
  onTestFinished(() => server.close());
  const worlds = Array.from({ length: 10 }, (_, i) => `world-${i}`);
  const bodies = (world: string) => Array.from({ length: 5 }, (_, i) => `${world}: note of client ${i}`);
  const clientOf = (world: string) => createClient({ url: server.worldUrl(world), token: 'developer-token' });
  await Promise.all(worlds.flatMap((world) => bodies(world).map((body) =>
    clientOf(world).notes.issue.create({ id: 20, noteable_id: 1, body }))));
  for (const world of worlds) {
    const notes = await clientOf(world).notes.issue.list({ id: 20, noteable_id: 1 }).all();
    expect(notes.map(({ body }) => body).filter((body) => body.includes('note of client')).sort()).toEqual(bodies(world));
  }
});

it('the address of a world in code is below that of the server', async () => {
  const service = await openService({ externalUrl: 'https://host.test/base' });
  onTestFinished(() => service.close());
  expect(service.worldUrl('test-1')).toBe('https://host.test/base/w/test-1');
  expect(() => service.worldUrl('a/b')).toThrow(/invalid world name/);
});
