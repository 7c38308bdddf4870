import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const issue = '/projects/20/issues/1';
const mergeRequest = '/projects/20/merge_requests/1';
const epic = '/groups/10/epics/500';

let service: TestService;
beforeEach(async () => { service = await testService({ dialect: 'live' }); });
afterEach(() => service.close());

const add = async (on: string, json: object, as = 'reporter') => (await service.post<Note>(`${on}/notes`, { json: { body: 'secret', ...json }, as })).body;
const total = async (path: string, as: string) => {
  const { headers, body } = await service.get<unknown[]>(path, { as });
  return [Number(headers['x-total']), body.length];
};
const threadOf = async (on: string, note: number) =>
  (await service.get<Discussion[]>(`${on}/discussions`)).body.find(({ notes }) => notes.some(({ id }) => id === note))!;

describe('an internal note', () => {
  it.each([issue, mergeRequest, epic])('is created on %s, even by its old name', async (on) => {
    expect(await add(on, { internal: true })).toMatchObject({ internal: true, confidential: true });
    expect(await add(on, { confidential: true })).toMatchObject({ internal: true, confidential: true });
    expect(await add(on, { internal: false })).toMatchObject({ internal: false, confidential: false });
    expect(await add(on, {})).toMatchObject({ internal: false, confidential: false });
  });

  it.each([issue, mergeRequest, epic])('is not there for guests: on %s', async (on) => {
    const lists = [`${on}/discussions`, `${on}/notes`];
    const before = await Promise.all(lists.map((path) => total(path, 'guest')));
    const { id } = await add(on, { internal: true });
    const { id: thread } = await threadOf(on, id);
    const reply = await service.post<Note>(`${on}/discussions/${thread}/notes`, { json: { body: 'secret too' } });
    expect(reply.body).toMatchObject({ internal: true });
    expect(await Promise.all(lists.map((path) => total(path, 'guest')))).toEqual(before);
    expect((await total(`${on}/notes`, 'reporter'))[0]).toBe(before[1]![0]! + 2);

    for (const path of [`/notes/${id}`, `/discussions/${thread}`, `/discussions/${thread}/notes`, `/discussions/${thread}/notes/${id}`]) {
      expect([path, (await service.get(on + path, { as: 'guest' })).status]).toEqual([path, 404]);
      expect([path, (await service.get(on + path, { as: 'reporter' })).status]).toEqual([path, 200]);
    }
    expect((await service.get(`${on}/notes/${id}`, { as: 'guest' })).body).toEqual({ message: '404 Note Not Found' });
    const changes = [['PUT', `/notes/${id}`], ['DELETE', `/notes/${id}`], ['POST', `/discussions/${thread}/notes`]] as const;
    for (const [method, path] of changes) expect((await service.call(method, on + path, { as: 'guest', json: { body: 'x' } })).status).toBe(404);
    for (const list of lists) expect((await service.get(`${list}?per_page=100`, { as: 'guest' })).text).not.toContain('secret');
  });

  it('has full pages around it', async () => {
    for (let i = 0; i < 4; i++) await add(issue, { body: `note ${i}`, internal: i % 2 === 0 });
    const page = async (as: string) => (await service.get<Note[]>(`${issue}/notes?per_page=2`, { as })).body.map(({ body }) => body);
    expect(await page('reporter')).toEqual(['note 3', 'note 2']);
    expect(await page('guest')).toEqual(['note 3', 'note 1']);
  });

  it('is not shown by cached responses', async () => {
    const path = `${issue}/notes`;
    for (const as of ['reporter', 'guest']) await service.get(path, { as });
    await add(issue, { internal: true });
    const seen = async (as: string) => (await service.get(path, { as })).text.includes('secret');
    for (let i = 0; i < 2; i++) expect([await seen('reporter'), await seen('guest')]).toEqual([true, false]);
  });

  it('can only be made by reporters and above: for others the note is public', async () => {
    expect(await add(issue, { internal: true }, 'guest')).toMatchObject({ internal: false, confidential: false });
  });

  it('stays internal when it is edited or resolved', async () => {
    const { id } = await add(mergeRequest, { internal: true });
    const { id: thread } = await threadOf(mergeRequest, id);
    await service.post(`${mergeRequest}/discussions/${thread}/notes`, { json: { body: 'reply' } });
    await service.put(`${mergeRequest}/notes/${id}`, { json: { body: 'edited' }, as: 'reporter' });
    const { body } = await service.put<Discussion>(`${mergeRequest}/discussions/${thread}`, { json: { resolved: true } });
    expect(body.notes.map(({ internal }) => internal)).toEqual([true, true]);
  });

  it('does not exist on snippets and in discussions, or before 15.3', async () => {
    expect(await add('/projects/20/snippets/40', { internal: true })).toMatchObject({ internal: false });
    const { body } = await service.post<Discussion>(`${issue}/discussions`, { json: { body: 'x', internal: true } });
    expect(body.notes[0]).toMatchObject({ internal: false });
    const older = await testService({ dialect: 'live', serviceVersion: '15.2' });
    const note = async (json: object) => (await older.post<Note>(`${issue}/notes`, { json: { body: 'x', ...json } })).body;
    expect(await note({ internal: true })).toMatchObject({ confidential: false });
    expect(await note({ confidential: true })).toMatchObject({ confidential: true });
    await older.close();
  });

  it('is hidden from guests in the document dialect too, where only such a note has `internal`', async () => {
    const world = structuredClone(acme);
    world.projects![0]!.issues![0]!.discussions!.push({ notes: [{ body: 'secret', internal: true }, { body: 'secret reply' }] });
    const other = await testService({ world });
    const seen = async (as: string) => (await other.get(`${issue}/discussions?per_page=100`, { as })).text.includes('secret');
    expect([await seen('guest'), await seen('reporter')]).toEqual([false, true]);
    const { body } = await other.post<Note>(`${issue}/notes`, { json: { body: 'x', internal: true } });
    expect(body.internal).toBe(true);
    expect((await other.get(`${issue}/notes/${body.id}`, { as: 'guest' })).status).toBe(404);
    expect((await other.post(`${issue}/notes`, { json: { body: 'x' } })).body).not.toHaveProperty('internal');
    await other.close();
  });

  it('is part of an exported world, which seeds the same', async () => {
    const { id } = await add(mergeRequest, { internal: true });
    const { id: thread } = await threadOf(mergeRequest, id);
    await service.post(`${mergeRequest}/discussions/${thread}/notes`, { json: { body: 'reply' } });
    const before = await threadOf(mergeRequest, id);
    const { body: world, text } = await service.get('/-/world');
    await service.put('/-/world', { json: world });
    expect(await threadOf(mergeRequest, id)).toEqual(before);
    expect((await service.get('/-/world')).text).toBe(text);
  });

  it('cannot be answered by a draft note of a guest', async () => {
    const { id } = await add(mergeRequest, { internal: true });
    const { id: thread } = await threadOf(mergeRequest, id);
    const draft = (as: string) => service.post(`${mergeRequest}/draft_notes`, { as, json: { note: 'x', in_reply_to_discussion_id: thread } });
    expect([(await draft('guest')).status, (await draft('reporter')).status]).toEqual([400, 201]);
    await service.post(`${mergeRequest}/draft_notes/bulk_publish`, { as: 'reporter' });
    expect((await threadOf(mergeRequest, id)).notes.map(({ internal }) => internal)).toEqual([true, true]);
  });
});
