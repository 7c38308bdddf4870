import { afterEach, describe, expect, test } from 'vitest';
import type { Epic, LinkedEpic } from '../../../../src/contract/epics.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { ServerOptions } from '../../../../src/server/index.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { chain, epicWorld } from '../../../support/epics.js';
import { start, testService, type TestService } from '../../../support/service.js';

let service: TestService;
const open = async (world: World = epicWorld, options: ServerOptions = {}) => { service = await testService({ world, ...options }); };
afterEach(() => service.close());

const childrenOf = async (parent: string) =>
  (await service.get<Epic[]>(`/groups/${parent}/epics?per_page=100`, { as: 'root' })).body.map(({ id }) => id);
const bodiesOn = async (group: string, id: number) =>
  (await service.get<Discussion[]>(`/groups/${group}/epics/${id}/discussions`, { as: 'root' })).body
    .map(({ notes: [note], individual_note }) => [note!.body, note!.system, note!.type, individual_note]);

describe('assigning a child', () => {
  const assign = (parent: string, child: number | string, as = 'root') =>
    service.post<Epic>(`/groups/${parent}/epics/${child}`, { as });

  test('an epic becomes the first child and is returned, and updated_at changes', async () => {
    await open();
    const { status, body } = await assign('acme/epics/1', 505, 'reporter');
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: 505, iid: 6, parent_id: 500, created_at: '2024-01-06T00:00:00.000Z', updated_at: start });
    expect(await childrenOf('acme/epics/1')).toEqual([505, 501, 502, 503]);
  });

  test('the link updates the parent too', async () => {
    await open();
    await assign('acme/epics/1', 505);
    expect((await service.get<Epic>('/groups/acme/epics/1', { as: 'root' })).body.updated_at).toBe(start);
  });

  test('the child may travel as a parameter, as in the table of the document', async () => {
    await open();
    const { status, body } = await service.post('/groups/acme/epics/1/epics', { as: 'root', form: { child_epic_id: '505' } });
    expect([status, body]).toMatchObject([201, { id: 505, parent_id: 500 }]);
  });

  test('both epics tell of the link in a system note', async () => {
    await open();
    await assign('acme/epics/1', 505, 'reporter');
    expect(await bodiesOn('acme', 500)).toEqual([['added epic &6 as child epic', true, null, true]]);
    expect(await bodiesOn('acme', 505)).toEqual([['added epic &1 as parent epic', true, null, true]]);
  });

  test('a child of another epic is moved over with what hangs below it, and all three epics tell', async () => {
    await open();
    const { status, body } = await assign('acme/epics/6', 502);
    expect([status, body.parent_id]).toEqual([201, 505]);
    expect(await childrenOf('acme/epics/1')).toEqual([501, 503]);
    expect(await childrenOf('acme/epics/6')).toEqual([502]);
    expect(await childrenOf('acme/epics/3')).toEqual([504]);
    expect((await bodiesOn('acme', 500)).map(([text]) => text)).toEqual(['removed child epic &3']);
    expect((await bodiesOn('acme', 505)).map(([text]) => text)).toEqual(['added epic &3 as child epic']);
    expect((await bodiesOn('acme', 502)).map(([text]) => text)).toEqual(['removed parent epic &1', 'added epic &6 as parent epic']);
  });

  test('an epic of a subgroup may be a child; seen from another group its reference names its own', async () => {
    await open();
    expect((await assign('acme/epics/1', 600)).status).toBe(201);
    expect(await childrenOf('acme/epics/1')).toEqual([600, 501, 502, 503]);
    expect((await bodiesOn('acme', 500)).map(([text]) => text)).toEqual(['added epic acme/sub&1 as child epic']);
    expect((await bodiesOn('acme%2Fsub', 600)).map(([text]) => text)).toEqual(['added epic acme&1 as parent epic']);
  });

  test('an unknown epic, a hidden one and none at all are not found, in the same words', async () => {
    await open();
    const missing = [404, { message: 'No Epic found for given params' }];
    for (const child of [999, 800, 0, -1]) {
      const { status, body } = await assign('acme/epics/1', child, 'reporter');
      expect([child, [status, body]]).toEqual([child, missing]);
    }
    const { status, body } = await service.post('/groups/acme/epics/1/epics', { as: 'reporter', json: { child_epic_id: null } });
    expect([status, body]).toEqual(missing);
  });

  test('a child that does not fit is a conflict with its own sentence, and nothing changes', async () => {
    await open(epicWorld, { serviceVersion: '13.12' });
    const conflict = async (parent: string, child: number) => {
      const { status, body } = await assign(parent, child);
      return [status, (body as unknown as { message: string }).message];
    };
    expect(await conflict('acme/epics/1', 500)).toEqual([409, 'This epic cannot be added. An epic cannot be added to itself.']);
    expect(await conflict('acme/epics/1', 501))
      .toEqual([409, 'This epic cannot be added. It is already assigned to the parent epic.']);
    expect(await conflict('acme/epics/3', 500))
      .toEqual([409, 'This epic cannot be added. It is already an ancestor of the parent epic.']);
    expect(await conflict('acme/epics/5', 500))
      .toEqual([409, 'This epic cannot be added. It is already an ancestor of the parent epic.']);
    const elsewhere = [409, 'This epic cannot be added. An epic must belong to the same group or subgroup as its parent epic.'];
    expect(await conflict('acme/epics/1', 700)).toEqual(elsewhere);
    expect(await conflict('acme%2Fsub/epics/1', 505)).toEqual(elsewhere);
    expect(await conflict('acme/epics/7', 505))
      .toEqual([409, 'A non-confidential epic cannot be assigned to a confidential parent epic']);
    expect(await childrenOf('acme/epics/1')).toEqual([501, 502, 503]);
    expect(await bodiesOn('acme', 500)).toEqual([]);
  });

  test('a confidential epic may hang below a confidential one', async () => {
    await open();
    expect((await assign('acme/epics/7', 503)).status).toBe(201);
  });

  const tooDeep = {
    message: 'This epic cannot be added. One or more epics would exceed the maximum depth (7) from its most distant ancestor.',
  };

  test('a tree is seven levels deep at most', async () => {
    await open(chain(6, [{ id: 20, iid: 20 }, { id: 30, iid: 30 }, { id: 31, iid: 31, parent: 30 }]), { serviceVersion: '13.12' });
    const refused = await assign('acme/epics/6', 30);
    expect([refused.status, refused.body]).toEqual([409, tooDeep]);
    expect((await assign('acme/epics/5', 30)).status).toBe(201);
    expect((await assign('acme/epics/6', 20)).status).toBe(201);
    const below = await assign('acme/epics/20', 31);
    expect([below.status, below.body]).toEqual([409, tooDeep]);
  });

  test('a tree of a service before version 13 is five levels deep at most', async () => {
    await open(chain(4, [{ id: 20, iid: 20 }, { id: 30, iid: 30 }, { id: 31, iid: 31, parent: 30 }]), { serviceVersion: '12.10' });
    const text = tooDeep.message.replace('7', '5');
    const refused = await assign('acme/epics/4', 30);
    expect([refused.status, refused.body]).toEqual([409, { message: text }]);
    expect((await assign('acme/epics/4', 20)).status).toBe(201);
    const created = await service.post('/groups/acme/epics/20/epics', { as: 'root', json: { title: 'Sixth' } });
    expect([created.status, created.body]).toEqual([400, { message: { parent: [text] } }]);
  });

  test('an epic has 5,000 children at most', async () => {
    const epics = Array.from({ length: 4999 }, (_, i) => ({ id: i + 10, iid: i + 10, parent: 1 }));
    await open(chain(1, [...epics, { id: 6000, iid: 6000 }, { id: 6001, iid: 6001 }]));
    expect((await assign('acme/epics/1', 6000)).status).toBe(201);
    const full = 'You cannot add any more epics. This epic already has maximum number of child issues & epics.';
    const refused = await assign('acme/epics/1', 6001);
    expect([refused.status, refused.body]).toEqual([409, { message: full }]);
    const created = await service.post('/groups/acme/epics/1/epics', { as: 'root', json: { title: 'One more' } });
    expect([created.status, created.body]).toEqual([400, { message: { parent: [full] } }]);
  });
});

describe('creating a child', () => {
  const children = '/groups/acme/epics/1/epics';

  const create = (json: unknown, path = children) => service.post<LinkedEpic>(path, { as: 'reporter', json });
  const listed = async (path = children) => (await service.get<Epic[]>(path, { as: 'root' })).body;

  const confidentialOf = async (iid: number) =>
    (await service.get<{ confidential: boolean }>(`/groups/acme/epics/${iid}`, { as: 'root' })).body.confidential;

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

  test('a title makes an epic even where a child is named', async () => {
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

  test('it is as confidential as its parent unless said otherwise', async () => {
    await open();
    await create({ title: 'Open' });
    await create({ title: 'Said' , confidential: true });
    await create({ title: 'Null', confidential: null }, '/groups/acme/epics/7/epics');
    expect([await confidentialOf(8), await confidentialOf(9), await confidentialOf(10)]).toEqual([false, true, true]);
  });

  test('a non-confidential child of a confidential epic is rejected by field, with all other problems', async () => {
    await open(epicWorld, { serviceVersion: '13.12' });
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
});

describe('unassigning a child', () => {
  const unassign = (parent: number, child: number | string, as = 'reporter') =>
    service.delete<Epic>(`/groups/acme/epics/${parent}/epics/${child}`, { as });

  test('the response has the child without a parent; it keeps its group and children, and updated_at changes', async () => {
    await open();
    const { status, body } = await unassign(1, 502);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 502, iid: 3, group_id: 10, parent_id: null, updated_at: start });
    expect(await childrenOf('acme/epics/1')).toEqual([501, 503]);
    expect(await childrenOf('acme/epics/3')).toEqual([504]);
  });

  test('both epics tell of it in a system note', async () => {
    await open();
    await unassign(1, 502);
    const notesOf = async (id: number) => (await service.get<Discussion[]>(`/groups/acme/epics/${id}/discussions`, { as: 'root' })).body
      .map(({ notes: [note] }) => [note!.body, note!.system]);
    expect(await notesOf(500)).toEqual([['removed child epic &3', true]]);
    expect(await notesOf(502)).toEqual([['removed parent epic &1', true]]);
  });

  test('an epic that is not a child of the epic in the path is not found, and keeps its parent', async () => {
    await open();
    const missing = [404, { message: 'No Epic found for given params' }];
    for (const child of [504, 505, 500, 999, 800]) {
      const { status, body } = await unassign(1, child);
      expect([child, [status, body]]).toEqual([child, missing]);
    }
    expect(await childrenOf('acme/epics/3')).toEqual([504]);
  });

  test('the second time it is not found', async () => {
    await open();
    expect((await unassign(1, 501)).status).toBe(200);
    expect((await unassign(1, 501)).status).toBe(404);
  });

  test('an epic that is not a number is rejected by name', async () => {
    await open();
    const { status, body } = await unassign(1, 'x');
    expect([status, body]).toEqual([400, { error: 'child_epic_id is invalid' }]);
  });

  test('an epic taken away may be given back and is first then', async () => {
    await open();
    await unassign(1, 503);
    expect((await service.post('/groups/acme/epics/1/epics/503', { as: 'reporter' })).status).toBe(201);
    expect(await childrenOf('acme/epics/1')).toEqual([503, 501, 502]);
  });
});
