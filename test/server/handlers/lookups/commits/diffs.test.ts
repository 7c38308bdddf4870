import { afterEach, beforeEach, expect, test } from 'vitest';
import type {
  Comparison, DiffVersionDetails, FileDiff, MergeRequest, MergeRequestChanges,
} from '../../../../../src/contract/lookups/shapes.js';
import { lookupWorld } from '../../../../support/lookups.js';
import { testService, type TestService } from '../../../../support/service.js';
import { refs } from '../../../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: lookupWorld }); });
afterEach(() => service.close());

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
    merge_request_id: 91, state: 'collected', real_size: '2', patch_id_sha: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
  }]);
  expect(headers).toMatchObject({ 'x-total': '1' });
});

test('a version of an older service has no patch id', async () => {
  await service.close();
  service = await testService({ world: lookupWorld, serviceVersion: '13.12' });
  const { body } = await service.get<object[]>('/projects/29/merge_requests/1/versions');
  expect(body[0]).not.toHaveProperty('patch_id_sha');
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

test('a merge request comes with all its changed files at once', async () => {
  const { body } = await service.get<MergeRequestChanges>('/projects/20/merge_requests/1/changes');
  expect(body).toMatchObject({ iid: 1, title: 'Change', changes_count: '3', overflow: false });
  expect(body.changes.map(({ new_path }) => new_path)).toEqual(['app.js', 'new.txt', 'pixel.png']);
  expect(body.changes[1]).toMatchObject({ old_path: 'old.txt', renamed_file: true });
});

test('a merge request without a diff has changes all the same: none', async () => {
  expect((await service.get('/projects/20/merge_requests/2/changes')).body).toMatchObject({ changes_count: '0', changes: [] });
});

test('a diff version comes with its commits and its changed files', async () => {
  const { body } = await service.get<DiffVersionDetails>('/projects/20/merge_requests/1/versions/50');
  expect(body).toMatchObject({ id: 50, head_commit_sha: refs.head, base_commit_sha: refs.base });
  expect(body.diffs.map(({ new_path }) => new_path)).toEqual(['app.js', 'new.txt', 'pixel.png']);
});

const versions = [
  { base_sha: refs.base, head_sha: 'd1', diff: '--- a/app.js\n+++ b/app.js\n@@ -1 +1 @@\n-a\n+b\n' },
  { id: 70, base_sha: refs.base, start_sha: 's2', head_sha: 'd2', created_at: '2024-04-02T08:00:00Z' },
];
const withVersions = {
  ...lookupWorld,
  projects: [{
    path: 'acme/pushed', visibility: 'public' as const, files: { 'app.js': 'a\n' },
    merge_requests: [{ id: 60, iid: 4, created_at: '2024-04-01T08:00:00Z', versions }],
  }],
};

test('a merge request with several versions lists them newest first, and has the SHAs of the last', async () => {
  await service.service.setWorld(withVersions);
  const path = '/projects/acme%2Fpushed/merge_requests/4';
  expect((await service.get(`${path}/versions`)).body).toEqual([
    {
      id: 70, head_commit_sha: 'd2', base_commit_sha: refs.base, start_commit_sha: 's2', created_at: '2024-04-02T08:00:00.000Z',
      merge_request_id: 60, state: 'collected', real_size: '0', patch_id_sha: null,
    },
    {
      id: 60, head_commit_sha: 'd1', base_commit_sha: refs.base, start_commit_sha: refs.base, created_at: '2024-04-01T08:00:00.000Z',
      merge_request_id: 60, state: 'collected', real_size: '1', patch_id_sha: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    },
  ]);
  expect((await service.get<MergeRequest>(path)).body.diff_refs).toEqual({ base_sha: refs.base, start_sha: 's2', head_sha: 'd2' });
  expect((await service.get(`${path}/diffs`)).body).toEqual([]);
  const { body } = await service.get<DiffVersionDetails>(`${path}/versions/60`);
  expect(body).toMatchObject({ id: 60, commits: [{ id: 'd1' }], diffs: [{ new_path: 'app.js' }] });
  expect((await service.service.world()).projects).toMatchObject([{
    files: { 'app.js': 'a\n' }, merge_requests: [{ versions: [{ id: 60, diff: versions[0]!.diff }, { id: 70, start_sha: 's2' }] }],
  }]);
});

test('another diff version, and any of a merge request without SHAs, is not found', async () => {
  for (const path of ['1/versions/51', '2/versions/51']) {
    const { status, body } = await service.get(`/projects/20/merge_requests/${path}`);
    expect([path, status, body]).toEqual([path, 404, { message: '404 Not found' }]);
  }
});

test.each([['merge request', refs.base, refs.head], ['commit', refs.parent, refs.commit]])(
  'what a %s changes is found by its two ends', async (_, from, to) => {
    const { body } = await service.get<Comparison>(`/projects/20/repository/compare?from=${from}&to=${to}`);
    expect(body).toMatchObject({ commit: { id: to }, commits: [{ id: to }], compare_same_ref: false });
    expect(body.diffs.map(({ new_path }) => new_path)).toEqual(['app.js', 'new.txt', 'pixel.png']);
  });

test('other ends have nothing between them, and a hidden project shows none', async () => {
  const path = (from: string, to: string) => `/projects/20/repository/compare?from=${from}&to=${to}`;
  expect((await service.get(path(refs.head, refs.base))).status).toBe(404);
  expect((await service.get(path(refs.base, refs.head), { as: 'outsider' })).body).toEqual({ message: '404 Project Not Found' });
});

test('each commit that a merge request and its versions list can be read and commented', async () => {
  const [one, two, base] = ['1', '2', 'a'].map((digit) => digit.repeat(40));
  const diff = (i: number) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+${i}\n`;
  const versions = [one, two].map((head_sha, i) => ({ base_sha: base!, head_sha: head_sha!, diff: diff(i) }));
  const world = {
    users: [{ username: 'developer', token: 'developer-token' }],
    projects: [{ path: 'a/b', members: { developer: 'developer' as const }, merge_requests: [{ iid: 1, title: 'Change', versions }] }],
  };
  const other = await testService({ world });
  for (const [i, sha] of [one!, two!].entries()) {
    const commit = `/projects/a%2Fb/repository/commits/${sha}`;
    expect((await other.get(commit)).body).toMatchObject({ id: sha, title: 'Change', parent_ids: [base] });
    expect((await other.get<FileDiff[]>(`${commit}/diff`)).body[0]!.diff).toContain(`+${i}\n`);
    expect((await other.post(`/projects/a%2Fb/commits/${sha}/discussions`, { json: { body: 'Why?' } })).status).toBe(201);
    expect((await other.get<unknown[]>(`/projects/a%2Fb/commits/${sha}/discussions`)).body).toHaveLength(1);
  }
  expect((await other.get<unknown[]>('/projects/a%2Fb/merge_requests/1/discussions')).body).toEqual([]);
  expect((await other.get<unknown[]>('/projects/a%2Fb/repository/commits')).body).toHaveLength(2);
  await other.close();
});
