import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import { start } from '../../../../support/service.js';
import { b, d, diff, discussions, lines, patch, second, pushService, type PushService } from '../../../../support/pushes.js';

let service: PushService;
beforeEach(async () => { service = await pushService(); });
afterEach(() => service.close());

test('moves all notes of a thread with their line, and keeps their times', async () => {
  const id = await service.comment({ new_line: 2, line_range: { start: { line_code: 'x', type: 'new' } } });
  await service.post(`${discussions}/${id}/notes`, { json: { body: 'a reply' } });
  const before = await service.thread(id);
  service.later(60_000);
  expect((await service.push({ head_sha: d, diff: second })).body).toMatchObject({ moved: [id], outdated: [] });
  const after = await service.thread(id);
  expect(after.notes.map(({ position }) => position)).toEqual(before.notes.map(({ position }) => ({ ...position, head_sha: d, new_line: 3 })));
  expect(after.notes.map(({ updated_at }) => updated_at)).toEqual([start, start]);
});

test('makes a thread outdated whose line is gone: its position stays, and a system note says so', async () => {
  const id = await service.comment({ new_line: 2 });
  const before = await service.placeOf(id);
  service.later(60_000);
  const gone = patch('x.ts', '@@ -1,4 +1,4 @@', ' one', '-two', '+second', ' three', ' four');
  expect((await service.push({ head_sha: d, diff: gone })).body).toMatchObject({ moved: [], outdated: [id] });
  const { notes } = await service.thread(id);
  expect(notes).toMatchObject([{ updated_at: start, resolvable: true }, { system: true, type: 'DiffNote', resolvable: false }]);
  expect(notes.map(({ position }) => position)).toEqual([before, before]);
  expect(notes[1]!.body)
    .toBe(`changed this line in [version 2 of the diff](/acme/app/-/merge_requests/1/diffs?diff_id=94&start_sha=${b})`);
  await service.push({ head_sha: 'e'.repeat(40), diff: second });
  expect((await service.thread(id)).notes).toHaveLength(2);
  expect((await service.placeOf(id))!.head_sha).toBe(b);
});

test.each<[string, object, string, object | null]>([
  ['an added line that the base has now is unchanged', { new_line: 2 },
    patch('x.ts', '@@ -1,4 +1,5 @@', ' one', '-two', '+2', ' three', '+3.5', ' four'), { old_line: null, new_line: 2 }],
  ['a removed line that is back is outdated', { old_line: 2 }, patch('x.ts', '@@ -4 +4 @@', '-four', '+4'), null],
  ['a removed line that is still removed moves with its side', { old_line: 2 },
    patch('x.ts', '@@ -2 +1,0 @@', '-two'), { old_line: 2, new_line: null }],
  ['an unchanged line that the diff no longer shows is outdated', { old_line: 4, new_line: 4 }, patch('x.ts', '@@ -1 +1 @@', '-one', '+1'), null],
  ['an unchanged line that the diff still shows stays', { old_line: 1, new_line: 1 }, second, { old_line: 1, new_line: 2 }],
  ['an unchanged line that is removed is outdated', { old_line: 3, new_line: 3 },
    patch('x.ts', '@@ -1,4 +1,3 @@', ' one', ' two', '-three', ' four'), null],
  ['all lines of a file that is no longer changed are outdated', { old_line: 1, new_line: 1 }, patch('y.ts', '@@ -1 +1 @@', '-1', '+2'), null],
  ['a line of a renamed file has its new path', { new_line: 2 },
    lines('diff --git a/x.ts b/y.ts', 'rename from x.ts', 'rename to y.ts') + patch('x.ts', '@@ -2 +2 @@', '-two', '+2').replace('+++ b/x', '+++ b/y'),
    { new_path: 'y.ts', old_line: null, new_line: 2 }],
  ['a line of a deleted file is outdated', { new_line: 2 },
    lines('--- a/x.ts', '+++ /dev/null', '@@ -1,4 +0,0 @@', '-one', '-two', '-three', '-four'), null],
  ['a removed line of a deleted file is still removed', { old_line: 2 },
    lines('--- a/x.ts', '+++ /dev/null', '@@ -1,4 +0,0 @@', '-one', '-two', '-three', '-four'), { old_line: 2, new_line: null }],
])('%s', async (_, line, next, expected) => {
  const id = await service.comment(line);
  const before = await service.placeOf(id);
  const { body } = await service.push({ head_sha: d, diff: next });
  expect(expected ? body.moved : body.outdated).toEqual([id]);
  expect(await service.placeOf(id)).toEqual(expected ? { ...before, head_sha: d, ...expected } : before);
});

test('with another base and without texts makes all threads outdated, because nobody knows where their lines are', async () => {
  const ids = [await service.comment({ new_line: 2 }), await service.comment({ old_line: 2 }), await service.comment({ old_line: 1, new_line: 1 })];
  const { body } = await service.push({ base_sha: 'c'.repeat(40), diff });
  expect(body).toMatchObject({ base_sha: 'c'.repeat(40), start_sha: 'c'.repeat(40), moved: [], outdated: ids });
});

test('leaves threads without a position and on other commits alone', async () => {
  const { body } = await service.post<Discussion>(discussions, { json: { body: 'general' } });
  expect((await service.push({ diff: second })).body).toMatchObject({ moved: [], outdated: [] });
  expect((await service.thread(body.id)).notes).toEqual(body.notes);
});

test('ends the suggestions of outdated threads, and keeps those of others', async () => {
  const suggestion = '```suggestion\nTWO\n```';
  const ids = [await service.comment({ new_line: 2 }, suggestion), await service.comment({ old_line: 4, new_line: 4 }, suggestion)];
  const appliable = async () => Promise.all(ids.map(async (id) =>
    (await service.thread(id)).notes[0]!.suggestions!.map((one) => [one.appliable, one.from_line, one.from_content])));
  expect(await appliable()).toEqual([[[true, 2, '2\n']], [[true, 4, 'four\n']]]);
  await service.push({ diff: patch('x.ts', '@@ -1,4 +1,4 @@', ' one', '+1.5', '-two', ' three', ' four') });
  expect(await appliable()).toMatchObject([[[false, 2, '2\n']], [[true, 4, 'four\n']]]);
});
