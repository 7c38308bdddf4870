import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Comparison, DiffVersionDetails, MergeRequestChanges } from '../../../../src/contract/lookups/shapes.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

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

test('the head of a merge request is among its commits, even if the world does not have that commit', async () => {
  const { body } = await service.get('/projects/20/merge_requests/1/commits');
  expect(body).toMatchObject([{ id: refs.head, parent_ids: [refs.base], title: 'Change', author_name: 'Dora Developer' }]);
  expect((await service.get<DiffVersionDetails>('/projects/20/merge_requests/1/versions/50')).body.commits).toEqual(body);
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

test('no approval is required', async () => {
  expect((await service.get('/projects/20/merge_requests/1/approvals')).body).toMatchObject({
    iid: 1, approvals_required: 0, approvals_left: 0, approved: true, approved_by: [],
  });
});
