import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorldHook } from '../../../src/server/world-file/schema.js';
import { receiver, type Receiver } from '../../support/receiver.js';
import { testService, type TestService } from '../../support/service.js';
import { acme } from '../../support/worlds.js';

const all = '/projects/20/issues';
const [app, ...others] = acme.projects!;
let service: TestService;
let bot: Receiver;

const serve = async (hook: Partial<WorldHook> = { events: ['issue'] }) => testService({ world: {
  ...acme, projects: [{ ...app!, labels: ['bug'], hooks: [{ url: bot.url, ...hook }] }, ...others] } });
beforeEach(async () => {
  bot = await receiver();
  service = await serve();
});
afterEach(async () => {
  await service.close();
  await bot.close();
});

const received = async (count: number) => {
  await service.service.deliveries({ after: count - 1, timeout: 40_000 });
  return bot.received.map(({ headers, body }) => ({ ...body, header: headers['x-gitlab-event'] }));
};
const modify = (json: object, iid = 1) => service.put(`${all}/${iid}`, { json });

test('a new issue is delivered with its labels and assignees', async () => {
  await service.post(all, { json: { title: 'Broken', labels: 'bug', assignee_ids: [4] } });
  expect(await received(1)).toMatchObject([{
    header: 'Issue Hook', object_kind: 'issue', event_type: 'issue', user: { username: 'developer' }, project: { id: 20 }, changes: {},
    object_attributes: { iid: 4, action: 'open', state: 'opened', state_id: 1, title: 'Broken', assignee_ids: [4], assignee_id: 4,
      confidential: false, type: 'Issue', url: 'http://service.test/acme/app/-/issues/4' },
    labels: [{ title: 'bug' }], assignees: [{ username: 'developer' }],
  }]);
  expect(bot.received[0]!.body).not.toHaveProperty('reviewers');
});

test('changes are delivered with the values before and after, closing and reopening with their own actions', async () => {
  await modify({ title: 'New', labels: 'bug', assignee_ids: [4] });
  await modify({ state_event: 'close' });
  await modify({ state_event: 'reopen', description: 'Text' });
  await modify({ title: 'New', state_event: 'reopen' });
  const bodies = await received(4);
  expect(bodies).toMatchObject([
    { object_attributes: { action: 'update' }, changes: {
      title: { previous: 'Issue', current: 'New' }, labels: { previous: [], current: [{ title: 'bug' }] },
      assignees: { previous: [], current: [{ username: 'developer' }] } } },
    { object_attributes: { action: 'close', state: 'closed' }, changes: { state_id: { previous: 1, current: 2 } } },
    { object_attributes: { action: 'reopen', state: 'opened' } },
    { object_attributes: { action: 'update' }, changes: { description: { previous: null, current: 'Text' } } },
  ]);
});

test('a quick action of a note is delivered too', async () => {
  await service.close();
  service = await testService({ quickActions: true, world: await serve().then(async (one) => one.service.world()) });
  await service.post(`${all}/1/notes`, { json: { body: 'Done.\n/close' } });
  expect(await received(1)).toMatchObject([{ header: 'Issue Hook', object_attributes: { action: 'close' } }]);
});

test('confidential issues are for webhooks that receive these', async () => {
  await modify({ title: 'Secret' }, 2);
  expect(await received(1)).toMatchObject([{ header: 'Confidential Issue Hook', object_kind: 'issue', event_type: 'confidential_issue' }]);
  await service.close();
  service = await serve({ events: ['issue'], confidential_issues: false });
  await modify({ title: 'Hidden' }, 2);
  await modify({ title: 'Shown' });
  await expect.poll(() => bot.received.length).toBe(2);
  expect(bot.received[1]!.body).toMatchObject({ object_attributes: { title: 'Shown' } });
  expect((await service.service.world()).projects![0]!.hooks).toMatchObject([{ events: ['issue'], confidential_issues: false }]);
});

test('a webhook for notes alone gets no issues, and a test delivers the newest one', async () => {
  await service.close();
  service = await serve({ events: ['note'] });
  await modify({ title: 'New' });
  expect((await service.post('/projects/20/hooks/1/test/issues_events', { as: 'root' })).status).toBe(201);
  expect(await received(1)).toMatchObject([{ header: 'Issue Hook', object_attributes: { iid: 3 } }]);
  expect(await service.service.deliveries({ event: 'issue' })).toHaveLength(1);
});

test('the flags of a webhook are set by POST and PUT, confidential issues by default as issues', async () => {
  const json = { url: bot.url, issues_events: true };
  const { body } = await service.post<{ id: number }>('/projects/20/hooks', { as: 'root', json });
  expect(body).toMatchObject({ issues_events: true, confidential_issues_events: true, note_events: false });
  const changed = await service.put(`/projects/20/hooks/${body.id}`, { as: 'root', json: { issues_events: false } });
  expect(changed.body).toMatchObject({ issues_events: false, confidential_issues_events: true });
});
