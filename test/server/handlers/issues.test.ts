import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/contract/lookups/shapes.js';
import type { Note } from '../../../src/contract/shapes/note.js';
import { everyRow } from '../../support/rows.js';
import { testService, type TestService } from '../../support/service.js';

const all = '/projects/20/issues';
const one = `${all}/1`;
let service: TestService;
beforeEach(async () => { service = await testService({ dialect: 'live' }); });
afterEach(() => service.close());

const create = (json: object, as = 'developer') => service.post<Issue>(all, { as, json });
const modify = (json: object, as = 'developer') => service.put<Issue>(one, { as, json });

describe('a new issue', () => {
  test('is as it was sent, and the newest of the list', async () => {
    const json = { title: ' Broken ', description: 'Since today.', labels: 'bug,new', assignee_ids: [4], confidential: true };
    const { status, body } = await create(json);
    const { body: before } = await service.get<Issue[]>(`${all}?per_page=100`);
    expect([status, body]).toMatchObject([201, {
      title: 'Broken', description: 'Since today.', labels: ['bug', 'new'], assignees: [{ username: 'developer' }], confidential: true,
      state: 'opened', author: { username: 'developer' }, created_at: '2024-05-01T12:00:00.000Z',
    }]);
    expect(body.iid).toBe(Math.max(...before.map(({ iid }) => iid)));
    expect(before[0]).toEqual(body);
    expect((await service.get(`${all}/${body.iid}/notes`)).body).toEqual([]);
  });

  test('takes comments, and is in the exported world', async () => {
    const { body: { iid } } = await create({ title: 'New', labels: ['bug'], assignee_ids: [4] });
    expect((await service.post(`${all}/${iid}/notes`, { json: { body: 'Hello' } })).status).toBe(201);
    const copy = await testService({ world: await service.service.world(), dialect: 'live' });
    expect((await copy.get<Issue>(`${all}/${iid}`)).body).toEqual((await service.get<Issue>(`${all}/${iid}`)).body);
  });

  test('has the one assignee of the old parameter', async () => {
    expect((await create({ title: 'a', assignee_id: 4, assignee_ids: [5] })).body.assignees.map(({ id }) => id)).toEqual([4]);
  });

  const refused = [
    { json: {}, status: 400, body: { error: 'title is missing' } },
    { json: { title: ' ' }, status: 400, body: { message: { title: ["can't be blank"] } } },
    { json: { title: 'x'.repeat(256) }, status: 400, body: { message: { title: ['is too long (maximum is 255 characters)'] } } },
    { json: { title: 'a', confidential: 'maybe' }, status: 400, body: { error: 'confidential is invalid' } },
  ];
  test('is refused without a valid title', () => everyRow(refused, ({ json }) => JSON.stringify(json).slice(0, 40), async ({ json, ...expected }) => {
    expect(await create(json)).toMatchObject(expected);
  }));

  test('needs a project that the caller sees, and that is not archived', async () => {
    expect((await create({ title: 'a' }, 'outsider')).status).toBe(404);
    expect((await service.post('/projects/22/issues', { as: 'root', json: { title: 'a' } })).status).toBe(403);
    const { status, body } = await service.post<Issue>('/projects/21/issues', { as: 'outsider', json: { title: 'a', labels: 'bug', assignee_ids: [4] } });
    expect([status, body.labels, body.assignees]).toEqual([201, [], []]);
  });

  test('of a guest has labels that exist, and creates none', async () => {
    await create({ title: 'a', labels: 'bug' });
    expect((await create({ title: 'b', labels: 'bug,new' }, 'guest')).body.labels).toEqual(['bug']);
  });
});

describe('a change of an issue', () => {
  const systemNotes = async () => (await service.get<Note[]>(`${one}/notes?sort=asc&per_page=100`)).body
    .filter(({ system }) => system).map(({ body }) => body);

  test('closes and reopens it', async () => {
    expect((await modify({ state_event: 'close' })).body).toMatchObject({ state: 'closed', closed_at: '2024-05-01T12:00:00.000Z' });
    expect((await modify({ state_event: 'reopen' })).body).toMatchObject({ state: 'opened', closed_at: null });
    expect((await systemNotes()).slice(-2)).toEqual(['closed', 'reopened']);
  });

  test('of its fields is shown, and adds system notes, but none about labels', async () => {
    const before = (await systemNotes()).length;
    const json = { title: 'Draft: New', description: 'text', confidential: true, assignee_ids: [4], add_labels: 'bug' };
    const { body } = await modify(json);
    expect(body).toMatchObject({
      title: 'Draft: New', description: 'text', confidential: true, labels: ['bug'], assignees: [{ username: 'developer' }],
    });
    expect((await systemNotes()).slice(before)).toEqual([
      'changed title from **{-Issue-}** to **{+Draft: New+}**', 'changed the description', 'made the issue confidential', 'assigned to @developer',
    ]);
    expect((await service.get<Issue>(one)).body).toEqual(body);
    expect((await service.get(one, { as: 'guest' })).status).toBe(404);
  });

  test('replaces all assignees by one, or by none', async () => {
    const assigned = async (json: object) => (await modify(json)).body.assignees.map(({ id }) => id);
    await assigned({ assignee_ids: [4, 5] });
    expect(await assigned({ assignee_id: '' })).toEqual([4, 5]);
    expect(await assigned({ assignee_id: 5 })).toEqual([5]);
    expect(await assigned({ assignee_id: 0 })).toEqual([]);
  });

  test('needs a parameter, and a title that is not blank', async () => {
    expect(await modify({})).toMatchObject({ status: 400, body: { error: expect.stringMatching(/at least one parameter must be provided$/) as string } });
    expect(await modify({ title: '' })).toMatchObject({ status: 400, body: { message: { title: ["can't be blank"] } } });
  });

  test('is for reporters and the author, who as a guest changes only the texts and the state', async () => {
    expect((await modify({ title: 'a' }, 'guest')).status).toBe(403);
    expect((await modify({ labels: 'a' }, 'reporter')).body.labels).toEqual(['a']);
    const own = `${all}/2`;
    const { status, body } = await service.put<Issue>(own, { as: 'guest', json: { title: 'Mine', labels: 'a', confidential: false } });
    expect([status, body.title, body.labels, body.confidential]).toEqual([200, 'Mine', [], true]);
  });
});
