import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { line, lookupWorld } from '../../../../support/lookups.js';
import { testService, type TestService } from '../../../../support/service.js';
import { acme } from '../../../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: lookupWorld }); });
afterEach(() => service.close());

type Listed = { readonly id: number | string; readonly iid: number }[];
const ids = async (path: string, as = 'developer') => (await service.get<Listed>(path, { as })).body.map(({ id }) => id);

describe('the issues of a project', () => {
  test('are listed newest first, page by page', async () => {
    expect(await ids('/projects/28/issues')).toEqual([192, 191, 190]);
    const { body, headers } = await service.get<Listed>('/projects/acme%2Fshelf/issues?per_page=2&page=2');
    expect([body.map(({ iid }) => iid), headers['x-total'], headers['x-next-page']]).toEqual([[1], '3', '']);
  });

  test('are narrowed by their state', async () => {
    expect(await ids('/projects/28/issues?state=closed')).toEqual([190]);
    expect(await ids('/projects/28/issues?state=opened')).toEqual([192, 191]);
    expect(await ids('/projects/28/issues?state=all')).toEqual([192, 191, 190]);
    const { status, body } = await service.get('/projects/28/issues?state=lost');
    expect([status, body]).toEqual([400, { error: 'state does not have a valid value' }]);
  });

  test.each([
    ['iids[]=1&iids[]=3', [192, 190]], ['author_username=guest', [191]], ['author_id=4', [192, 190]], ['scope=created_by_me', [192, 190]],
    ['scope=assigned-to-me', [190]], ['scope=all', [192, 191, 190]], ['assignee_id=4', [190]], ['assignee_id=None', [192, 191]], ['assignee_id=Any', [190]],
    ['assignee_username[]=developer', [190]], ['search=THIRD', [192]], ['search=bugs', [190]], ['search=bugs&in=title', []],
    ['search=bugs&in=title,description', [190]], ['confidential=false', [190]], ['labels=None', [192, 191, 190]],
    ['created_after=2024-04-02T08:00:00Z', [192, 191]], ['created_before=2024-04-01T08:00:00Z', [190]], ['updated_after=2999-01-01', []],
    ['updated_before=2024-04-02T08:00:00Z', [191, 190]],
  ])('are narrowed by %s', async (query, expected) => {
    await service.close();
    const world = structuredClone(lookupWorld);
    Object.assign(world.projects!.find(({ id }) => id === 28)!.issues![0]!, { assignees: ['developer'], description: 'About bugs.' });
    service = await testService({ world });
    expect(await ids(`/projects/28/issues?${query}`)).toEqual(expected);
  });

  test('show a confidential one to reporters and to its author alone, and count no other', async () => {
    const { body, headers } = await service.get<Listed>('/projects/28/issues', { as: 'guest' });
    expect([body.map(({ id }) => id), headers['x-total']]).toEqual([[191, 190], '2']);
    expect(await ids('/projects/28/issues', 'outsider')).toEqual([190]);
  });

  test('of a project that is hidden are not found', async () => {
    const { status, body } = await service.get('/projects/20/issues', { as: 'outsider' });
    expect([status, body]).toEqual([404, { message: '404 Project Not Found' }]);
  });
});

describe('the merge requests of a project', () => {
  test('are found by their branches and state', async () => {
    expect(await ids('/projects/28/merge_requests')).toEqual([196, 195, 194]);
    expect(await ids('/projects/28/merge_requests?source_branch=a')).toEqual([195, 194]);
    expect(await ids('/projects/28/merge_requests?source_branch=a&state=opened')).toEqual([195]);
    expect(await ids('/projects/28/merge_requests?target_branch=main')).toEqual([195]);
    expect(await ids('/projects/28/merge_requests?source_branch=none')).toEqual([]);
  });
});

test('the snippets of a project are listed, and each is found by its id', async () => {
  expect(await ids('/projects/28/snippets')).toEqual([193]);
  expect((await service.get('/projects/28/snippets/193', { as: 'outsider' })).body).toMatchObject({
    id: 193, project_id: 28, title: 'Snippet', description: 'text', visibility: 'internal', file_name: '',
    author: { username: 'developer' }, web_url: 'http://service.test/acme/shelf/-/snippets/193',
  });
  expect(await service.get('/projects/28/snippets/194')).toMatchObject({ status: 404, body: { message: '404 Not found' } });
});

test('the commits of a project are listed newest first, and each has its changed files', async () => {
  expect(await ids('/projects/28/repository/commits')).toEqual([...line].reverse());
  expect((await service.get(`/projects/28/repository/commits/${line[1]}/diff`)).body).toMatchObject([{ new_path: 'x' }]);
  expect((await service.get(`/projects/28/repository/commits/${line[0]}/diff`)).body).toEqual([]);
});

describe('the epics of a group', () => {
  test('are listed newest first, confidential ones to reporters and to their authors alone', async () => {
    expect(await ids('/groups/acme/epics', 'reporter')).toEqual([501, 500]);
    expect(await ids('/groups/acme/epics', 'guest')).toEqual([500]);
    expect(await ids('/groups/acme/epics?per_page=1&page=2', 'reporter')).toEqual([500]);
  });

  test.each([
    ['iids[]=1', [500]], ['search=SECRET', [501]], ['author_id=2', [501]], ['author_username=guest', []], ['confidential=true', [501]],
    ['labels=Any', []], ['created_before=2000-01-01', []], ['updated_after=2000-01-01', [501, 500]],
  ])('are narrowed by %s', async (query, expected) => {
    expect(await ids(`/groups/acme/epics?${query}`, 'reporter')).toEqual(expected);
  });

  test('include those of subgroups, unless the request leaves them out', async () => {
    await service.close();
    const epic = (id: number, more = {}) => ({ id, iid: id, title: `Epic ${id}`, author: 'owner', ...more });
    service = await testService({ world: { ...acme, groups: [
      ...acme.groups!.filter(({ path }) => path === 'acme'),
      { id: 61, path: 'acme/a', visibility: 'public', epics: [epic(801), epic(802, { confidential: true })] },
      { id: 62, path: 'acme/a/b', epics: [epic(803, { parent: 801 })] },
      { id: 63, path: 'acme-2', epics: [epic(804)] }, { id: 64, path: 'acmea', epics: [epic(805)] },
    ] } });
    expect((await ids('/groups/acme/epics', 'reporter')).sort()).toEqual([500, 501, 801, 802, 803]);
    expect((await ids('/groups/acme%2Fa/epics', 'reporter')).sort()).toEqual([801, 802, 803]);
    expect((await ids('/groups/acme/epics', 'guest')).sort()).toEqual([500, 801, 803]);
    expect(await ids('/groups/acme%2Fa/epics', 'outsider')).toEqual([801]);
    expect(await ids('/groups/acme/epics?include_descendant_groups=false', 'reporter')).toEqual([501, 500]);
    const { headers } = await service.get('/groups/acme/epics?per_page=2', { as: 'guest' });
    expect(headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2' });
  });

  test('are forbidden where the feature is missing', async () => {
    await service.close();
    service = await testService({ world: { ...acme, settings: { epics: false } } });
    expect((await service.get('/groups/acme/epics')).status).toBe(403);
  });
});

test.each([
  ['/projects/28/issues?milestone=v1&not[labels]=bug&with_labels_details=true', 'milestone, not'],
  ['/groups/acme/epics?my_reaction_emoji=star', 'my_reaction_emoji'], ['/merge_requests?approved=yes', 'approved'],
  ['/projects/28/merge_requests?view=simple&environment=prod', 'environment'], ['/users?external=true', 'external'],
  ['/projects?topic=x&starred=true&simple=true', 'topic, starred'], ['/groups?top_level_only=true', 'top_level_only'],
  ['/projects/28/members?skip_users[]=3', 'skip_users'], ['/projects/28/members/all?user_ids[]=3', 'user_ids'],
  ['/groups/acme/members?user_ids[]=3', 'user_ids'], ['/groups/acme/members/all?user_ids[]=3', 'user_ids'],
  ['/projects/28/repository/commits?since=2030-01-01&path=x&with_stats=true', 'since, path'],
])('%s has a filter that the server does not have, and is not answered with more', async (path, names) => {
  const message = `400 Bad request - this test server does not read ${names}; the service may`;
  expect(await service.get(path)).toMatchObject({ status: 400, body: { message } });
  expect((await service.get('/projects/28/issues?with_labels_details=true&view=simple&statistics=true')).status).toBe(200);
});
