import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { holdLock } from '../../../support/held-lock.js';
import { testService, type Got, type TestService } from '../../../support/service.js';
import { newStore } from '../../../support/stores.js';
import { threads } from '../../../support/worlds.js';

/** Two processes on one store. */
let store: string;
let one: TestService;
let other: TestService;
beforeEach(async () => {
  store = await newStore();
  one = await testService({ data: store });
  other = await testService({ data: store });
});
afterEach(async () => { await one.close(); await other.close(); });

/** The row of the merge request in `acme`: the sixth thing in it. */
const mergeRequest = 'noteable 7';
const discussions = '/projects/20/merge_requests/1/discussions';
const thread = `${discussions}/${threads.thread}`;

/** Two requests that come to wait for one lock, the first one first. */
const inTurn = async (lock: string, first: () => Promise<Got>, second: () => Promise<Got>): Promise<[Got, Got]> => {
  const held = await holdLock(store, lock);
  const begun = first();
  await held.waiting(1);
  const next = second();
  await held.waiting(2);
  await held.release();
  return Promise.all([begun, next]);
};

describe('what a request finds when its turn comes, not what was there before, decides:', () => {
  test('a reply to a thread whose last note was deleted in between', async () => {
    const { body: { id, notes: [note] } } = await one.post<Discussion>(discussions, { json: { body: 'alone' } });
    const [, replied] = await inTurn(mergeRequest,
      () => one.delete(`${discussions}/${id}/notes/${note!.id}`), () => other.post(`${discussions}/${id}/notes`, { json: { body: 'late' } }));
    expect([replied.status, replied.body]).toEqual([404, { message: '404 Discussion Not Found' }]);
    expect((await one.get(`${discussions}/${id}`)).status).toBe(404);
  });

  test('a reply to a thread that was resolved in the meantime is born resolved', async () => {
    const [, replied] = await inTurn(mergeRequest,
      () => one.put(thread, { json: { resolved: true } }), () => other.post(`${thread}/notes`, { json: { body: 'late' } }));
    expect(replied.body).toMatchObject({ resolved: true });
  });

  test('an edit of a note that was deleted in between', async () => {
    const [, edited] = await inTurn(mergeRequest,
      () => one.delete(`${thread}/notes/121`), () => other.put(`${thread}/notes/121`, { json: { body: 'late' } }));
    expect(edited.status).toBe(404);
  });

  test('a second deletion of one note', async () => {
    const remove = (service: TestService) => () => service.delete(`${thread}/notes/121`);
    const answers = await inTurn(mergeRequest, remove(one), remove(other));
    expect(answers.map(({ status }) => status)).toEqual([204, 404]);
  });

  test('a deletion of a note that was edited after the caller saw it', async () => {
    one.later(60_000);
    const headers = { 'if-unmodified-since': new Date('2024-05-01T12:00:30Z').toUTCString() };
    const [, deleted] = await inTurn(mergeRequest,
      () => one.put(`${thread}/notes/121`, { json: { body: 'better' } }), () => other.delete(`${thread}/notes/121`, { headers }));
    expect(deleted.status).toBe(412);
    expect((await one.get(`${thread}/notes/121`)).body).toMatchObject({ body: 'better' });
  });

  test('a thread that was resolved in the meantime keeps its resolver', async () => {
    const resolve = (service: TestService, as: string) => () => service.put(thread, { as, json: { resolved: true } });
    const [, last] = await inTurn(mergeRequest, resolve(one, 'developer'), resolve(other, 'maintainer')) as [Got, Got<Discussion>];
    expect(last.body.notes.map((note) => (note.resolved_by as { username: string }).username)).toEqual(['developer', 'developer']);
  });

  test('a note that was resolved in the meantime keeps its resolver', async () => {
    const resolve = (service: TestService, as: string) => () => service.put(`${thread}/notes/120`, { as, json: { resolved: true } });
    const [, last] = await inTurn(mergeRequest, resolve(one, 'developer'), resolve(other, 'maintainer')) as [Got, Got<Note>];
    expect(last.body.resolved_by).toMatchObject({ username: 'developer' });
  });

  test('an edit while the thread is resolved keeps both', async () => {
    const answers = await inTurn(mergeRequest,
      () => one.put(thread, { json: { resolved: true } }), () => other.put(`${thread}/notes/121`, { json: { body: 'better' } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await one.get<Discussion>(thread)).body.notes[1]).toMatchObject({ body: 'better', resolved: true });
    expect((await other.get<Note>(`${thread}/notes/121`)).text).toBe((await one.get(`${thread}/notes/121`)).text);
  });

  test('a note has the time of its turn, so that notes stand in the order in which they were made', async () => {
    const held = await holdLock(store, mergeRequest);
    const made = one.post<Note>(`${thread}/notes`, { json: { body: 'late' } });
    await held.waiting(1);
    one.later(5_000);
    await held.release();
    expect((await made).body.created_at).toBe('2024-05-01T12:00:05.000Z');
  });
});

describe('links of epics', () => {
  const assign = (service: TestService, parent: number, child: number) => () =>
    service.post(`/groups/acme/epics/${parent}/epics/${child}`, { as: 'owner' });

  test('two that would create a cycle between them are not both made', async () => {
    const answers = await inTurn('epic tree', assign(one, 1, 501), assign(other, 2, 500));
    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
  });

  test('an epic created twice at once has two ids and two places', async () => {
    const create = (service: TestService, title: string) => () =>
      service.post<{ id: number; iid: number }>('/groups/acme/epics/1/epics', { as: 'owner', json: { title } });
    const [first, second] = await inTurn('epic tree', create(one, 'A'), create(other, 'B')) as Got<{ id: number; iid: number }>[];
    expect([first!.body.iid, second!.body.iid]).toEqual([3, 4]);
    const { body } = await one.get<{ title: string }[]>('/groups/acme/epics/1/epics', { as: 'owner' });
    expect(body.map(({ title }) => title)).toEqual(['B', 'A']);
  });
});

test('two requests that set the same fields of the appearance in opposite order both succeed', async () => {
  const set = (service: TestService, fields: Record<string, string>) => () =>
    service.put('/application/appearance', { as: 'root', json: fields });
  const answers = await inTurn('appearance', set(one, { title: 'A', description: 'a' }), set(other, { description: 'b', title: 'B' }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await one.get('/application/appearance', { as: 'root' })).body).toMatchObject({ title: 'B', description: 'b' });
});
