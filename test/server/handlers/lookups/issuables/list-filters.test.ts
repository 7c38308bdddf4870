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
