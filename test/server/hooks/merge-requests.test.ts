import { afterEach, beforeEach, expect, test } from 'vitest';
import { pushService, pushWorld, second, b, mergeRequest, type PushService } from '../../support/pushes.js';
import { receiver, type Receiver } from '../../support/receiver.js';

let service: PushService;
let bot: Receiver;
beforeEach(async () => {
  bot = await receiver();
  service = await pushService({
    ...pushWorld, projects: pushWorld.projects!.map((one) =>
      ({ ...one, hooks: [{ url: bot.url, token: 'hush', events: ['note', 'merge_request'] as const }] })),
  });
});
afterEach(async () => {
  await service.close();
  await bot.close();
});

/** The bodies of so many deliveries. */
const bodies = async (count: number) => {
  await service.service.deliveries({ after: count - 1, timeout: 40_000 });
  expect(bot.received.map(({ headers }) => headers['x-gitlab-event'])).toEqual(Array(count).fill('Merge Request Hook'));
  return bot.received.map(({ body }) => body);
};
const modify = (json: object) => service.put(mergeRequest, { json });

test('a push is delivered with the former and the new head', async () => {
  await service.push({ diff: second, head_sha: 'e'.repeat(40), title: 'Count from zero' });
  expect(await bodies(1)).toMatchObject([{
    object_kind: 'merge_request', event_type: 'merge_request', user: { username: 'developer' }, changes: {},
    object_attributes: {
      iid: 1, action: 'update', oldrev: b, last_commit: { id: 'e'.repeat(40), title: 'Count from zero' }, state: 'opened',
    },
    labels: [], assignees: [], reviewers: [],
  }]);
});

test('a delivery names the project of the source branch', async () => {
  await modify({ title: 'New' });
  expect(await bodies(1)).toMatchObject([{ object_attributes: { source_project_id: 20, target_project_id: 20 } }]);
  await service.close();
  const [app] = pushWorld.projects!;
  const merge_requests = app!.merge_requests!.map((one) => ({ ...one, source_project: 'eve/app' }));
  service = await pushService({ ...pushWorld, projects: [
    { ...app!, merge_requests, hooks: [{ url: bot.url, events: ['merge_request'] }] }, { id: 77, path: 'eve/app' },
  ] });
  await modify({ title: 'Newer' });
  await service.service.deliveries({ after: 0, timeout: 40_000 });
  expect(bot.received.at(-1)!.body).toMatchObject({ object_attributes: { source_project_id: 77, target_project_id: 20 } });
});

test('a push that is refused delivers nothing', async () => {
  expect((await service.push({ diff: 'x' })).status).toBe(422);
  await modify({ title: 'New' });
  expect(await bodies(1)).toMatchObject([{ object_attributes: { title: 'New' } }]);
});

test('changes are delivered with the values before and after', async () => {
  service.later(60_000);
  await modify({ title: 'Draft: Count', reviewer_ids: [2] });
  const [body] = await bodies(1);
  const developer = { id: 2, username: 'developer', email: '[REDACTED]' };
  expect(body).toMatchObject({
    object_attributes: {
      action: 'update', title: 'Draft: Count', draft: true, work_in_progress: true, detailed_merge_status: 'draft_status',
      reviewer_ids: [2], assignee_ids: [], assignee_id: null, updated_at: '2024-05-01 12:01:00 UTC',
    },
    changes: {
      title: { previous: 'Count', current: 'Draft: Count' }, draft: { previous: false, current: true },
      reviewers: { previous: [], current: [developer] },
      updated_at: { previous: '2024-04-01 08:00:00 UTC', current: '2024-05-01 12:01:00 UTC' },
    },
    reviewers: [developer],
  });
  expect(body!['object_attributes']).not.toHaveProperty('oldrev');
  expect(Object.keys(body!['changes'] as object)).toEqual(['title', 'draft', 'reviewers', 'updated_at']);
  expect(JSON.stringify(body)).not.toContain('"admin"');
});

test('a close, a reopening with another change, and approvals have their own actions', async () => {
  await modify({ state_event: 'close' });
  await modify({ state_event: 'reopen', description: 'Text' });
  await service.post(`${mergeRequest}/approve`);
  await service.post(`${mergeRequest}/unapprove`);
  const found = await bodies(5);
  expect(found.map(({ object_attributes: attributes }) => {
    const { action, state } = attributes as Record<string, unknown>;
    return [action, state];
  })).toEqual([['close', 'closed'], ['reopen', 'opened'], ['update', 'opened'], ['approved', 'opened'], ['unapproved', 'opened']]);
  expect(found[0]).toMatchObject({ changes: { state_id: { previous: 1, current: 2 } } });
  expect(found[2]).toMatchObject({ changes: { description: { previous: null, current: 'Text' } } });
  expect(found[3]).toMatchObject({ changes: {} });
});

test('a change to the present values delivers nothing', async () => {
  await modify({ title: 'Count', state_event: 'reopen', assignee_ids: [0] });
  await modify({ state_event: 'close' });
  expect(await bodies(1)).toMatchObject([{ object_attributes: { action: 'close' } }]);
});

test('faults and the filter of deliveries know merge requests', async () => {
  await service.put('/-/faults', { as: null, json: { rules: [{ on: 'hook merge_request', do: 'repeat 2', times: 1 }] } });
  await modify({ title: 'New' });
  const [, twice] = await bodies(2);
  expect(twice).toEqual(bot.received[0]!.body);
  expect(await service.service.deliveries({ event: 'merge_request' })).toHaveLength(2);
  expect(await service.service.deliveries({ event: 'note' })).toEqual([]);
});

test('a reset and a restored snapshot drop deliveries, and worlds deliver their own', async () => {
  await service.put('/-/snapshots/one', { as: null });
  await modify({ title: 'New' });
  await bodies(1);
  await service.post('/-/snapshots/one', { as: null });
  expect(await service.service.deliveries()).toEqual([]);
  expect((await service.get(mergeRequest)).body).toMatchObject({ title: 'Count' });
  await service.put(`/w/mine/api/v4${mergeRequest}`, { json: { title: 'Other' } });
  await expect.poll(() => bot.received.length).toBe(2);
  expect(await service.service.deliveries()).toEqual([]);
  expect(bot.received[1]!.body).toMatchObject({ object_attributes: { title: 'Other' } });
});
