import { afterEach, beforeEach, expect, test } from 'vitest';
import { b, d, diff, discussions, lines, on, patch, second, pushService, type PushService } from '../../../../support/pushes.js';

let service: PushService;
beforeEach(async () => { service = await pushService(); });
afterEach(() => service.close());

test.each([['index 1..2 100644', 'moved'], ['index 1..3 100644', 'outdated']])('an image with %s is %s', async (index, where) => {
  const image = (what: string) => lines('diff --git a/p.png b/p.png', what, 'Binary files a/p.png and b/p.png differ');
  await service.push({ head_sha: d, diff: image('index 1..2 100644') });
  const id = await service.comment({ head_sha: d, old_path: 'p.png', new_path: 'p.png', position_type: 'image', x: 1, y: 2, width: 3, height: 4 });
  const { body } = await service.push({ diff: `${image(index)}diff --git a/x.ts b/x.ts\n${diff}` });
  expect(body).toMatchObject({ [where]: [id] });
  expect((await service.thread(id)).notes.map((note) => note.body).slice(1)).toEqual(where === 'moved' ? []
    : [expect.stringContaining('changed this file in [version 3 of the diff]')]);
});

test('a comment on an older version is on the new one if its line is there, else outdated', async () => {
  await service.push({ head_sha: d, diff: second });
  expect(await service.placeOf(await service.comment({ new_line: 2 }))).toMatchObject({ head_sha: d, new_line: 3 });
  await service.push({ diff: patch('x.ts', '@@ -2 +1,0 @@', '-two') });
  expect(await service.placeOf(await service.comment({ new_line: 2 }))).toMatchObject({ head_sha: b, new_line: 2 });
});

test('a comment on an older version has to be on a line of its diff', async () => {
  await service.push({ diff: second });
  const { status, body } = await service.post(discussions, { json: { body: 'x', position: { ...on, new_line: 40 } } });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must be a valid line code')]);
});
