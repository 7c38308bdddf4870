import { expect, it, onTestFinished, test } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { openService, startServer } from '../../../../src/server/index.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

const movedTo = (moved_from: string | string[]) =>
  ({ ...acme, projects: [{ ...acme.projects![0]!, moved_from }, ...acme.projects!.slice(1)] });

const locationOf = async (service: TestService, path: string, as = 'developer') => {
  const { status, headers } = await service.get(path, { as });
  const { location } = headers;
  return `${status} ${location && new URL(location, `http://any.test/api/v4${path}`).href}`;
};

const reads = [
  '', '/issues/1', '/issues/1/discussions?per_page=2&page=2', '/merge_requests', '/merge_requests/2/notes', '/merge_requests/2/versions',
  '/snippets/40/discussions', `/commits/${refs.commit}/discussions`, `/repository/commits/${refs.commit}/discussions`, '/members/all',
  '/hooks', '/issues/99/discussions',
];

test('each read by a former path is redirected to the same path with the id', async () => {
  const service = await testService({ world: movedTo(['acme/former', 'old/app']) });
  await everyRow(reads, (path) => path, async (path) => {
    const as = path === '/hooks' ? 'maintainer' : 'developer';
    for (const former of ['acme%2Fformer', 'old%2Fapp']) {
      expect(await locationOf(service, `/projects/${former}${path}`, as)).toBe(`301 http://any.test/api/v4/projects/20${path}`);
    }
  });
  expect(await service.get('/projects/acme%2Fformer')).toMatchObject({
    headers: { 'content-type': 'text/plain' },
    text: 'This resource has been moved permanently to 20.',
  });
});

it('is found whatever the case of its paths, of which only the former one is redirected', async () => {
  const service = await testService({ world: movedTo('old/app') });
  expect(await locationOf(service, '/projects/Old%2FApp')).toBe('301 http://any.test/api/v4/projects/20');
  expect(await locationOf(service, '/projects/Acme%2FApp/issues/1')).toBe('200 undefined');
  expect(await service.post('/projects/ACME%2FAPP/issues/1/notes', { json: { body: 'x' } })).toMatchObject({ status: 201 });
});

it('is found by a client of the service in the process, whatever its URL', async () => {
  const service = await openService({ world: movedTo('acme/former') });
  onTestFinished(service.close);
  await everyRow(['http://test', 'http://127.0.0.1:1', 'https://test/gitlab'], (url) => url, async (url) => {
    const client = createClient({ url, token: 'owner-token', transport: service.handle });
    const place = { id: 'acme/former', noteable_id: 1 };
    expect((await client.notes.issue.list(place).all()).length).toBeGreaterThan(0);
    await expect(client.notes.issue.create({ ...place, body: 'x' })).rejects
      .toMatchObject({ name: 'MovedProjectError', from: 'acme/former', to: 'acme/app' });
  });
});

it('is found by a client of another name of the loopback address', async () => {
  const server = await startServer({ world: movedTo('acme/former') });
  onTestFinished(server.close);
  for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost'), server.worldUrl('a').replace('127.0.0.1', 'localhost')]) {
    const client = createClient({ url, token: 'owner-token' });
    expect((await client.notes.issue.list({ id: 'acme/former', noteable_id: 1 }).all()).length).toBeGreaterThan(0);
  }
});

const writes: [method: string, path: string, json: object][] = [
  ['POST', '/issues/1/discussions', { body: 'x' }], ['POST', '/merge_requests/2/notes', { body: 'x' }],
  ['PUT', '/issues/1/notes/102', { body: 'x' }], ['DELETE', '/issues/1/notes/103', {}], ['POST', '/issues/99/notes', { body: 'x' }],
  ['POST', '/merge_requests/2/draft_notes', { note: 'x' }], ['PUT', '/merge_requests/2', { title: 'x' }],
];

test('each write by a former path is rejected, and changes nothing', async () => {
  const service = await testService({ world: movedTo('acme/former'), dialect: 'live' });
  const before = (await service.get('/-/world')).text;
  await everyRow(writes, ([method, path]) => `${method} ${path}`, async ([method, path, json]) => {
    expect(await service.call(method, `/projects/acme%2Fformer${path}`, { json })).toMatchObject({
      status: 405, body: { message: 'Non GET methods are not allowed for moved projects' },
    });
  });
  expect((await service.get('/-/world')).text).toBe(before);
});

it('names what the operation does not read, like a project that did not move', async () => {
  const service = await testService({ world: movedTo('acme/former') });
  const read = await service.get('/projects/acme%2Fformer/issues/1?colour=red');
  const written = await service.put('/projects/acme%2Fformer/issues/1/notes/102', { json: { body: 'x', colour: 'red' } });
  expect([read, written].map(({ status, headers }) => [status, headers['x-colloquy-unread']])).toEqual([[301, 'colour'], [405, 'colour']]);
});

it('is hidden like the project itself, and checks the token and parameters first', async () => {
  const service = await testService({ world: movedTo('acme/former') });
  const post = (as: string | null, json: object) => service.post('/projects/acme%2Fformer/issues/1/discussions', { as, json });
  expect(await service.get('/projects/acme%2Fformer', { as: 'outsider' })).toMatchObject({ status: 404 });
  expect(await service.get('/projects/acme%2Fformer', { as: null })).toMatchObject({ status: 401 });
  expect(await post('outsider', { body: 'x' })).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
  expect(await post('developer', {})).toMatchObject({ status: 400 });
});

it('is unknown to live versions before 16.7', async () => {
  const service = await testService({ world: movedTo('acme/former'), dialect: 'live', serviceVersion: '16.6' });
  const missing = { status: 404, body: { message: '404 Project Not Found' } };
  expect(await service.get('/projects/acme%2Fformer')).toMatchObject(missing);
  expect(await service.post('/projects/acme%2Fformer/issues/1/notes', { json: { body: 'x' } })).toMatchObject(missing);
});

it('is in the dump of the world, also after a new one was set', async () => {
  const service = await testService({ world: movedTo(['old/app', 'acme/former']) });
  const { body: world } = await service.get<typeof acme>('/-/world');
  expect(world.projects!.map(({ moved_from }) => moved_from)).toEqual([['acme/former', 'old/app'], ...acme.projects!.slice(1).map(() => undefined)]);
  expect(await service.call('PUT', '/-/world', { json: { ...world, projects: [{ ...world.projects![0], moved_from: 'acme/earlier' }] } }))
    .toMatchObject({ status: 204 });
  expect((await service.get('/projects/acme%2Fformer')).status).toBe(404);
  expect((await service.get('/projects/acme%2Fearlier')).status).toBe(301);
});

it('never has a token of the query in the log', async () => {
  const service = await testService({ world: movedTo('acme/former') });
  await service.get('/projects/acme%2Fformer?private_token=developer-token', { as: null });
  expect((await service.get('/-/requests')).text).not.toContain('developer-token');
});
