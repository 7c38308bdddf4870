import { afterEach, beforeEach, expect, test } from 'vitest';
import { membersWorld } from '../../../../support/lookups.js';
import { testService, type TestService } from '../../../../support/service.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: membersWorld }); });
afterEach(() => service.close());

type Listed = { readonly id: number }[];
const ids = async (path: string) => (await service.get<Listed>(path)).body.map(({ id }) => id);

test.each([
  ['author_username=OWNER', [302]], ['author_id=4', [301]], ['assignee_username=reporter', [301]], ['assignee_id=6', [301]],
  ['assignee_username[]=REPORTER', [301]], ['assignee_id=None', [302]],
  ['assignee_username[]=reporter&assignee_username[]=guest', [301]], ['assignee_username[]=reporter&assignee_username[]=owner', []],
  ['reviewer_id=Any', [302]], ['reviewer_username=guest', [302]], ['reviewer_id=4', []],
  ['iids[]=1', [301]], ['iids[]=1&iids[]=2', [302, 301]], ['iids=2,7', [302]],
  ['search=COMB', [302]], ['search=100%25', [302]], ['search=%25', [302]], ['search=_', []], ['wip=yes', [301]], ['wip=no', [302]],
  ['updated_after=2024-05-01T12:00:00Z', [302]], ['created_before=2024-05-01T12:00:00Z', [301]], ['sort=asc', [301, 302]],
  ['order_by=title', [301, 302]], ['order_by=updated_at&sort=asc', [301, 302]], ['target_branch=main&source_branch=x', []],
])('lists of merge requests are narrowed and ordered by %s', async (query, expected) => {
  expect(await ids(`/projects/80/merge_requests?${query}`)).toEqual(expected);
});

test('a time that cannot be read is rejected', async () => {
  expect(await service.get('/projects/80/merge_requests?updated_after=soon')).toMatchObject({ status: 400, body: { error: 'updated_after is invalid' } });
});

test.each(['author', 'assignee', 'reviewer'])('the id and the username of the %s exclude each other', async (role) => {
  const error = `${role}_id, ${role}_username are mutually exclusive`;
  for (const path of ['/projects/80/merge_requests', '/groups/acme/merge_requests', '/merge_requests']) {
    expect(await service.get(`${path}?${role}_username=ada&${role}_id=1`)).toMatchObject({ status: 400, body: { error } });
  }
});

test('a title that begins with white space is that of a draft in the filter too', async () => {
  const titles = [' Draft: a', '\tdraft: b', '\n[Draft] c', 'A draft: d'];
  const { get } = await testService({ world: {
    users: [{ username: 'developer', admin: true, token: 'developer-token' }],
    projects: [{ id: 1, path: 'a/b', merge_requests: titles.map((title) => ({ title })) }],
  } });
  const drafts = async (wip: string) =>
    (await get<{ draft: boolean }[]>(`/projects/1/merge_requests?wip=${wip}`)).body.map(({ draft }) => draft);
  expect(await drafts('yes')).toEqual([true, true, true]);
  expect(await drafts('no')).toEqual([false]);
});
