import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileDiff, MergeRequest } from '../../../../src/contract/lookups/shapes.js';
import { epicWorld } from '../../../support/epics.js';
import { start, testService, type TestService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: { ...acme, projects: [...acme.projects!, dated] } }); });
afterEach(() => service.close());

const at = '2024-04-01T08:00:00Z';
const dated = {
  id: 29, path: 'acme/dated', name: 'Dated', visibility: 'internal' as const,
  issues: [{ id: 90, iid: 1, title: 'Issue', description: 'text', author: 'developer', locked: true, created_at: at },
    { id: 92, iid: 2, title: 'Secret', author: 'developer', confidential: true }],
  merge_requests: [{
    id: 91, iid: 1, title: 'Change', author: 'developer', state: 'merged' as const, source_branch: 'topic', target_branch: 'main',
    base_sha: 'a1', start_sha: 'b2', head_sha: 'c3', created_at: at,
    diff: 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'
      + 'diff --git a/y b/z\nrename from y\nrename to z\n',
  }],
  commits: [{ sha: 'f'.repeat(40), title: 'Title', description: 'More.', author: 'developer', created_at: at }],
};

const dora = {
  id: 4, name: 'Dora Developer', username: 'developer', state: 'active',
  avatar_url: 'http://service.test/uploads/-/system/user/avatar/4/avatar.png', web_url: 'http://service.test/developer',
};

test('the version is one that clients can compare, of an edition that has epics', async () => {
  expect((await service.get('/version')).body).toEqual({ version: '13.12.0-ee', revision: 'colloquy' });
  expect((await service.get('/metadata')).body).toEqual({ version: '13.12.0-ee', revision: 'colloquy', enterprise: true });
  expect((await service.get('/version', { as: null })).status).toBe(401);
});

test('the user is the caller; only administrators see is_admin', async () => {
  expect((await service.get('/user')).body).toEqual(dora);
  expect((await service.get('/user', { as: 'root' })).body).toMatchObject({ username: 'root', is_admin: true });
});

test('a project is found by id and by path', async () => {
  const project = {
    id: 29, name: 'Dated', path: 'dated', path_with_namespace: 'acme/dated', visibility: 'internal',
    web_url: 'http://service.test/acme/dated', archived: false, name_with_namespace: 'acme / Dated', description: null,
    default_branch: 'main', permissions: { project_access: { access_level: 30 }, group_access: null },
  };
  expect((await service.get('/projects/29')).body).toEqual(project);
  expect((await service.get('/projects/acme%2Fdated')).body).toEqual(project);
  expect((await service.get('/projects/22')).body).toMatchObject({ path_with_namespace: 'acme/old', archived: true });
});

test('a hidden project and a missing one look the same', async () => {
  for (const id of ['20', 'acme%2Fapp', '999', 'none']) {
    const { status, body } = await service.get(`/projects/${id}`, { as: 'outsider' });
    expect([id, status, body]).toEqual([id, 404, { message: '404 Project Not Found' }]);
  }
});

test('a group names its parent, the group of the path above', async () => {
  await service.close();
  service = await testService({ world: epicWorld });
  expect((await service.get('/groups/acme%2Fsub', { as: 'reporter' })).body).toEqual({
    id: 11, name: 'sub', path: 'sub', full_path: 'acme/sub', visibility: 'private',
    web_url: 'http://service.test/groups/acme/sub', parent_id: 10,
  });
  expect((await service.get('/groups/10', { as: 'reporter' })).body).toMatchObject({ full_path: 'acme', parent_id: null });
  expect((await service.get('/groups/10', { as: 'outsider' })).body).toEqual({ message: '404 Group Not Found' });
});

test('an issue is found by its internal id', async () => {
  expect((await service.get('/projects/29/issues/1')).body).toEqual({
    id: 90, iid: 1, project_id: 29, title: 'Issue', description: 'text', state: 'opened', author: dora,
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

test('a merge request carries its diff refs', async () => {
  expect((await service.get('/projects/29/merge_requests/1')).body).toEqual({
    id: 91, iid: 1, project_id: 29, title: 'Change', description: null, state: 'merged', author: dora,
    web_url: 'http://service.test/acme/dated/-/merge_requests/1', created_at: '2024-04-01T08:00:00.000Z',
    updated_at: '2024-04-01T08:00:00.000Z', discussion_locked: null, source_branch: 'topic', target_branch: 'main',
    sha: 'c3', diff_refs: { base_sha: 'a1', head_sha: 'c3', start_sha: 'b2' }, source_project_id: 29, target_project_id: 29,
    draft: false, reviewers: [], merged_at: '2024-04-01T08:00:00.000Z', closed_at: null, merge_commit_sha: null, labels: [],
    assignees: [], milestone: null, references: { short: '!1', relative: '!1', full: 'acme/dated!1' },
  });
});

test('a merge request without SHAs has no diff refs, no versions and no diffs', async () => {
  const { body } = await service.get<MergeRequest>('/projects/20/merge_requests/2');
  expect([body.sha, body.diff_refs]).toEqual([null, null]);
  expect((await service.get('/projects/20/merge_requests/2/versions')).body).toEqual([]);
  expect((await service.get('/projects/20/merge_requests/2/diffs')).body).toEqual([]);
});

test('a merge request has one version of its diff', async () => {
  const { body, headers } = await service.get('/projects/29/merge_requests/1/versions');
  expect(body).toEqual([{
    id: 91, head_commit_sha: 'c3', base_commit_sha: 'a1', start_commit_sha: 'b2', created_at: '2024-04-01T08:00:00.000Z',
    merge_request_id: 91, state: 'collected', real_size: '2',
  }]);
  expect(headers).toMatchObject({ 'x-total': '1' });
});

test('the changed files come from the diff, page by page', async () => {
  const one = {
    old_path: 'x', new_path: 'x', a_mode: '100644', b_mode: '100644', diff: '@@ -1 +1 @@\n-a\n+b\n',
    new_file: false, renamed_file: false, deleted_file: false, collapsed: false, too_large: false,
  };
  expect((await service.get('/projects/29/merge_requests/1/diffs?per_page=1')).body).toEqual([one]);
  const { body, headers } = await service.get<FileDiff[]>('/projects/29/merge_requests/1/diffs?per_page=1&page=2');
  expect(body).toMatchObject([{ old_path: 'y', new_path: 'z', renamed_file: true, diff: '' }]);
  expect(headers).toMatchObject({ 'x-total': '2', 'x-prev-page': '1', 'x-next-page': '' });
});

test('a commit is found by its whole SHA, in either case', async () => {
  const commit = {
    id: 'f'.repeat(40), short_id: 'ffffffff', title: 'Title', message: 'Title\n\nMore.', parent_ids: [],
    author_name: 'Dora Developer', author_email: 'developer@users.invalid', authored_date: '2024-04-01T08:00:00.000Z',
    committer_name: 'Dora Developer', committer_email: 'developer@users.invalid',
    committed_date: '2024-04-01T08:00:00.000Z', created_at: '2024-04-01T08:00:00.000Z',
    web_url: `http://service.test/acme/dated/-/commit/${'f'.repeat(40)}`,
  };
  expect((await service.get(`/projects/29/repository/commits/${'F'.repeat(40)}`)).body).toEqual(commit);
  const other = await service.get(`/projects/20/repository/commits/${refs.commit}`);
  expect(other.body).toMatchObject({ message: 'Commit', parent_ids: [refs.parent] });
  const missing = await service.get('/projects/29/repository/commits/ffffffff');
  expect([missing.status, missing.body]).toEqual([404, { message: '404 Commit Not Found' }]);
});

test('an epic is found by its internal id, with its global one', async () => {
  expect((await service.get('/groups/acme/epics/1')).body).toMatchObject({
    id: 500, iid: 1, group_id: 10, parent_id: null, title: 'Roadmap', description: '', confidential: false, state: 'opened',
    web_url: 'http://service.test/groups/acme/-/epics/1',
  });
});

test('a confidential epic and a missing one look the same without permission', async () => {
  expect((await service.get('/groups/acme/epics/2', { as: 'reporter' })).status).toBe(200);
  for (const iid of [2, 99]) {
    const { status, body } = await service.get(`/groups/acme/epics/${iid}`, { as: 'guest' });
    expect([iid, status, body]).toEqual([iid, 404, { message: '404 Not found' }]);
  }
});

test('without epics an epic is forbidden', async () => {
  await service.close();
  service = await testService({ world: { ...acme, settings: { epics: false } } });
  const { status, body } = await service.get('/groups/acme/epics/1', { as: 'root' });
  expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
});

test('the live dialect shows what the live service shows', async () => {
  await service.close();
  service = await testService({ dialect: 'live' });
  expect((await service.get('/user')).body).toEqual({ ...dora, locked: false });
  expect((await service.get('/groups/acme/epics/1')).body).toMatchObject({
    description: null, parent_iid: null, references: { short: '&1', relative: '&1', full: 'acme&1' }, closed_at: null,
  });
  expect((await service.get('/projects/20/merge_requests/1')).body).toMatchObject({ author: { locked: false } });
});

test('a closed epic was closed with its last change', async () => {
  await service.close();
  const epics = [{ id: 1, iid: 1, state: 'closed' as const, created_at: at, updated_at: start }];
  service = await testService({ dialect: 'live', world: { users: acme.users!, groups: [{ path: 'acme', epics }] } });
  expect((await service.get('/groups/acme/epics/1', { as: 'root' })).body).toMatchObject({ state: 'closed', closed_at: start });
});
