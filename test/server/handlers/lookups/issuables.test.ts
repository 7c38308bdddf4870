import { afterEach, beforeEach, expect, test } from 'vitest';
import { developer, lookupWorld } from '../../../support/lookups.js';
import { testService, type TestService } from '../../../support/service.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: lookupWorld }); });
afterEach(() => service.close());

test('an issue is found by its internal id', async () => {
  expect((await service.get('/projects/29/issues/1')).body).toEqual({
    id: 90, iid: 1, project_id: 29, title: 'Issue', description: 'text', state: 'opened', author: developer,
    web_url: 'http://service.test/acme/dated/-/issues/1', created_at: '2024-04-01T08:00:00.000Z',
    updated_at: '2024-04-01T08:00:00.000Z', discussion_locked: true, confidential: false, closed_at: null, labels: [],
    assignees: [], milestone: null, references: { short: '#1', relative: '#1', full: 'acme/dated#1' },
  });
  expect((await service.get('/projects/20/issues/1')).body).toMatchObject({ description: null, discussion_locked: null });
});

test('a confidential issue is there for reporters and its author; to others it looks like a missing one', async () => {
  expect((await service.get('/projects/29/issues/2', { as: 'reporter' })).body).toMatchObject({ id: 92, confidential: true });
  expect((await service.get('/projects/20/issues/2', { as: 'guest' })).body).toMatchObject({ author: { username: 'guest' } });
  for (const iid of [2, 99]) {
    const { status, body } = await service.get(`/projects/29/issues/${iid}`, { as: 'guest' });
    expect([iid, status, body]).toEqual([iid, 404, { message: '404 Not found' }]);
  }
});
