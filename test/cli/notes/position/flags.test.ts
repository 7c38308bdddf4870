import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { unknownRoute } from '../../../support/answers.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';
import { refs } from '../../../support/worlds.js';

const shas = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head };
const code = (path: string, numbers: string) => `${createHash('sha1').update(path).digest('hex')}_${numbers}`;

const create = async (flags: readonly string[], options: WorldOptions = {}, ref = '!1') => {
  const { code: exit, err, sent } = await ranIn(options, 'discussions', 'create', ref, '-m', 'text', ...flags);
  const post = sent.find(({ method }) => method === 'POST');
  return { exit, err, position: post && (JSON.parse(String(post.body)) as { position: unknown }).position, sent };
};
const without = (...paths: RegExp[]) => (request: HttpRequest) =>
  paths.some((path) => path.test(request.target.split('?')[0]!)) ? unknownRoute : undefined;

describe('a line of the diff', () => {
  it.each([
    ['added', ['--file', 'app.js', '--line', '2'], { old_path: 'app.js', new_path: 'app.js', new_line: 2 }],
    ['added, with its side', ['--file', 'app.js', '--line', 'new:2'], { old_path: 'app.js', new_path: 'app.js', new_line: 2 }],
    ['removed', ['--file', 'app.js', '--line', 'old:2'], { old_path: 'app.js', new_path: 'app.js', old_line: 2 }],
    ['unchanged', ['--file', 'app.js', '--line', '3'], { old_path: 'app.js', new_path: 'app.js', old_line: 3, new_line: 3 }],
    ['in a renamed file', ['--file', 'new.txt', '--line', '2'], { old_path: 'old.txt', new_path: 'new.txt', new_line: 2 }],
    ['in a renamed file, unchanged', ['--file', 'new.txt', '--line', '3'], { old_path: 'old.txt', new_path: 'new.txt', old_line: 2, new_line: 3 }],
    ['in a renamed file by its old name', ['--file', 'old.txt', '--line', 'old:2'],
      { old_path: 'old.txt', new_path: 'new.txt', old_line: 2, new_line: 3 }],
  ])('that is %s is sent in the form that the service accepts', async (_, flags, lines) => {
    const { exit, position } = await create(flags);
    expect(position).toEqual({ ...shas, position_type: 'text', ...lines });
    expect(exit).toBe(0);
  });

  it('and the ones after it are sent with their line codes', async () => {
    const { exit, position } = await create(['--file', 'app.js', '--line', '1:2']);
    expect(position).toEqual({
      ...shas, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2,
      line_range: { start: { line_code: code('app.js', '1_1'), type: 'old' }, end: { line_code: code('app.js', '3_2'), type: 'new' } },
    });
    expect(exit).toBe(0);
  });

  it.each([
    ['a range with a hyphen', ['--file', 'app.js', '--line', '1-2'], { new_line: 2, line_range: expect.anything() as unknown }],
    ['a range with its side', ['--file', 'app.js', '--line', 'new:1-2'], { new_line: 2, line_range: expect.anything() as unknown }],
    ['a range of the old side', ['--file', 'app.js', '--line', 'old:1-2'], { old_line: 2, line_range: expect.anything() as unknown }],
    ['a line after the path', ['--file', 'app.js:2'], { new_path: 'app.js', new_line: 2 }],
    ['a range after the path', ['--file', 'app.js:1-2'], { new_path: 'app.js', new_line: 2, line_range: expect.anything() as unknown }],
    ['a removed line after the path', ['--file', 'app.js:old:2'], { new_path: 'app.js', old_line: 2 }],
  ])('can be written as %s', async (_, flags, lines) => {
    const { exit, position } = await create(flags);
    expect({ exit, position }).toMatchObject({ exit: 0, position: lines });
  });

  it('after the path is part of the path if --line is given too', async () => {
    const lines = ['--line', '7', '--base-sha', 'b1', '--start-sha', 's1', '--head-sha', 'h1'];
    expect((await create(['--file', 'notes:13', ...lines], {}, '!2')).position).toMatchObject({ new_path: 'notes:13', new_line: 7 });
    expect(await create(['--file', 'app.js:2', '--line', '2'])).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining('app.js:2 is not in the diff of mr/1') as string });
  });

  it('that is not in the diff is rejected with the nearest lines, and nothing is sent', async () => {
    const { exit, err, position } = await create(['--file', 'app.js', '--line', '9']);
    expect({ exit, position }).toEqual({ exit: 2, position: undefined });
    expect(err).toMatch(/^colloquy: line 9 of app.js is not in the diff\nchoose one of the nearest lines: 1-4\n/);
  });

  it('of a file that is not in the diff is rejected with the changed files', async () => {
    const { exit, err } = await create(['--file', 'other.js', '--line', '1']);
    expect(exit).toBe(2);
    expect(err).toContain('choose a changed file:\n  app.js\n  new.txt');
  });
});

describe('the commits of a position', () => {
  const line = ['--file', 'app.js', '--line', '2'];
  const all = ['--base-sha', 'b1', '--start-sha', 's1', '--head-sha', 'h1'];
  const job = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: 'jb', CI_COMMIT_SHA: 'jc' };

  it('come from the flags first; a diff for other commits is not requested', async () => {
    const { position, sent } = await create([...line, ...all]);
    expect(position).toMatchObject({ base_sha: 'b1', start_sha: 's1', head_sha: 'h1', new_line: 2 });
    expect(sent.some(({ target }) => target.includes('/diffs'))).toBe(false);
  });

  it('come from the merge request if it has no versions', async () => {
    expect((await create(line, { answer: without(/versions$/) })).position).toMatchObject(shas);
  });

  it('come from the CI job if the service does not report them', async () => {
    const answer = without(/versions$/, /merge_requests\/1$/, /diffs$/);
    expect((await create(line, { answer, env: job })).position).toEqual({
      base_sha: 'jb', start_sha: 'jb', head_sha: 'jc', position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 });
    const merged = { ...job, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'source' };
    expect((await create(line, { answer, env: merged })).position).toMatchObject({ head_sha: 'source' });
  });

  it('must be given as flags if no source has them', async () => {
    const answer = without(/versions$/, /merge_requests\/1$/);
    const { exit, err } = await create(line, { answer, env: { ...job, CI_MERGE_REQUEST_IID: '2' } });
    expect(exit).toBe(2);
    expect(err).toContain('--base-sha, --start-sha and --head-sha');
  });

  it('of a commit are its parent and itself', async () => {
    const { exit, position } = await create(line, {}, `@${refs.commit}`);
    expect(position).toEqual({
      base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit, position_type: 'text',
      old_path: 'app.js', new_path: 'app.js', new_line: 2 });
    expect(exit).toBe(0);
  });

  it('of a commit are sent with a line of its own diff: unchanged lines have both numbers, unknown lines are rejected', async () => {
    const at = (...flags: string[]) => create(flags, {}, `@${refs.commit}`);
    expect(await at('--file', 'app.js', '--line', '3')).toMatchObject({ exit: 0, position: { old_line: 3, new_line: 3 } });
    expect(await at('--file', 'app.js', '--line', '9')).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining('line 9 of app.js is not in the diff') as string });
    expect(await at('--file', 'none.js', '--line', '1')).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining(`none.js is not in the diff of commit/${refs.commit}`) as string });
    expect(await at('--file', 'app.js', '--line', '1:2')).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining('only notes on merge requests can span several lines') as string });
  });

  it('of a commit are sent with the line unchanged if the service does not provide the diff', async () => {
    expect((await create(line, { answer: without(/\/diff$/) }, `@${refs.commit}`)).position).toMatchObject({ new_path: 'app.js', new_line: 2 });
  });

  it('are sent with the line unchanged if the service provides no diff; several lines are rejected', async () => {
    const answer = without(/diffs$/, /versions\/\d+$/);
    expect((await create(['--file', 'app.js', '--line', 'old:2'], { answer })).position).toMatchObject({ old_line: 2 });
    expect(await create(['--file', 'app.js', '--line', '1:2'], { answer })).toMatchObject({ exit: 2, position: undefined });
  });
});

it('sends the line unchanged if a merge request lists no changed files', async () => {
  const { exit, position } = await create(
    ['--file', 'a', '--line', '7', '--base-sha', 'b1', '--start-sha', 's1', '--head-sha', 'h1'], {}, '!2');
  expect(position).toMatchObject({ new_path: 'a', new_line: 7 });
  expect(exit).toBe(0);
});

describe('a position on an image', () => {
  it('is sent with the size of the image', async () => {
    const { exit, position } = await create(['--file', 'pixel.png', '--image-at', '3,4', '--image-size', '20x10']);
    expect(position).toEqual({
      ...shas, position_type: 'image', old_path: 'pixel.png', new_path: 'pixel.png', x: 3, y: 4, width: 20, height: 10 });
    expect(exit).toBe(0);
  });

  it('has a path that may end like a line number', async () => {
    const commits = ['--base-sha', 'b1', '--start-sha', 's1', '--head-sha', 'h1'];
    const { position } = await create(['--file', 'shot.png:13', '--image-at', '3,4', '--image-size', '20x10', ...commits], {}, '!2');
    expect(position).toMatchObject({ new_path: 'shot.png:13', x: 3, y: 4 });
  });
});

describe('a position from a file', () => {
  it('is sent unchanged', async () => {
    const position = { ...shas, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 };
    expect((await create(['--position', 'p.json'], { files: { 'p.json': JSON.stringify(position) } })).position).toEqual(position);
  });

  it.each([['[1]', 'is not a JSON object'], ['{', 'is not JSON']])('that is %s is rejected', async (text, message) => {
    const { exit, err } = await create(['--position', 'p.json'], { files: { 'p.json': text } });
    expect(exit).toBe(2);
    expect(err).toContain(message);
  });
});

it.each([
  [['--line', '2'], 'no file of the diff given'],
  [['--file', 'app.js'], 'no line of app.js given'],
  [['--file', 'app.js', '--line', 'x'], '--line takes'],
  [['--file', 'app.js', '--line', '0'], '--line takes'],
  [['--file', 'app.js', '--line', '3:2'], 'ends before it starts'],
  [['--file', 'app.js', '--line', '3-2'], 'the range 3-2 ends before it starts'],
  [['--file', 'app.js:3-2'], 'the range 3-2 ends before it starts'],
  [['--file', 'app.js', '--line', '1-2-3'], '--line takes [old:|new:]N, N-M or N:M'],
  [['--file', 'app.js:'], 'no line of app.js: given'],
  [['--file', 'app.js:0'], 'no line of app.js:0 given'],
  [['--file', 'a.png', '--image-at', '1,2'], 'must be used together'],
  [['--file', 'a.png', '--image-at', '1', '--image-size', '2x2'], '--image-at takes x,y'],
  [['--file', 'a.png', '--image-at', '1,1', '--image-size', '2'], '--image-size takes'],
  [['--file', 'a.png', '--line', '1', '--image-at', '1,1'], 'cannot be combined'],
  [['--position', 'p.json', '--old-path', 'a'], '--position and --old-path'],
])('%j is a usage error', async (flags, message) => {
  const { exit, err, position } = await create(flags);
  expect({ exit, position }).toEqual({ exit: 2, position: undefined });
  expect(err).toContain(message);
});

it('rejects a position on anything but merge requests and commits', async () => {
  expect(await create(['--file', 'app.js', '--line', '2'], {}, '#1')).toMatchObject({
    exit: 2, err: expect.stringContaining('issue/1 has no diff') as string });
  expect(await create(['--commit-id', refs.commit], {}, '#1')).toMatchObject({ exit: 2 });
});
