import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { create, shas } from '../../../support/positions.js';
import { refs } from '../../../support/worlds.js';

const code = (path: string, numbers: string) => `${createHash('sha1').update(path).digest('hex')}_${numbers}`;

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

  it('is rejected if the image is not in the diff', async () => {
    expect(await create(['--file', 'none.png', '--image-at', '1,2', '--image-size', '3x4'])).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining('none.png is not in the diff of mr/1') as string });
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

it('rejects a position on anything but merge requests and commits', async () => {
  expect(await create(['--file', 'app.js', '--line', '2'], {}, '#1')).toMatchObject({
    exit: 2, err: expect.stringContaining('issue/1 has no diff') as string });
  expect(await create(['--commit-id', refs.commit], {}, '#1')).toMatchObject({ exit: 2 });
});
