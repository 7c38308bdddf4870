import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import type { Dialect } from '../../../../src/contract/endpoint.js';
import type { Epic } from '../../../../src/contract/epics.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { epicWorld, firstChild } from '../../../support/epics.js';
import { testService, type TestService } from '../../../support/service.js';

const children = '/groups/acme/epics/1/epics';
let service: TestService;
beforeEach(async () => { service = await testService({ world: epicWorld }); });
afterEach(() => service.close());

const ids = (epics: readonly Epic[]) => epics.map(({ id }) => id);

test('children are listed in their order with the fields of the document, and a description is always text', async () => {
  const { status, headers, body } = await service.get<Epic[]>(children, { as: 'reporter' });
  expect(status).toBe(200);
  expect(ids(body)).toEqual([501, 502, 503]);
  expect(body[0]).toEqual(firstChild);
  expect(body[1]!.description).toBe('');
  expect(headers).toMatchObject({ 'x-total': '3', 'x-page': '1', 'x-per-page': '20', 'x-next-page': '' });
});

test('children that the caller may not read are left out and not counted', async () => {
  const { headers, body } = await service.get<Epic[]>(children, { as: 'guest' });
  expect(ids(body)).toEqual([501, 502]);
  expect(headers['x-total']).toBe('2');
});

test('the list is paged', async () => {
  const page = await service.get<Epic[]>(`${children}?per_page=2&page=2`, { as: 'reporter' });
  expect(ids(page.body)).toEqual([503]);
  expect(page.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-prev-page': '1', 'x-next-page': '' });
  expect((await service.get<Epic[]>(`${children}?page=9`, { as: 'reporter' })).body).toEqual([]);
});

const many: World = {
  users: epicWorld.users!,
  groups: [{ path: 'acme', epics: [{ id: 1, iid: 1 }, ...Array.from({ length: 45 }, (_, i) => ({ id: i + 2, iid: i + 2, parent: 1 }))] }],
};

test('the live dialect returns all children and ignores pagination', async () => {
  await service.close();
  service = await testService({ world: many, dialect: 'live' });
  for (const query of ['', '?per_page=10', '?page=2', '?per_page=0&page=abc']) {
    const { status, headers, body } = await service.get<Epic[]>(children + query, { as: 'root' });
    expect([status, body.length]).toEqual([200, 45]);
    expect(Object.keys(headers).filter((name) => /^x-(?!request|colloquy-unread|content|frame|gitlab)|link/.test(name))).toEqual([]);
  }
});

test.each<Dialect>(['document', 'live'])('a client lists all children in the %s dialect, each once', async (dialect) => {
  await service.close();
  service = await testService({ world: many, dialect });
  const client = createClient({ url: 'http://service.test', token: 'root-token', transport: (request) => service.handle(request) });
  for (const per_page of [undefined, 10, 45, 100]) {
    const list = client.epics.list({ id: 'acme', iid: 1, per_page });
    expect((await list.all()).map(({ id }) => id)).toEqual(Array.from({ length: 45 }, (_, i) => i + 2));
  }
});

test('siblings at the same position stand by id, the larger first', async () => {
  await service.close();
  const epics = [{ id: 1, iid: 1 }, ...[2, 3, 4].map((id) => ({ id, iid: id, parent: 1, position: id === 4 ? 7 : 5 }))];
  service = await testService({ world: { users: epicWorld.users!, groups: [{ path: 'acme', epics }] } });
  expect(ids((await service.get<Epic[]>(children, { as: 'root' })).body)).toEqual([3, 2, 4]);
});

test('the group may be named by id or path, with or without the infix of moved routes; an epic without children has none', async () => {
  expect(ids((await service.get<Epic[]>('/groups/10/epics/1/epics', { as: 'reporter' })).body)).toEqual([501, 502, 503]);
  expect(ids((await service.get<Epic[]>('/groups/10/-/epics/1/epics', { as: 'reporter' })).body)).toEqual([501, 502, 503]);
  expect((await service.get('/groups/acme%2Fsub/epics/1/epics', { as: 'reporter' })).body).toEqual([]);
});

test('a public group is visible to every user', async () => {
  expect(ids((await service.get<Epic[]>('/groups/open/epics/1/epics', { as: 'outsider' })).body)).toEqual([901]);
  expect((await service.get('/groups/open/epics/1/epics', { as: null })).status).toBe(401);
});

test('the fixed dates of an epic of another group are shown to reporters of that group', async () => {
  await service.close();
  const dated = { start_date_fixed: '2024-04-01', due_date_fixed: '2024-09-01' };
  service = await testService({ dialect: 'live', world: {
    users: ['both', 'above', 'below'].map((username) => ({ username, token: `${username}-token` })),
    groups: [
      { path: 'acme', visibility: 'internal', members: { both: 'reporter', above: 'reporter', below: 'guest' },
        epics: [{ id: 500, iid: 1 }, { id: 501, iid: 2, parent: 500 }] },
      { path: 'other', visibility: 'internal', members: { both: 'reporter', above: 'guest', below: 'owner' },
        epics: [{ id: 700, iid: 1, parent: 500, ...dated }, { id: 701, iid: 2, ...dated }] },
      { path: 'acme/sub', visibility: 'internal', members: { below: 'owner' }, epics: [{ id: 800, iid: 1, ...dated }] },
    ],
  } });
  const shows = (epics: Epic | readonly Epic[], id: number) => 'due_date_fixed' in [epics].flat().find((epic) => epic.id === id)!;
  for (const [as, other, sub] of [['both', true, true], ['above', false, true], ['below', true, true]] as const) {
    const call = async (method: 'get' | 'post' | 'put' | 'delete', path: string) => (await service[method]<Epic | Epic[]>(path, { as })).body;
    expect(shows(await call('get', '/groups/other/epics/1'), 700), as).toBe(other);
    expect(shows(await call('get', children), 700), as).toBe(other);
    expect(shows(await call('get', children), 501), as).toBe(as !== 'below');
    expect(shows(await call('put', `${children}/501?move_before_id=700`), 700), as).toBe(other);
    expect(shows(await call('post', `${children}/701`), 701), as).toBe(other);
    expect(shows(await call('delete', `${children}/701`), 701), as).toBe(other);
    expect(shows(await call('get', '/groups/acme/epics'), 800), as).toBe(sub);
    expect(shows(await call('get', '/groups/acme/epics'), 500), as).toBe(as !== 'below');
  }
});
