import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileDiff } from '../../../../src/contract/lookups/shapes.js';
import { a, b, c, d, lines, mergeRequest, patch, pushWorld, pushService, type PushService } from '../../../support/pushes.js';

let service: PushService;
beforeEach(async () => { service = await pushService(); });
afterEach(() => service.close());

const files = { 'x.ts': lines('one', 'two', 'three', 'four'), 'y.ts': lines('y') };
const [app] = pushWorld.projects!;
beforeEach(() => service.service.setWorld({ ...pushWorld, projects: [{ ...app!, files }] }));

test('the texts of a project give the diff of changed files', async () => {
  const id = await service.comment({ new_line: 2 });
  const { body } = await service.push({ head_sha: d, files: { 'x.ts': lines('zero', 'one', '2', 'three', 'four'), 'y.ts': null, 'z.ts': lines('z') } });
  expect(body).toMatchObject({ moved: [id] });
  const { body: changes } = await service.get<FileDiff[]>(`${mergeRequest}/diffs`);
  expect(changes.map((file) => [file.new_path, file.new_file, file.deleted_file]))
    .toEqual([['x.ts', false, false], ['y.ts', false, true], ['z.ts', true, false]]);
  const { body: commit } = await service.get<FileDiff[]>(`/projects/20/repository/commits/${d}/diff`);
  expect(commit[0]!.diff).toBe(lines('@@ -1,3 +1,4 @@', '+zero', ' one', ' 2', ' three'));
  expect((await service.get(`/projects/20/repository/compare?from=${b}&to=${d}`)).status).toBe(200);
});

test('without the texts of a project, the diff of a commit is what two diffs of the same base show', async () => {
  await service.service.setWorld(pushWorld);
  const diffOf = async (sha: string) => (await service.get<FileDiff[]>(`/projects/20/repository/commits/${sha}/diff`)).body
    .map(({ new_path, diff }) => [new_path, diff]);
  const third = patch('x.ts', '@@ -1,4 +1,4 @@', ' one', '-two', '+2nd', ' three', ' four', '@@ -20,4 +20,3 @@', ' twenty', '-more', ' last', ' end');
  await service.push({ head_sha: d, diff: `${third}${patch('y.ts', '@@ -0,0 +1 @@', '+y').replace('a/y.ts', '/dev/null')}` });
  expect(await diffOf(d)).toEqual([
    ['x.ts', lines('@@ -1,5 +1,5 @@', ' one', '-2', '+2nd', ' three', ' four', ' ', '@@ -18,6 +18,5 @@', ' ', ' ', ' twenty', '-more', ' last', ' end')],
    ['y.ts', lines('@@ -0,0 +1,1 @@', '+y')],
  ]);
  await service.push({ head_sha: c, diff: patch('y.ts', '@@ -0,0 +1 @@', '+y').replace('a/y.ts', '/dev/null') });
  expect((await diffOf(c)).map(([path]) => path)).toEqual(['x.ts']);
});

test('the texts of a project follow lines to a base that changed, even where it renamed the file', async () => {
  const ids = [await service.comment({ new_line: 2 }), await service.comment({ old_line: 2 }), await service.comment({ old_line: 4, new_line: 4 })];
  const { body } = await service.push({
    base_files: { 'x.ts': null, 'w.ts': lines('zero', 'one', 'two', 'three', 'four') },
    files: { 'x.ts': null, 'w.ts': lines('zero', 'one', '2', 'three', 'four') },
  });
  expect(body).toMatchObject({ moved: ids, outdated: [] });
  expect(body.base_sha).not.toBe(a);
  const place = { base_sha: body.base_sha, start_sha: body.base_sha, head_sha: body.head_sha, old_path: 'w.ts', new_path: 'w.ts' };
  expect(await Promise.all(ids.map(service.placeOf))).toMatchObject([
    { ...place, old_line: null, new_line: 3 }, { ...place, old_line: 3, new_line: null }, { ...place, old_line: 5, new_line: 5 },
  ]);
  const again = await service.push({ files: { 'w.ts': lines('zero', 'one', '2', 'three', 'four', 'five') } });
  expect(again.body).toMatchObject({ base_sha: body.base_sha, moved: ids });
});

test('the texts of a project keep what the base changed in other files, and what the merge request changed', async () => {
  const { body } = await service.push({ base_files: { 'y.ts': lines('Y') }, files: {} });
  expect(body).toMatchObject({ number: 2 });
  const { body: changes } = await service.get<FileDiff[]>(`${mergeRequest}/diffs`);
  expect(changes.map(({ new_path }) => new_path)).toEqual(['x.ts']);
  expect((await service.service.world()).projects![0]!.merge_requests![0]!.versions![1]!.base_files).toEqual({ ...files, 'y.ts': lines('Y') });
});

test.each<[string, object, string]>([
  ['a diff of other texts', { diff: patch('x.ts', '@@ -1 +1 @@', '-other', '+1') },
    'the diff does not fit to the files of the base; make it from the base to the head'],
  ['a file that both sides changed', { base_files: { 'x.ts': 'x' }, files: {} },
    'x.ts changed in the base and in the merge request; give its new text in files'],
  ['files of the same base', { base_sha: a, base_files: { 'y.ts': 'x' }, files: {} }, 'base_files changes the base; pass another base_sha, or none'],
])('the texts of a project refuse %s', async (_, change, reason) => {
  const before = (await service.get('/-/world')).text;
  expect(await service.push(change)).toMatchObject({ status: 422, body: { message: `422 Unprocessable Entity - ${reason}` } });
  expect((await service.get('/-/world')).text).toBe(before);
});
