import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../../../src/server/world-file/schema.js';
import { membersWorld, developer, lookupWorld } from '../../../support/lookups.js';
import { testService, type TestService } from '../../../support/service.js';

let service: TestService;
const start = async (world: World) => { service = await testService({ world }); };
afterEach(() => service.close());

type Listed = { readonly id: number }[];
const ids = async (path: string, as = 'developer') => (await service.get<Listed>(path, { as })).body.map(({ id }) => id);

describe('one merge request', () => {
  beforeEach(() => start(lookupWorld));

  test('has its diff refs, its people, and what is left to do', async () => {
    expect((await service.get('/projects/29/merge_requests/1')).body).toEqual({
      id: 91, iid: 1, project_id: 29, title: 'Change', description: null, state: 'merged', author: developer,
      web_url: 'http://service.test/acme/dated/-/merge_requests/1', created_at: '2024-04-01T08:00:00.000Z',
      updated_at: '2024-04-01T08:00:00.000Z', discussion_locked: null, source_branch: 'topic', target_branch: 'main',
      sha: 'c3', diff_refs: { base_sha: 'a1', head_sha: 'c3', start_sha: 'b2' }, source_project_id: 29, target_project_id: 29,
      draft: false, work_in_progress: false, reviewers: [], merged_at: '2024-04-01T08:00:00.000Z', closed_at: null,
      merge_commit_sha: null, labels: [], assignee: null, assignees: [], milestone: null,
      references: { short: '!1', relative: '!1', full: 'acme/dated!1' }, user_notes_count: 0, changes_count: '2',
      blocking_discussions_resolved: true, merge_status: 'can_be_merged', detailed_merge_status: 'not_open',
    });
  });

  test('shows the project of its source branch, which can be a fork, and others can have the same branch', async () => {
    const merge_requests = [{ source_project: 'eve/app' }, {}, { source_project: 'group/project3' }].map((one) => ({ source_branch: 'topic', ...one }));
    const world: World = {
      users: [{ username: 'root', admin: true, token: 'root-token' }],
      projects: [{ id: 1, path: 'acme/app', merge_requests }, { id: 2, path: 'eve/app' }, { id: 3 }],
    };
    const other = await testService({ world });
    type Shown = { iid: number; source_project_id: number; target_project_id: number }[];
    const shown = async () => (await other.get<Shown>('/projects/1/merge_requests?source_branch=topic&sort=asc', { as: 'root' })).body
      .map(({ iid, source_project_id, target_project_id }) => [iid, source_project_id, target_project_id]);
    expect(await shown()).toEqual([[1, 2, 1], [2, 1, 1], [3, 3, 1]]);
    const { body: dumped } = await other.get<World>('/-/world');
    expect(dumped.projects![0]!.merge_requests!.map(({ source_project }) => source_project)).toEqual(['eve/app', undefined, 'group/project3']);
    expect(await other.call('PUT', '/-/world', { json: dumped })).toMatchObject({ status: 204 });
    expect(await shown()).toEqual([[1, 2, 1], [2, 1, 1], [3, 3, 1]]);
    await other.close();
  });

  test('counts its comments and waits for its threads', async () => {
    const at = '/projects/28/merge_requests/2';
    type Shown = { user_notes_count: number; blocking_discussions_resolved: boolean; detailed_merge_status: string; updated_at: string };
    const state = async () => {
      const { user_notes_count: count, ...body } = (await service.get<Shown>(at)).body;
      return [count, body.blocking_discussions_resolved, body.detailed_merge_status];
    };
    expect(await state()).toEqual([0, true, 'mergeable']);
    const before = (await service.get<Shown>(at)).body.updated_at;
    const { body: { id } } = await service.call<{ id: string }>('POST', `${at}/discussions`, { json: { body: 'Why?' } });
    expect(await state()).toEqual([1, false, 'discussions_not_resolved']);
    const after = (await service.get<Shown>(at)).body.updated_at;
    expect(after > before).toBe(true);
    await service.call('PUT', `${at}/discussions/${id}`, { json: { resolved: true } });
    expect(await state()).toEqual([1, true, 'mergeable']);
  });
});

describe('lists of merge requests', () => {
  beforeEach(() => start(membersWorld));

  test('show those that the caller created, or those of a scope, where the caller can see them', async () => {
    expect(await ids('/merge_requests')).toEqual([301]);
    expect(await ids('/merge_requests', 'owner')).toEqual([303, 302]);
    expect(await ids('/merge_requests?scope=all')).toEqual([302, 301]);
    expect(await ids('/merge_requests?scope=all', 'owner')).toEqual([303, 302, 301]);
    expect(await ids('/merge_requests?scope=assigned_to_me', 'guest')).toEqual([301]);
    expect(await ids('/merge_requests?scope=assigned-to-me', 'reporter')).toEqual([301]);
    expect(await ids('/merge_requests?scope=reviews_for_me', 'guest')).toEqual([302]);
    expect(await service.get('/merge_requests?scope=mine')).toMatchObject({ status: 400, body: { error: 'scope does not have a valid value' } });
  });

  test('of a group include those of subgroups', async () => {
    expect(await ids('/groups/zoo/merge_requests', 'owner')).toEqual([303, 302, 301]);
    expect(await ids('/groups/zoo/merge_requests')).toEqual([302, 301]);
    expect(await ids('/groups/zoo%2Fcats/merge_requests?per_page=1&page=2')).toEqual([301]);
    expect((await service.get('/groups/none/merge_requests')).status).toBe(404);
  });

  test('have people, a count of comments and a state of drafts', async () => {
    expect((await service.get('/projects/80/merge_requests')).body).toMatchObject([
      { id: 302, reviewers: [{ username: 'guest' }], assignees: [], draft: false },
      { id: 301, assignees: [{ username: 'reporter' }, { username: 'guest' }], assignee: { username: 'reporter' }, draft: true,
        detailed_merge_status: 'draft_status', user_notes_count: 0 },
    ]);
  });

  test('the reviewers have a state and the time of the request', async () => {
    const reviewers = async () => (await service.get('/projects/80/merge_requests/2/reviewers', { as: 'owner' })).body;
    const asked = ((await service.get<{ created_at: string }>('/projects/80/merge_requests/2')).body).created_at;
    expect(await reviewers()).toEqual([
      { user: expect.objectContaining({ username: 'guest' }) as unknown, state: 'unreviewed', created_at: asked },
    ]);
    expect((await service.get('/projects/80/merge_requests/1/reviewers')).body).toEqual([]);
    expect((await service.get('/projects/80/merge_requests/9/reviewers')).status).toBe(404);
  });

  test('the approvals name who approved', async () => {
    expect((await service.get('/projects/80/merge_requests/2/approvals', { as: 'owner' })).body).toMatchObject({
      iid: 2, approvals_required: 0, approvals_left: 0, approved: true, approved_by: [{ user: { username: 'owner' } }],
      user_has_approved: true, user_can_approve: false,
    });
  });

  test('an export has the people, and seeds them again', async () => {
    const world = (await service.get<World>('/-/world')).body;
    expect(world.projects!.find(({ id }) => id === 80)!.merge_requests).toMatchObject([
      { assignees: ['reporter', 'guest'] }, { reviewers: ['guest'], approved_by: ['owner'] },
    ]);
  });
});
