import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/index.js';
import { openService, startServer, type OpenWorld } from '../../../src/server/index.js';
import { maxWorlds } from '../../../src/server/isolated-worlds.js';
import { inWorld } from '../../support/isolated-worlds.js';
import { pushWorld, second } from '../../support/pushes.js';
import { receiver } from '../../support/receiver.js';
import { acme } from '../../support/worlds.js';

const issue = { id: 20, noteable_id: 1 };

const opened = async () => {
  const server = await startServer({ world: acme });
  onTestFinished(() => server.close());
  return server;
};

const clientOf = ({ url, tokens }: OpenWorld) => createClient({ url, token: tokens['developer']! });
const bodies = async (world: OpenWorld) => (await clientOf(world).notes.issue.list(issue).all()).map(({ body }) => body);

describe('a world that code opens', () => {
  it('is a copy of the initial data, apart from others', async () => {
    const server = await opened();
    const [a, b] = [await server.openWorld('a'), await server.openWorld('b')];
    await clientOf(a).notes.issue.create({ ...issue, body: 'only in a' });
    expect(await bodies(a)).toContain('only in a');
    expect(await bodies(b)).not.toContain('only in a');
    expect(a.url).toBe(server.worldUrl('a'));
    expect(a.tokens).toEqual(server.tokens);
  });

  it('is listed while it is open, oldest first', async () => {
    const server = await opened();
    expect(await server.worlds()).toEqual([]);
    const b = await server.openWorld('b');
    await fetch(`${server.worldUrl('a')}/-/reset`, { method: 'POST' });
    expect(await server.worlds()).toEqual(['b', 'a']);
    expect(await (await fetch(`${server.url}/-/worlds`)).json()).toEqual(['b', 'a']);
    await b.close();
    expect(await server.worlds()).toEqual(['a']);
  });

  it('is the world that requests made before', async () => {
    const server = await opened();
    await createClient({ url: server.worldUrl('a'), token: 'developer-token' }).notes.issue.create({ ...issue, body: 'before' });
    expect(await bodies(await server.openWorld('a'))).toContain('before');
  });

  it('has faults, a clock, snapshots and a log of its own', async () => {
    const server = await opened();
    const [a, b] = [await server.openWorld('a'), await server.openWorld('b')];
    await a.faults(['GET /version => status 418']);
    await a.clock({ now: '2030-01-01T00:00:00Z' });
    await a.snapshot('clean');
    await clientOf(a).notes.issue.create({ ...issue, body: 'later' });
    await expect(clientOf(a).lookups.version({})).rejects.toMatchObject({ status: 418 });
    expect((await a.requests({ path: '/version' })).map(({ status }) => status)).toEqual([418]);
    await a.restore('clean');
    expect(await bodies(a)).not.toContain('later');
    expect((await clientOf(b).lookups.version({})).version).toBeTruthy();
    expect([(await a.clock()).frozen, (await b.clock()).frozen]).toEqual([true, false]);
    expect((await b.faults()).rules).toEqual([]);
    await expect(b.restore('clean')).rejects.toMatchObject({ name: 'OperationError', status: 404 });
  });

  it('has webhooks and pushes of its own', async () => {
    const server = await startServer({ world: pushWorld });
    const bot = await receiver();
    onTestFinished(async () => {
      await server.close();
      await bot.close();
    });
    const [a, b] = [await server.openWorld('a'), await server.openWorld('b')];
    const root = createClient({ url: a.url, token: a.tokens['root']! });
    await root.hooks.create({ id: 20, url: bot.url, note_events: true });
    const { head_sha } = await a.push({ project: 20, merge_request: 1, diff: second });
    for (const { url, tokens } of [a, b]) {
      await createClient({ url, token: tokens['root']! }).notes.merge_request.create({ id: 20, noteable_id: 1, body: 'Pushed.' });
    }
    expect((await a.deliveries({ event: 'note', timeout: 40_000 })).map(({ status }) => status)).toEqual([200]);
    expect(bot.received.map(({ headers }) => headers['x-gitlab-instance'])).toEqual([a.url]);
    const headOf = async ({ url, tokens }: OpenWorld) =>
      (await createClient({ url, token: tokens['root']! }).lookups.mergeRequest({ id: 20, iid: 1 })).diff_refs?.head_sha;
    expect([await headOf(a), await b.deliveries(), await server.deliveries()]).toEqual([head_sha, [], []]);
    expect(await headOf(b)).not.toBe(head_sha);
    await a.reset();
    expect([await a.deliveries(), (await root.hooks.list({ id: 20 }).all()).length]).toEqual([[], 0]);
  });

  it('takes another world, and a reset restores the initial data', async () => {
    const server = await opened();
    const a = await server.openWorld('a');
    await a.set({ users: [{ username: 'eva', token: 'eva-token' }] });
    expect(a.tokens).toEqual({ eva: 'eva-token' });
    expect((await a.world()).users?.map(({ username }) => username)).toEqual(['eva']);
    expect(server.tokens['developer']).toBe('developer-token');
    await a.reset();
    expect(a.tokens).toEqual(server.tokens);
    expect(await bodies(a)).not.toEqual([]);
  });

  it('is reached where the server is, even if links have another address', async () => {
    const server = await startServer({ world: acme, externalUrl: 'http://links.example' });
    onTestFinished(() => server.close());
    const a = await server.openWorld('a');
    expect(a.url).toBe(`${server.url}/w/a`);
    expect(await bodies(a)).not.toEqual([]);
  });

  it('has a transport, even without a socket', async () => {
    const service = await openService({ world: acme });
    onTestFinished(() => service.close());
    const world = await service.openWorld('a');
    const client = createClient({ url: 'http://test', token: 'developer-token', transport: world.handle });
    await client.notes.issue.create({ ...issue, body: 'in a' });
    expect((await world.requests({ method: 'POST' })).map(({ world: name }) => name)).toEqual(['a']);
    expect(await service.requests({ method: 'POST' })).toEqual([]);
  });

  it('completes pending requests before it is closed', async () => {
    const server = await opened();
    const a = await server.openWorld('a');
    const pending = a.handle({ method: 'GET', target: '/api/v4/version', headers: { 'private-token': 'developer-token' } });
    await a.close();
    expect((await pending).status).toBe(200);
  });

  it('can be closed twice, and does nothing after that', async () => {
    const server = await opened();
    const a = await server.openWorld('a');
    await Promise.all([a.close(), a.close()]);
    await a.close();
    await expect(a.reset()).rejects.toMatchObject({ name: 'OperationError', message: 'the world a is closed; open it again with openWorld("a")' });
    expect(await a.handle({ method: 'GET', target: '/api/v4/version', headers: { 'private-token': 'developer-token' } }))
      .toMatchObject({ status: 404, body: expect.stringContaining('the world a is closed') as string });
    expect(await server.worlds()).toEqual([]);
  });

  it('does not close a newer world of the same name', async () => {
    const server = await opened();
    const first = await server.openWorld('a');
    await first.close();
    const second = await server.openWorld('a');
    await first.close();
    expect(await server.worlds()).toEqual(['a']);
    await second.reset();
  });

  it('closes at the end of a block', async () => {
    const server = await opened();
    {
      await using world = await server.openWorld('a');
      expect(await server.worlds()).toEqual([world.name]);
    }
    expect(await server.worlds()).toEqual([]);
  });

  it('needs a valid name and an open server', async () => {
    const server = await opened();
    await expect(server.openWorld('a/b')).rejects.toMatchObject({ name: 'OperationError', status: 400 });
    await server.openWorld('a');
    await server.close();
    await expect(server.openWorld('b')).rejects.toMatchObject({ message: 'the server is closed' });
    expect(await server.worlds()).toEqual([]);
  });
});

it('there are at most 500 worlds, and the error names open ones and how to close them', { timeout: 60_000 }, async () => {
  const service = await openService({ world: acme });
  onTestFinished(() => service.close());
  const worlds: OpenWorld[] = [];
  for (let i = 0; i < maxWorlds; i++) worlds.push(await service.openWorld(`w${i}`));
  await expect(service.openWorld('more')).rejects.toMatchObject({
    status: 503,
    message: 'there are already 500 worlds: w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 490 others; '
      + 'close those that are no longer needed with close() of the world or DELETE /-/worlds/NAME',
  });
  const version = async (name: string) =>
    service.handle({ method: 'GET', target: inWorld(name, '/version'), headers: { 'private-token': 'developer-token' } });
  expect(await version('more')).toMatchObject({
    status: 503, body: expect.stringContaining('"503 Service Unavailable - there are already 500 worlds: w0, w1, ') as string });
  expect((await version('w7')).status).toBe(200);
  await worlds[7]!.close();
  await service.openWorld('more');
  await service.handle({ method: 'DELETE', target: '/-/worlds/w8', headers: {} });
  expect((await version('one-more')).status).toBe(200);
});
