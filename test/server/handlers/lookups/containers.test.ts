import { afterEach, beforeEach, expect, test } from 'vitest';
import { earliestTime, newestVersion } from '../../../../src/contract/conventions.js';
import { epicWorld } from '../../../support/epics.js';
import { developer, lookupWorld } from '../../../support/lookups.js';
import { start, testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: lookupWorld }); });
afterEach(() => service.close());

const at = '2024-04-01T08:00:00Z';

test('the version is one that clients can compare, of an edition that has epics', async () => {
  expect((await service.get('/version')).body).toEqual({ version: newestVersion, revision: 'colloquy' });
  expect((await service.get('/metadata')).body).toEqual({ version: newestVersion, revision: 'colloquy', enterprise: true });
  expect((await service.get('/version', { as: null })).status).toBe(401);
});

test('the user is the caller; only administrators see is_admin', async () => {
  expect((await service.get('/user')).body).toEqual(developer);
  expect((await service.get('/user', { as: 'root' })).body).toMatchObject({ username: 'root', is_admin: true });
});

test('users are found by their name, whose case does not matter', async () => {
  const names = async (query: string) => (await service.get<{ username: string }[]>(`/users${query}`)).body.map(({ username }) => username);
  expect((await service.get(`/users?username=${developer.username.toUpperCase()}`)).body).toEqual([developer]);
  expect((await service.get('/users?search=DORA')).body).toEqual([developer]);
  expect((await service.get('/users?search=develop&active=true')).body).toEqual([developer]);
  expect((await service.get('/users?blocked=true')).body).toMatchObject([{ username: 'blocked' }]);
  expect((await service.get('/users?search=blocked&active=true')).body).toEqual([]);
  expect(await names('?username=nobody')).toEqual([]);
  expect(await names('?username=dor%25')).toEqual([]);
  expect(await names('')).toEqual(expect.arrayContaining([developer.username, 'root']));
  const { headers, body } = await service.get<unknown[]>('/users?per_page=1&page=2');
  expect([body.length, headers['x-total']]).toEqual([1, String((await names('')).length)]);
  expect((await service.get('/users?username=root', { as: null })).status).toBe(401);
});

test('a project is found by id and by path', async () => {
  const project = {
    id: 29, name: 'Dated', path: 'dated', path_with_namespace: 'acme/dated', visibility: 'internal',
    web_url: 'http://service.test/acme/dated', archived: false, name_with_namespace: 'acme / Dated', description: null,
    default_branch: 'main', created_at: earliestTime, last_activity_at: earliestTime,
    ssh_url_to_repo: 'git@service.test:acme/dated.git', http_url_to_repo: 'http://service.test/acme/dated.git',
    permissions: { project_access: { access_level: 30 }, group_access: null },
  };
  expect((await service.get('/projects/29')).body).toEqual(project);
  expect((await service.get('/projects/acme%2Fdated')).body).toEqual(project);
  expect((await service.get('/projects/22')).body).toMatchObject({ path_with_namespace: 'acme/old', archived: true });
});

test('a hidden project and a missing one look the same', async () => {
  for (const id of ['20', 'acme%2Fapp', '999', 'none']) {
    const { status, body } = await service.get(`/projects/${id}`, { as: 'outsider' });
    expect([id, status, body]).toEqual([id, 404, { message: '404 Project Not Found' }]);
  }
});

test('a group names its parent, the group of the path above', async () => {
  await service.close();
  service = await testService({ world: epicWorld });
  expect((await service.get('/groups/acme%2Fsub', { as: 'reporter' })).body).toEqual({
    id: 11, name: 'sub', path: 'sub', full_path: 'acme/sub', visibility: 'private',
    web_url: 'http://service.test/groups/acme/sub', parent_id: 10,
  });
  expect((await service.get('/groups/10', { as: 'reporter' })).body).toMatchObject({ full_path: 'acme', parent_id: null });
  expect((await service.get('/groups/10', { as: 'outsider' })).body).toEqual({ message: '404 Group Not Found' });
});

test('an epic is found by its internal id, with its global one', async () => {
  expect((await service.get('/groups/acme/epics/1')).body).toMatchObject({
    id: 500, iid: 1, group_id: 10, parent_id: null, title: 'Roadmap', description: '', confidential: false, state: 'opened',
    web_url: 'http://service.test/groups/acme/-/epics/1',
  });
});

test('a confidential epic and a missing one look the same without permission', async () => {
  expect((await service.get('/groups/acme/epics/2', { as: 'reporter' })).status).toBe(200);
  for (const iid of [2, 99]) {
    const { status, body } = await service.get(`/groups/acme/epics/${iid}`, { as: 'guest' });
    expect([iid, status, body]).toEqual([iid, 404, { message: '404 Not found' }]);
  }
});

test('without epics an epic is forbidden', async () => {
  await service.close();
  service = await testService({ world: { ...acme, settings: { epics: false } } });
  const { status, body } = await service.get('/groups/acme/epics/1', { as: 'root' });
  expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
});

test('a closed epic was closed with its last change', async () => {
  await service.close();
  const epics = [{ id: 1, iid: 1, state: 'closed' as const, created_at: at, updated_at: start }];
  service = await testService({ dialect: 'live', world: { users: acme.users!, groups: [{ path: 'acme', epics }] } });
  expect((await service.get('/groups/acme/epics/1', { as: 'root' })).body).toMatchObject({ state: 'closed', closed_at: start });
});
