import { afterEach, expect, test } from 'vitest';
import type { Epic, LinkedEpic } from '../../../../src/contract/epics.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { chain, epicWorld } from '../../../support/epics.js';
import { start, testService, type TestService } from '../../../support/service.js';

const children = '/groups/acme/epics/1/epics';
let service: TestService;
const open = async (world: World = epicWorld) => { service = await testService({ world }); };
afterEach(() => service.close());

const create = (json: unknown, path = children) => service.post<LinkedEpic>(path, { as: 'reporter', json });
const listed = async (path = children) => (await service.get<Epic[]>(path, { as: 'root' })).body;

test('a new epic is the first child, and the response links to it and to the link', async () => {
  await open();
  const { status, body } = await create({ title: 'New <epic>' });
  expect([status, body]).toEqual([201, {
    id: 902, iid: 8, title: 'New <epic>', group_id: 10, parent_id: 500, has_children: false, has_issues: false, reference: '&8',
    url: 'http://service.test/groups/acme/-/epics/8', relation_url: 'http://service.test/groups/acme/-/epics/1/links/902',
  }]);
  expect((await listed()).map(({ id }) => id)).toEqual([902, 501, 502, 503]);
});

test('the caller is its author, it is open and new', async () => {
  await open();
  await create({ title: 'New' });
  const [epic] = await listed();
  expect(epic).toMatchObject({ author: { username: 'reporter' }, created_at: start, updated_at: start, description: '', labels: [] });
  const lookup = await service.get('/groups/acme/epics/8', { as: 'root' });
  expect(lookup.body).toMatchObject({ state: 'opened', confidential: false, parent_id: 500 });
});

test('it belongs to the group of the path, with the next number there', async () => {
  await open();
  const { body } = await service.post('/groups/acme%2Fsub/epics/1/epics', { as: 'root', json: { title: 'Sub' } });
  expect(body).toMatchObject({ id: 902, iid: 2, group_id: 11, parent_id: 600, reference: '&2' });
});

test('threads on the new epic go by its global id, and both epics tell of the link', async () => {
  await open();
  await create({ title: 'New' });
  const notesOf = async (id: number) => (await service.get<Discussion[]>(`/groups/acme/epics/${id}/discussions`, { as: 'root' })).body
    .map(({ notes: [note] }) => [note!.body, note!.noteable_id, note!.author.username]);
  expect(await notesOf(902)).toEqual([['added epic &1 as parent epic', 902, 'reporter']]);
  expect(await notesOf(500)).toEqual([['added epic &8 as child epic', 500, 'reporter']]);
});

test('a title makes an epic also where a child is named', async () => {
  await open();
  const { body } = await create({ title: 'New', child_epic_id: 505 });
  expect(body).toMatchObject({ id: 902, title: 'New' });
  expect((await listed()).map(({ id }) => id)).toEqual([902, 501, 502, 503]);
});

test('a blank, a missing and a too long title are rejected by field', async () => {
  await open();
  for (const title of ['', '  \n', null]) {
    const { status, body } = await create({ title });
    expect([title, status, body]).toEqual([title, 400, { message: { title: ["can't be blank"] } }]);
  }
  const { status, body } = await create({ title: 'x'.repeat(256) });
  expect([status, body]).toEqual([400, { message: { title: ['is too long (maximum is 255 characters)'] } }]);
  expect((await create({ title: '😀'.repeat(255) })).status).toBe(201);
  expect(await listed()).toHaveLength(4);
});

const confidentialOf = async (iid: number) =>
  (await service.get<{ confidential: boolean }>(`/groups/acme/epics/${iid}`, { as: 'root' })).body.confidential;

test('it is as confidential as its parent unless said otherwise', async () => {
  await open();
  await create({ title: 'Open' });
  await create({ title: 'Said' , confidential: true });
  await create({ title: 'Null', confidential: null }, '/groups/acme/epics/7/epics');
  expect([await confidentialOf(8), await confidentialOf(9), await confidentialOf(10)]).toEqual([false, true, true]);
});

test('a non-confidential child of a confidential epic is rejected by field, with all other problems', async () => {
  await open();
  const { status, body } = await create({ title: '', confidential: false }, '/groups/acme/epics/7/epics');
  expect([status, body]).toEqual([400, { message: {
    title: ["can't be blank"], confidential: ['A non-confidential epic cannot be assigned to a confidential parent epic'],
  } }]);
});

test('without the feature what is said of confidentiality is ignored', async () => {
  await open({ ...epicWorld, settings: { confidential_epics: false } });
  await create({ title: 'Said', confidential: true });
  expect((await create({ title: 'Below', confidential: false }, '/groups/acme/epics/7/epics')).status).toBe(201);
  expect([await confidentialOf(8), await confidentialOf(9)]).toEqual([false, true]);
});

test('below the seventh level no epic is made', async () => {
  await open(chain(7));
  const sent = { as: 'root', json: { title: 'Eighth' } };
  expect((await service.post('/groups/acme/epics/6/epics', sent)).status).toBe(201);
  const { status, body } = await service.post('/groups/acme/epics/7/epics', sent);
  expect([status, body]).toEqual([400, { message: { parent: [
    'This epic cannot be added. One or more epics would exceed the maximum depth (7) from its most distant ancestor.',
  ] } }]);
  expect(await listed('/groups/acme/epics/7/epics')).toEqual([]);
});
