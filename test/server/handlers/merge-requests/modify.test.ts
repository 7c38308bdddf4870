import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MergeRequest } from '../../../../src/contract/lookups/shapes.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { lookupWorld } from '../../../support/lookups.js';
import { testService, type TestService } from '../../../support/service.js';

const at = '/projects/20/merge_requests/1';
let service: TestService;
beforeEach(async () => { service = await testService({ dialect: 'live' }); });
afterEach(() => service.close());

const modify = (json: object, as = 'developer') => service.put<MergeRequest>(at, { as, json });
const shown = async () => (await service.get<MergeRequest>(at)).body;
const systemNotes = async () => (await service.get<Note[]>(`${at}/notes?sort=asc&per_page=100`)).body
  .filter(({ system }) => system).map(({ body }) => body);

/** The system notes that a change added. */
const added = async (json: object, as = 'developer') => {
  const before = await systemNotes();
  const { status, body } = await modify(json, as);
  expect(status).toBe(200);
  expect(body).toEqual(await shown());
  return (await systemNotes()).slice(before.length);
};

describe('a change of a merge request', () => {
  test('of its texts is shown, and adds a system note for each', async () => {
    const before = await shown();
    service.later(1_000);
    expect(await added({ title: `${before.title}!`, description: 'New', target_branch: 'stable' })).toEqual([
      `changed title from **${before.title}** to **${before.title}{+!+}**`, 'changed the description',
      `changed target branch from \`${before.target_branch}\` to \`stable\``,
    ]);
    const after = await shown();
    expect(after).toEqual({
      ...before, title: `${before.title}!`, description: 'New', target_branch: 'stable', updated_at: '2024-05-01T12:00:01.000Z',
    });
  });

  test('to what it is already adds no system note, and keeps its time', async () => {
    const before = await shown();
    service.later(1_000);
    expect(await added({ title: before.title, description: before.description, assignee_ids: [], state_event: 'reopen' })).toEqual([]);
    expect(await shown()).toEqual(before);
  });

  test('of the prefix of drafts adds one about that', async () => {
    const { title } = await shown();
    expect(await added({ title: `Draft: ${title}` })).toEqual(['marked this merge request as **draft**']);
    expect(await shown()).toMatchObject({ draft: true, detailed_merge_status: 'draft_status' });
    expect(await added({ title })).toEqual(['marked this merge request as **ready**']);
  });

  test('closes and reopens it, with the time of that only', async () => {
    service.later(1_000);
    expect(await added({ state_event: 'close' })).toEqual(['closed']);
    expect(await shown()).toMatchObject({ state: 'closed', closed_at: '2024-05-01T12:00:01.000Z' });
    service.later(1_000);
    expect(await added({ state_event: 'close', description: 'Late' })).toEqual(['changed the description']);
    expect(await shown()).toMatchObject({ closed_at: '2024-05-01T12:00:01.000Z', updated_at: '2024-05-01T12:00:02.000Z' });
    expect(await added({ state_event: 'reopen' })).toEqual(['reopened']);
    expect(await shown()).toMatchObject({ state: 'opened', closed_at: null });
  });

  test('of the people replaces them, without users who cannot see the project', async () => {
    expect(await added({ assignee_ids: [5, 4, 4, 999], reviewer_ids: '4' })).toEqual([
      expect.stringMatching(/^assigned to @\w+ and @\w+$/), 'requested review from @developer',
    ]);
    expect((await shown()).assignees.map(({ id }) => id)).toEqual([4, 5]);
    expect(await added({ assignee_ids: [4], reviewer_ids: [0] })).toEqual([
      expect.stringMatching(/^unassigned @\w+$/), 'removed review request for @developer',
    ]);
    expect(await shown()).toMatchObject({ assignee: { username: 'developer' }, reviewers: [] });
    const { body: [outsider] } = await service.get<{ id: number }[]>('/users?username=outsider');
    expect(await added({ reviewer_ids: [outsider!.id] })).toEqual([]);
  });

  test('can have lists as a form and in the query', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await service.put<MergeRequest>(at, { body: 'assignee_ids[]=4&assignee_ids[]=5', headers });
    expect(form.body.assignees.map(({ id }) => id)).toEqual([4, 5]);
    expect((await service.put<MergeRequest>(`${at}?assignee_ids=4`)).body.assignees.map(({ id }) => id)).toEqual([4]);
    expect((await service.put<MergeRequest>(`${at}?assignee_ids=`)).body.assignees).toEqual([]);
    expect((await service.put<MergeRequest>(`${at}?assignee_id=5`)).body.assignees.map(({ id }) => id)).toEqual([5]);
  });

  test.each([
    [{}, 400, 'are missing, at least one parameter must be provided'],
    [{ title: ' ' }, 400, 'title is empty'],
    [{ title: 'x'.repeat(256) }, 400, 'is too long (maximum is 255 characters)'],
    [{ state_event: 'merge' }, 400, 'state_event does not have a valid value'],
    [{ assignee_ids: ['x'] }, 400, 'assignee_ids is invalid'],
    [{ reviewer_ids: Array.from({ length: 201 }, (_, i) => i + 1) }, 400, 'total must be less than or equal to 200'],
  ])('is rejected with its reason (%#)', async (json, status, reason) => {
    const before = await service.get(at);
    const got = await modify(json);
    expect([got.status, got.text]).toEqual([status, expect.stringContaining(reason)]);
    expect((await service.get(at)).text).toBe(before.text);
  });

  test('to its own source branch is a conflict', async () => {
    const other = await testService({ world: lookupWorld });
    expect(await other.put('/projects/29/merge_requests/1', { json: { target_branch: 'topic' } })).toMatchObject({
      status: 409, body: { message: ['You can\'t use same project/branch for source and target'] },
    });
    await other.close();
  });

  test('is for developers, the author and the assignees', async () => {
    for (const as of ['guest', 'reporter']) expect((await modify({ title: 'New' }, as)).status, as).toBe(403);
    expect((await modify({ title: 'New' }, 'outsider')).status).toBe(404);
    const { body: [guest] } = await service.get<{ id: number }[]>('/users?username=guest');
    await modify({ assignee_ids: [guest!.id] });
    expect((await modify({ title: 'Mine' }, 'guest')).status).toBe(200);
    expect((await service.put('/projects/20/merge_requests/99', { json: { title: 'x' } })).status).toBe(404);
  });

  test('invalidates the cached threads', async () => {
    const threads = `${at}/discussions`;
    await service.get(threads);
    const { headers: { etag } } = await service.get(threads);
    await modify({ title: 'New' });
    expect((await service.get(threads, { headers: { 'if-none-match': etag! } })).status).toBe(200);
  });
});

test('changes of one merge request at the same time see each other', async () => {
  const closed = await Promise.all(Array.from({ length: 5 }, () => modify({ state_event: 'close' })));
  expect(closed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await systemNotes()).filter((body) => body === 'closed')).toHaveLength(1);
});

test('an exported world has the changes', async () => {
  await modify({ title: 'New', description: 'Text', state_event: 'close', reviewer_ids: [4] });
  const { body: world } = await service.get<object>('/-/world', { as: null });
  const before = await shown();
  const copy = await testService({ dialect: 'live', world });
  expect((await copy.get<MergeRequest>(at)).body).toMatchObject({
    title: 'New', description: 'Text', state: 'closed', closed_at: before.closed_at, reviewers: before.reviewers,
  });
  await copy.close();
});
