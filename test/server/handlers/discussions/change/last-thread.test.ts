import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../../src/contract/shapes/note.js';
import { discussions, mergeRequest, pushService, type PushService } from '../../../../support/pushes.js';

let service: PushService;
let threads: readonly [string, string];
beforeEach(async () => {
  service = await pushService();
  threads = [await service.comment({ new_line: 2 }), await service.comment({ new_line: 2 })];
  await service.post('/projects/20/hooks', { as: 'root', json: { url: 'http://127.0.0.1:9/', merge_requests_events: true } });
});
afterEach(() => service.close());

const resolve = (thread: string, resolved = true) => service.put<Discussion>(`${discussions}/${thread}`, { json: { resolved } });
const systemNotes = async () => (await service.get<Discussion[]>(discussions)).body
  .flatMap(({ individual_note, notes: [first] }) => first!.system ? [[first!.body, individual_note]] : []);
const reported = ['resolved all threads', true];

it('the last open thread adds a system note and a delivery, once', async () => {
  await resolve(threads[0]);
  expect(await systemNotes()).toEqual([]);
  const { body: last } = await resolve(threads[1]);
  expect([last.notes.length, last.resolved]).toEqual([1, true]);
  await resolve(threads[1]);
  expect(await systemNotes()).toEqual([reported]);
  await service.put(mergeRequest, { json: { state_event: 'close' } });
  await service.service.deliveries({ after: 1, timeout: 40_000 });
  const deliveries = await service.service.deliveries();
  expect(deliveries.map(({ request: { body } }) => body)).toMatchObject([
    { object_attributes: { action: 'update' }, changes: {} }, { object_attributes: { action: 'close' } },
  ]);
});

it('many that resolve all threads at the same time, twice, report it once', async () => {
  const others = await Promise.all(Array.from({ length: 6 }, () => service.comment({ new_line: 2 })));
  const all = [...threads, ...others];
  await Promise.all([...all, ...all].map((thread) => resolve(thread)));
  expect(await systemNotes()).toEqual([reported]);
});

it('a thread that is opened again is reported again when it is resolved', async () => {
  for (const thread of threads) await resolve(thread);
  await resolve(threads[0], false);
  expect(await systemNotes()).toEqual([reported]);
  await resolve(threads[0]);
  expect(await systemNotes()).toEqual([reported, reported]);
});

it('the last open note reports it too, and a resolved one does not', async () => {
  await resolve(threads[0]);
  const [{ id }] = (await service.thread(threads[1])).notes as [Note];
  const note = `${discussions}/${threads[1]}/notes/${id}`;
  const { body } = await service.put<Note>(note, { json: { resolved: true } });
  expect(body).toMatchObject({ id, resolved: true });
  expect((await service.put(note, { json: { resolved: true } })).status).toBe(200);
  expect(await systemNotes()).toEqual([reported]);
});

it('drafts that are published together report it after the last one', async () => {
  for (const thread of threads) {
    const json = { note: 'Done', in_reply_to_discussion_id: thread, resolve_discussion: true };
    expect((await service.post(`${mergeRequest}/draft_notes`, { json })).status).toBe(201);
  }
  await service.post(`${mergeRequest}/draft_notes/bulk_publish`);
  expect(await systemNotes()).toEqual([reported]);
});

it('deleting the last open thread is not reported', async () => {
  for (const thread of threads) {
    const [{ id }] = (await service.thread(thread)).notes as [Note];
    await service.delete(`${discussions}/${thread}/notes/${id}`);
  }
  expect(await systemNotes()).toEqual([]);
});

it('the number of comments stays, and the merge request counts as resolved', async () => {
  for (const thread of threads) await resolve(thread);
  const { body } = await service.get<object>(mergeRequest);
  expect(body).toMatchObject({ user_notes_count: 2, blocking_discussions_resolved: true, detailed_merge_status: 'mergeable' });
});
