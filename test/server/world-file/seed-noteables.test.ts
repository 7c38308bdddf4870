import { expect, test } from 'vitest';
import type { World, WorldDiscussion } from '../../../src/server/world-file/schema.js';
import { rowsOf } from '../../support/seeded-rows.js';

const sha = (digit: string) => digit.repeat(40);
const withThreads = (...discussions: WorldDiscussion[]): World =>
  ({ users: [{ username: 'ada' }, { username: 'bob' }], projects: [{ path: 'a/b', issues: [{ discussions }] }] });
const notes = 'SELECT id, discussion_id, type, body, created_at FROM notes ORDER BY id';

test('missing values are generated in file order', async () => {
  const issues = [{}, { iid: 5, title: 'Named' }, {}];
  const rows = await rowsOf({ projects: [{ issues }, { issues: [{}] }] },
    'SELECT project_id, iid, global_id, title, state FROM noteables ORDER BY id');
  expect(rows).toEqual([
    { project_id: 1, iid: 1, global_id: 1, title: 'Issue 1', state: 'opened' },
    { project_id: 1, iid: 5, global_id: 2, title: 'Named', state: 'opened' },
    { project_id: 1, iid: 6, global_id: 3, title: 'Issue 6', state: 'opened' },
    { project_id: 2, iid: 1, global_id: 4, title: 'Issue 1', state: 'opened' },
  ]);
});

test('a reply without a time comes after the note it follows, and a thread after the one before it', async () => {
  const world = withThreads({ notes: [{ created_at: '2030-01-01T00:00:00+01:00' }, {}] }, { notes: [{}] });
  expect((await rowsOf(world, notes)).map((row) => row['created_at'])).toEqual([
    '2029-12-31T23:00:00.000Z', '2029-12-31T23:00:01.000Z', '2029-12-31T23:00:01.000Z',
  ]);
});

test('threads stand by their earliest note, whatever the order in the file', async () => {
  const world = withThreads(
    { id: sha('b'), notes: [{ created_at: '2024-03-03' }, { created_at: '2024-01-01' }] },
    { id: sha('a'), notes: [{ created_at: '2024-02-02' }] },
  );
  expect(await rowsOf(world, 'SELECT discussion_id, id FROM notes WHERE starts = 1 ORDER BY created_at')).toEqual([
    { discussion_id: sha('b'), id: 2 },
    { discussion_id: sha('a'), id: 3 },
  ]);
});

test('individual notes and system notes without replies have no type, notes of threads have one', async () => {
  const world = withThreads(
    { individual_note: true, notes: [{}] }, { notes: [{ system: true }] }, { notes: [{ system: true }, {}] }, {},
    { individual_note: false, notes: [{ system: true }] },
  );
  expect((await rowsOf(world, notes)).map((row) => row['type'])).toEqual(
    [null, null, 'DiscussionNote', 'DiscussionNote', 'DiscussionNote', 'DiscussionNote']);
});

test('a position is completed and copied to every note of its thread', async () => {
  const refs = { base_sha: sha('a'), start_sha: sha('b'), head_sha: sha('c') };
  const [first, reply] = await rowsOf({
    projects: [{ merge_requests: [{ ...refs, discussions: [{ notes: [{ position: { new_path: 'a.ts', new_line: 3 } }, {}] }] }] }],
  }, 'SELECT type, position FROM notes');
  expect(first!['type']).toBe('DiffNote');
  expect(JSON.parse(String(first!['position']))).toEqual({
    ...refs, old_path: 'a.ts', new_path: 'a.ts', position_type: 'text', old_line: null, new_line: 3, line_range: null,
  });
  expect(reply).toEqual(first);
});

test('the diff of a merge request starts by default at its base, as that of a version', async () => {
  const diff = { base_sha: sha('a'), head_sha: sha('c') };
  const position = { new_path: 'a.ts', new_line: 3 };
  const merge_requests = [{ ...diff, discussions: [{ notes: [{ position }] }] }, { versions: [diff] }, { ...diff, start_sha: sha('b') }];
  const world = { projects: [{ merge_requests }] };
  expect(await rowsOf(world, "SELECT start_sha FROM noteables WHERE kind = 'merge_request' ORDER BY id")).toEqual(
    [{ start_sha: sha('a') }, { start_sha: sha('a') }, { start_sha: sha('b') }]);
  const [row] = await rowsOf(world, 'SELECT position FROM notes');
  expect(JSON.parse(String(row!['position']))).toMatchObject({ ...diff, start_sha: sha('a') });
});

test('a position on a commit is relative to its parent, and an image position has no lines', async () => {
  const position = { new_path: 'a.png', position_type: 'image' as const, x: 1, y: 2, width: 3, height: 4 };
  const [row] = await rowsOf({
    projects: [{ commits: [{ sha: sha('c'), parent_sha: sha('a'), discussions: [{ notes: [{ position }] }] }] }],
  }, 'SELECT position FROM notes');
  expect(JSON.parse(String(row!['position']))).toEqual({
    ...position, base_sha: sha('a'), start_sha: sha('a'), head_sha: sha('c'), old_path: 'a.png',
  });
});

test('the resolver and the time of resolving are stored; the default time is that of the last change', async () => {
  const world = withThreads({
    notes: [
      { resolved_by: 'bob', created_at: '2024-01-01', updated_at: '2024-01-02' },
      { resolved_by: 'ada', resolved_at: '2024-01-03' }, {},
    ],
  });
  expect(await rowsOf(world, 'SELECT resolved_by, resolved_at FROM notes ORDER BY id')).toEqual([
    { resolved_by: 2, resolved_at: '2024-01-02T00:00:00.000Z' }, { resolved_by: 1, resolved_at: '2024-01-03T00:00:00.000Z' },
    { resolved_by: null, resolved_at: null },
  ]);
});

test('epics stand in the order of the file with room between them, or where they say', async () => {
  const rows = await rowsOf({ groups: [{ epics: [{ id: 9 }, { id: 8, parent: 9, position: -5 }, { id: 7, labels: ['b', 'a'] }] }] },
    'SELECT global_id, parent, position, labels FROM epics JOIN noteables ON noteables.id = noteable ORDER BY noteable');
  expect(rows).toEqual([
    { global_id: 9, parent: null, position: 2 ** 20, labels: '[]' },
    { global_id: 8, parent: 9, position: -5, labels: '[]' },
    { global_id: 7, parent: null, position: 3 * 2 ** 20, labels: '["a","b"]' },
  ]);
});

test('a fixed date is the one shown, unless another is', async () => {
  const epics = [
    { start_date_fixed: '2024-01-01' }, { start_date: '2024-01-02' },
    { start_date: '2024-01-03', start_date_fixed: '2024-01-04', start_date_is_fixed: false },
  ];
  expect(await rowsOf({ groups: [{ epics }] }, 'SELECT start_date, start_date_fixed, start_date_is_fixed FROM epics')).toEqual([
    { start_date: '2024-01-01', start_date_fixed: '2024-01-01', start_date_is_fixed: 1 },
    { start_date: '2024-01-02', start_date_fixed: null, start_date_is_fixed: 0 },
    { start_date: '2024-01-03', start_date_fixed: '2024-01-04', start_date_is_fixed: 0 },
  ]);
});
