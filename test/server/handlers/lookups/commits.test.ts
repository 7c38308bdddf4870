import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommitDetails, DiffVersionDetails } from '../../../../src/contract/lookups/shapes.js';
import { line, lookupWorld } from '../../../support/lookups.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: lookupWorld }); });
afterEach(() => service.close());

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
  const missing = await service.get('/projects/29/repository/commits/ffffff');
  expect([missing.status, missing.body]).toEqual([404, { message: '404 Commit Not Found' }]);
});

test('a commit is found by the beginning of its SHA, a branch and HEAD, and so is its diff', async () => {
  const at = (ref: string) => service.get<CommitDetails>(`/projects/28/repository/commits/${ref}`);
  for (const [ref, sha] of [['2222222', line[1]], ['2'.repeat(39), line[1]], ['a', line[2]], ['main', line[2]], ['HEAD', line[2]]] as const) {
    expect((await at(ref)).body).toMatchObject({ id: sha });
  }
  expect((await service.get('/projects/28/repository/commits/2222222/diff')).body).toMatchObject([{ new_path: 'x' }]);
  for (const ref of ['222222', '4444444', 'b', 'v1', '%25']) expect(await at(ref)).toMatchObject({ status: 404, body: { message: '404 Commit Not Found' } });
});

test('the head of a merge request is among its commits, even if the world does not have that commit', async () => {
  const { body } = await service.get('/projects/20/merge_requests/1/commits');
  expect(body).toMatchObject([{ id: refs.head, parent_ids: [refs.base], title: 'Change', author_name: 'Dora Developer' }]);
  expect((await service.get<DiffVersionDetails>('/projects/20/merge_requests/1/versions/50')).body.commits).toEqual(body);
});

test('a merge request has those commits that are known, from the head down to the base', async () => {
  const ids = async (iid: number) =>
    (await service.get<CommitDetails[]>(`/projects/28/merge_requests/${iid}/commits`)).body.map(({ id }) => id);
  expect(await ids(2)).toEqual([line[2], line[1]]);
  expect(await ids(3)).toEqual([]);
});
