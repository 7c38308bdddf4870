import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Epic } from '../../../src/contract/epics.js';
import { epicWorld, firstChild } from '../../support/epics.js';
import { testService, type TestService } from '../../support/service.js';

const children = '/groups/acme/epics/1/epics';
let service: TestService;
beforeEach(async () => { service = await testService({ world: epicWorld }); });
afterEach(() => service.close());

test('the live dialect has more fields, and may have no description', async () => {
  await service.close();
  service = await testService({ world: epicWorld, dialect: 'live' });
  const { body } = await service.get<Epic[]>(children, { as: 'reporter' });
  const api = 'http://service.test/api/v4/groups/10';
  expect(body[0]).toEqual({
    ...firstChild, author: { ...firstChild.author, locked: false }, parent_iid: 1, confidential: false, state: 'opened', work_item_id: 1_000_501,
    color: '#1068bf', text_color: '#FFFFFF', imported: false, imported_from: 'none',
    web_url: 'http://service.test/groups/acme/-/epics/2', web_edit_url: '/groups/acme/-/epics/2', reference: 'acme&2',
    references: { short: '&2', relative: '&2', full: 'acme&2' }, closed_at: null, upvotes: 0, downvotes: 0,
    _links: { self: `${api}/epics/2`, epic_issues: `${api}/epics/2/issues`, group: api, parent: `${api}/epics/1` },
  });
  expect(body[1]!.description).toBe(null);
  const free = await service.get<Epic>('/groups/acme/epics/6', { as: 'reporter' });
  expect(free.body).toMatchObject({ parent_id: null, parent_iid: null, _links: { self: `${api}/epics/6`, parent: null } });
});

test('the work item of an epic has another id than the epic, which stands after that of the epic', async () => {
  await service.close();
  const world = { groups: [{ path: 'acme', epics: [{ id: 500, iid: 1 }, { id: 501, iid: 2, parent: 500, work_item_id: 77 }] }] };
  service = await testService({ world, dialect: 'live' });
  const ids = async (path: string) => Object.entries((await service.get<object>(path, { as: 'root' })).body).slice(0, 2);
  expect(await ids('/groups/acme/epics/1')).toEqual([['id', 500], ['work_item_id', 1_000_500]]);
  expect(await ids('/groups/acme/epics/2')).toEqual([['id', 501], ['work_item_id', 77]]);
  expect((await service.get('/groups/acme/epics/1000500/discussions', { as: 'root' })).status, 'the id of a work item').toBe(404);
  const { body: dump } = await service.get<typeof world>('/-/world');
  expect(dump.groups[0]!.epics).toMatchObject([{ id: 500 }, { id: 501, work_item_id: 77 }]);
  expect(dump.groups[0]!.epics[0]).not.toHaveProperty('work_item_id');
});

test.each([['19.2', false], ['19.3', true]])('notes of epics end with the id of the work item from 19.3 on: %s', async (version, shown) => {
  await service.close();
  const discussions = [{ notes: [{ body: 'x' }] }];
  const world = {
    settings: { version }, groups: [{ path: 'acme', epics: [{ id: 500, iid: 1, work_item_id: 77, discussions }] }],
    projects: [{ path: 'acme/app', issues: [{ iid: 1, discussions }] }],
  };
  service = await testService({ world, dialect: 'live' });
  const notes = async (path: string) => (await service.get<object[]>(`${path}/notes`, { as: 'root' })).body;
  await service.post('/groups/acme/epics/500/notes', { as: 'root', json: { body: 'y' } });
  await service.post('/groups/acme/epics/500/discussions', { as: 'root', json: { body: 'z' } });
  expect((await notes('/groups/acme/epics/500')).map((note) => Object.entries(note).at(-1)))
    .toEqual(Array(3).fill(shown ? ['noteable_work_item_id', 77] : ['commands_changes', {}]));
  expect((await notes('/projects/acme%2Fapp/issues/1'))[0]).not.toHaveProperty('noteable_work_item_id');
});

test('a child of another group is shown live with the address of its own group and its parent\'s', async () => {
  await service.close();
  service = await testService({ world: epicWorld, dialect: 'live' });
  await service.post(`${children}/600`, { as: 'root' });
  const { body } = await service.get<Epic[]>(children, { as: 'root' });
  expect(body.find(({ id }) => id === 600)).toMatchObject({
    reference: 'acme/sub&1', references: { short: '&1', relative: 'acme/sub&1', full: 'acme/sub&1' },
    _links: { self: 'http://service.test/api/v4/groups/11/epics/1', parent: 'http://service.test/api/v4/groups/10/epics/1' },
  });
});

test('a user is shown live in the order of the live service', async () => {
  const keys = async () => Object.keys((await service.get<Epic[]>(children, { as: 'reporter' })).body[0]!.author);
  expect(await keys()).toEqual(['id', 'name', 'username', 'state', 'avatar_url', 'web_url']);
  await service.close();
  service = await testService({ world: epicWorld, dialect: 'live' });
  expect(await keys()).toEqual(['id', 'username', 'name', 'state', 'locked', 'avatar_url', 'web_url']);
});

test('fixed dates are shown live to reporters only', async () => {
  await service.close();
  service = await testService({ world: epicWorld, dialect: 'live' });
  const { body: [seen] } = await service.get<Epic[]>(children, { as: 'guest' });
  expect(seen).not.toHaveProperty('start_date_fixed');
  expect(seen).not.toHaveProperty('start_date_is_fixed');
  expect(seen).not.toHaveProperty('due_date_fixed');
  expect(seen).not.toHaveProperty('due_date_is_fixed');
  expect(seen).toHaveProperty('start_date', '2024-02-01');
});
