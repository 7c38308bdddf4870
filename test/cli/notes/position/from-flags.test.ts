import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { WorldOptions } from '../../../support/app.js';
import { images } from '../../../support/images.js';
import { create, shas } from '../../../support/positions.js';
import { testService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

const code = (path: string, numbers: string) => `${createHash('sha1').update(path).digest('hex')}_${numbers}`;

const files = ['src/send.ts', 'packages/a/src/send.ts', 'packages/a/only.ts', 'packages/b/only.ts'];

/** A merge request that adds these files, seen from `packages/a` of the work tree. */
const inFolder = async (paths: readonly string[]): Promise<WorldOptions> => {
  const diff = paths.map((path) => `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+one\n`).join('');
  const projects = acme.projects!.map((project) => project.path !== 'acme/app' ? project
    : { ...project, merge_requests: [{ ...project.merge_requests![0]!, diff, discussions: [] }] });
  return { workTree: '/repo', folder: '/repo/packages/a', service: await testService({ world: { ...acme, projects } }) };
};

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

  it.each([
    ['from the current folder', 'src/send.ts', 'src/send.ts'],
    ['from the current folder, explicitly', './src/send.ts', 'packages/a/src/send.ts'],
    ['from a folder around it', '../b/only.ts', 'packages/b/only.ts'],
    ['from the current folder alone', 'only.ts', 'packages/a/only.ts'],
    ['from the root', '/repo/packages/b/only.ts', 'packages/b/only.ts'],
    ['from the top of the work tree', 'packages/a/only.ts', 'packages/a/only.ts'],
  ])('is found by the path of the file %s', async (_, file, path) => {
    const { exit, position } = await create(['--file', `${file}:1`], await inFolder(file === 'src/send.ts' ? ['src/send.ts'] : files));
    expect({ exit, position }).toMatchObject({ exit: 0, position: { new_path: path } });
  });

  it('is found by a path with ./ outside of a work tree', async () => {
    expect((await create(['--file', './app.js:2'])).position).toMatchObject({ new_path: 'app.js', new_line: 2 });
    expect((await create(['--file', './pixel.png', '--image-at', '3,4', '--image-size', '20x10'])).position).toMatchObject({ new_path: 'pixel.png' });
  });

  it('is not guessed if the path fits two changed files', async () => {
    const { exit, err, position } = await create(['--file', 'src/send.ts:1'], await inFolder(files));
    expect({ exit, position }).toEqual({ exit: 2, position: undefined });
    expect(err).toBe('colloquy: src/send.ts and packages/a/src/send.ts are both in the diff of mr/1\n'
      + 'write ../../src/send.ts or ./src/send.ts\n');
  });

  it('is not guessed if the current folder has a file of the path that is not in the diff', async () => {
    const options = { ...await inFolder(['src/send.ts']), files: { '/repo/packages/a/src/send.ts': 'one\n' } };
    const rejected = await create(['--file', 'src/send.ts:1'], options);
    expect(rejected).toMatchObject({ exit: 2, position: undefined });
    expect(rejected.err).toBe('colloquy: src/send.ts is in the diff of mr/1, and packages/a/src/send.ts is not\n'
      + 'write ../../src/send.ts or ./src/send.ts\n');
    expect((await create(['--file', './src/send.ts:1'], options)).err).toContain('packages/a/src/send.ts is not in the diff of mr/1');
    expect(await create(['--file', '../../src/send.ts:1'], options)).toMatchObject({ exit: 0, position: { new_path: 'src/send.ts' } });
  });

  it.each([['aap.js', 'app.js'], ['lib/app.js', 'app.js'], ['nw.txt', 'new.txt'], ['xyz.js', null]])(
    'of the mistyped file %s is rejected with the nearest changed file', async (file, meant) => {
      const { exit, err } = await create(['--file', file, '--line', '1']);
      expect(exit).toBe(2);
      expect(err).toBe(`colloquy: ${file} is not in the diff of mr/1\n${
        meant === null ? 'choose a changed file:\n  app.js\n  new.txt\n  pixel.png\n' : `did you mean ${meant}?\n`}`);
    });

  it('of a file without its folder is rejected with the changed file of that name', async () => {
    expect((await create(['--file', 'send.ts:1'], await inFolder(['src/send.ts']))).err).toContain('did you mean src/send.ts?\n');
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

  const inTree = (bytes: Uint8Array) => ({ workTree: '/repo', files: { '/repo/pixel.png': bytes } });
  const withoutSize = (options: WorldOptions) => create(['--file', 'pixel.png', '--image-at', '3,4'], options);

  it('has the size of the image in the work tree, as browsers show it', async () => {
    // EXIF data with the orientation, then the frame of 20 x 10 pixels.
    const jpeg = (orientation: number) => Buffer.from(
      'ffd8ffe1001e45786966000049492a000800000001001201030001000000'
      + `${orientation.toString(16).padStart(2, '0')}000000ffc0001108000a001403012200021101031101ffd9`, 'hex');
    const shape = ({ width, height }: { readonly width?: number; readonly height?: number }) => [width, height];
    expect(shape((await withoutSize(inTree(images.png))).position!)).toEqual([1, 1]);
    expect(shape((await withoutSize(inTree(Buffer.from('<svg width="30" height="40"/>')))).position!)).toEqual([30, 40]);
    expect(shape((await withoutSize(inTree(jpeg(1)))).position!)).toEqual([20, 10]);
    expect(shape((await withoutSize(inTree(jpeg(6)))).position!)).toEqual([10, 20]);
  });

  it('is rejected without a size that can be found', async () => {
    const missing = { workTree: '/repo' };
    const wrong: readonly WorldOptions[] = [{}, missing, inTree(Buffer.from('text')), inTree(images.exe)];
    for (const options of wrong) {
      const { exit, position, err } = await withoutSize(options);
      expect([exit, position]).toEqual([2, undefined]);
      expect(err).toMatch(/^colloquy: cannot determine the size of the image: .+\npass --image-size WIDTHxHEIGHT\n/);
    }
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
