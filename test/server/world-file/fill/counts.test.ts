import { expect, it } from 'vitest';
import { openService } from '../../../../src/server/index.js';

it('counts the records of the world, and every thread that is added', async () => {
  const world = {
    users: [{ username: 'ada', token: 'ada-token' }, { username: 'bob' }], groups: [{ path: 'acme' }],
    projects: [{ path: 'acme/app', members: { ada: 'developer' as const }, issues: [{ iid: 1 }, { iid: 2 }] }],
  };
  const service = await openService({ world });
  const empty = { users: 2, groups: 1, projects: 1, merge_requests: 0, issues: 2, snippets: 0, commits: 0, epics: 0, threads: 0 };
  expect(await service.counts()).toEqual(empty);
  await service.handle({ method: 'POST', target: '/api/v4/projects/acme%2Fapp/issues/1/discussions?body=x', headers: { 'private-token': 'ada-token' } });
  expect(await service.counts()).toEqual({ ...empty, threads: 1 });
  await service.close();
});
