import { afterEach, beforeEach, expect, test } from 'vitest';
import { b, diff, pushService, type PushService } from '../../support/pushes.js';

let service: PushService;
beforeEach(async () => { service = await pushService(); });
afterEach(() => service.close());

test.each<[number, string, object, string]>([
  [404, 'for an unknown project', { project: 'acme/none', diff }, '404 Not Found - no project is "acme/none"'],
  [404, 'for an unknown merge request', { merge_request: 7, diff }, '404 Not Found - acme/app has no merge request 7'],
  [422, 'for a merged one', { merge_request: 2, diff }, '422 Unprocessable Entity - the merge request is merged; push to an open one'],
  [422, 'without a base', { merge_request: 3, diff }, '422 Unprocessable Entity - the merge request has no base_sha; pass base_sha'],
  [422, 'without changes', {}, '422 Unprocessable Entity - the push has neither diff nor files; pass one of them'],
  [422, 'with two kinds of changes', { diff, files: {} }, '422 Unprocessable Entity - the push has both diff and files; pass one of them'],
  [422, 'with text that is not a diff', { diff: 'x' },
    '422 Unprocessable Entity - diff is not a unified diff; pass the output of git diff from the base to the head'],
  [422, 'with the head of before', { diff, head_sha: b },
    `422 Unprocessable Entity - ${b} is already the head of the merge request; pass another head_sha, or none`],
  [422, 'with files of a project without', { files: { x: '' } },
    '422 Unprocessable Entity - the world does not contain the files of the project; add files to the project, or pass diff'],
  [422, 'with a path outside', { files: { '../x': '' } },
    '422 Unprocessable Entity - invalid path "../x"; use a path such as src/app.ts, of at most 500 characters'],
  [400, 'with an unknown key', { dif: diff }, '400 Bad request - unknown key "dif" in the push; did you mean diff?'],
  [400, 'with another type', { diff: 4 }, '400 Bad request - diff must be text, not 4'],
  [400, 'without a project', { project: null, diff }, '400 Bad request - project must be the id or the full path of a project, not undefined'],
  [400, 'with a title of two lines', { diff, title: 'a\nb' },
    '400 Bad request - title must be a text on one line, of at most 255 characters, not "a\\nb"'],
  [400, 'with a SHA of two words', { diff, head_sha: 'a b' }, '400 Bad request - head_sha must be a SHA, not "a b"'],
])('a push is refused with %i %s, and nothing is stored', async (status, _, change, message) => {
  const before = (await service.get('/-/world')).text;
  expect(await service.push(change)).toMatchObject({ status, body: { message } });
  expect((await service.get('/-/world')).text).toBe(before);
});

test.each(['', '[]', '"x"', '{', 'a: [', '- x'])('a push is refused with 400 if its body is %j', async (body) => {
  expect(await service.call('POST', '/-/push', { body })).toMatchObject({ status: 400 });
});

test('a push is refused in code too', async () => {
  await expect(service.service.push({ project: 20, merge_request: 9, diff })).rejects.toMatchObject({ name: 'OperationError', status: 404 });
});
