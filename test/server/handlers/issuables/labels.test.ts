import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Issue, MergeRequest } from '../../../../src/contract/lookups/shapes.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const at = '/projects/20/merge_requests/1';
const [app, ...others] = acme.projects!;
const world = {
  ...acme, projects: [{
    ...app!, labels: ['spare'],
    merge_requests: app!.merge_requests!.map((one, i) => i === 0 ? { ...one, labels: ['ui', 'bug'] } : one),
    issues: app!.issues!.map((one, i) => i === 0 ? { ...one, labels: ['bug'] } : one),
  }, ...others],
};

let service: TestService;
beforeEach(async () => { service = await testService({ world, dialect: 'live' }); });
afterEach(() => service.close());

const labels = async () => (await service.get<MergeRequest>(at)).body.labels;

describe('the labels of a merge request', () => {
  const rows = [
    { change: { labels: ['new', 'bug'] }, after: ['bug', 'new'] },
    { change: { labels: 'new, old,,' }, after: ['new', 'old'] },
    { change: { labels: ['a,b', 'c'] }, after: ['a', 'b', 'c'] },
    { change: { labels: '' }, after: [] },
    { change: { labels: [] }, after: [] },
    { change: { labels: null }, after: [] },
    { change: { add_labels: 'new' }, after: ['bug', 'new', 'ui'] },
    { change: { remove_labels: ['bug', 'unknown'] }, after: ['ui'] },
    { change: { labels: ['a'], add_labels: ['b'], remove_labels: ['a'] }, after: ['b'] },
    { change: { add_labels: ['s::a', 's::b', 't::x::y', 't::x::z', 't::a'] }, after: ['bug', 's::b', 't::a', 't::x::z', 'ui'] },
    { change: { add_labels: ['x'.repeat(256)] }, after: ['bug', 'ui'] },
    { change: { add_labels: ['"quoted\\"', '<b>'] }, after: ['"quoted\\"', '<b>', 'bug', 'ui'] },
  ];
  test('are replaced, added and removed', () => everyRow(rows, ({ change }) => JSON.stringify(change), async ({ change, after }) => {
    expect((await service.put(at, { json: { labels: ['ui', 'bug'] } })).status).toBe(200);
    const { status, body } = await service.put<MergeRequest>(at, { json: change });
    expect([status, body.labels]).toEqual([200, after]);
    expect(await labels()).toEqual(after);
  }));

  test('are read from a form too', async () => {
    expect((await service.put<MergeRequest>(at, { form: { 'add_labels[]': 'new' } })).body.labels).toEqual(['bug', 'new', 'ui']);
  });

  test('change its time, and add no system note', async () => {
    const before = (await service.get<unknown[]>(`${at}/notes`)).body.length;
    service.later(1_000);
    expect((await service.put<MergeRequest>(at, { json: { add_labels: 'new' } })).body.updated_at).toBe('2024-05-01T12:00:01.000Z');
    expect((await service.get<unknown[]>(`${at}/notes`)).body).toHaveLength(before);
  });

  test('stay as they are if the author may only change the texts', async () => {
    const made = { ...world, projects: world.projects.map((one) => ({
      ...one, merge_requests: one.merge_requests?.map((mr) => ({ ...mr, author: 'guest' })) ?? [] })) };
    const { put } = await testService({ world: made, dialect: 'live' });
    const json = { title: 'New', add_labels: ['new'], assignee_ids: [2] };
    expect(await put<MergeRequest>(at, { as: 'guest', json })).toMatchObject({ status: 200, body: { title: 'New', labels: ['bug', 'ui'], assignees: [] } });
  });
});

describe('lists', () => {
  const lists = [
    { asked: 'bug', finds: true }, { asked: 'ui', finds: true }, { asked: 'bug,ui', finds: true }, { asked: 'bug,no', finds: false },
    { asked: 'UI', finds: false }, { asked: 'bu', finds: false }, { asked: 'Any', finds: true }, { asked: 'none', finds: false },
    { asked: '', finds: true }, { asked: ',', finds: true },
  ];
  test('have those with all labels that are asked for', () => everyRow(lists, ({ asked }) => asked, async ({ asked, finds }) => {
    const { body } = await service.get<MergeRequest[]>(`/projects/20/merge_requests?labels=${encodeURIComponent(asked)}`);
    expect(body.some(({ iid }) => iid === 1)).toBe(finds);
  }));

  test('of issues have them too', async () => {
    const iids = async (query: string) => (await service.get<Issue[]>(`/projects/20/issues?labels=${query}`)).body.map(({ iid }) => iid);
    expect(await iids('bug')).toEqual([1]);
    expect(await iids('None')).not.toContain(1);
    expect(await iids(encodeURIComponent('","'))).toEqual([]);
  });
});

test('webhooks have the labels, and those before the change', async () => {
  await service.post('/projects/20/hooks', { as: 'root', json: { url: 'http://127.0.0.1:9/', merge_requests_events: true } });
  await service.put(at, { json: { labels: ['bug', 'new'] } });
  const [delivery] = await service.service.deliveries({ after: 0, timeout: 40_000 });
  expect(delivery!.request.body).toMatchObject({
    labels: [{ title: 'bug', project_id: 20 }, { title: 'new' }],
    changes: { labels: { previous: [{ title: 'bug' }, { title: 'ui' }], current: [{ title: 'bug' }, { title: 'new' }] } },
  });
});
