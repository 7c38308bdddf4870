import { execFileSync, spawn } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, ownDisk } from '../../../support/disks.js';
import { ended } from '../../../support/program.js';
import {
  filesBelow, firstContaining, openToAppend, readLimitedFile, writeDurably, writeWhole,
} from '../../../../src/cli/terminal/io/files.js';

let folder: string;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'colloquy-files-')); });
afterEach(() => rm(folder, { recursive: true }));

it('a written file replaces the former one and is readable by its owner only', async () => {
  const path = join(folder, 'ready.json');
  await writeFile(path, 'a longer text of before', { mode: 0o666 });
  await writeWhole(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await lstat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['ready.json']);
});

it('a file opened to append has each text at once, and is readable by its owner only', async () => {
  const path = join(folder, 'recording.ndjson');
  const { append } = await openToAppend(path);
  append('one\n');
  expect(await readFile(path, 'utf8')).toBe('one\n');
  append('two\n');
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  expect((await lstat(path)).mode & 0o777).toBe(0o600);
});

it.each(canMount() ? ['64k'] : [])('a text that a full disk of %s takes in part leaves nothing in a file opened to append', async (room) => {
  const path = join(ownDisk(room), 'recording.ndjson');
  const { append } = await openToAppend(path);
  append('one\n');
  expect(() => { append('x'.repeat(100_000)); }).toThrow('no space left');
  append('two\n');
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
});

it('a file opened to append knows whether it was removed, replaced or cut', async () => {
  const path = join(folder, 'recording.ndjson');
  const changes: readonly [boolean, () => Promise<unknown>][] = [
    [true, async () => (await openToAppend(path)).append('of another program\n')],
    [false, () => rm(path)], [false, () => writeWhole(path, 'one\ntwo\n')], [false, () => writeFile(path, 'one')],
  ];
  for (const [isKept, change] of changes) {
    await rm(path, { force: true });
    const { append, isInPlace } = await openToAppend(path);
    append('one\n');
    expect(isInPlace()).toBe(true);
    await change();
    expect(isInPlace()).toBe(isKept);
  }
});

it('a device that takes nothing is an error of each text', async () => {
  const { append } = await openToAppend('/dev/full');
  for (const text of ['a', 'b']) expect(() => { append(text); }).toThrow('no space left');
});

it('links are replaced instead of followed, and in the program\'s own folders those with the name of the unfinished file', async () => {
  const other = join(folder, 'other');
  await writeFile(other, 'kept');
  for (const write of [writeWhole, writeDurably]) {
    for (const name of ['ready.json', 'ready.json.part']) {
      await rm(join(folder, name), { force: true });
      await symlink(other, join(folder, name));
    }
    await write(join(folder, 'ready.json'), 'new');
    expect(await readFile(other, 'utf8')).toBe('kept');
    expect(await readFile(join(folder, 'ready.json'), 'utf8')).toBe('new');
  }
});

it('a file of the user whose name ends with .part is kept', async () => {
  const path = join(folder, 'threads.ndjson');
  await writeFile(`${path}.part`, 'mine');
  await writeWhole(path, 'new');
  expect([await readFile(`${path}.part`, 'utf8'), await readFile(path, 'utf8')]).toEqual(['mine', 'new']);
});

it('of two that write a file at the same time, the later one replaces all of the other', async () => {
  const path = join(folder, 'threads.ndjson');
  const read = async () => seen.push(await readFile(path, 'utf8'));
  const seen: string[] = [];
  const slow = async function* () {
    yield 'slow\n';
    await writeWhole(path, 'quick\n');
    await read();
    yield 'slow\n';
  };
  await writeWhole(path, slow());
  await read();
  expect(seen).toEqual(['quick\n', 'slow\nslow\n']);
});

it('a device or a pipe takes the content, and is not replaced by a file', async () => {
  const [device, pipe] = [join(folder, 'device'), join(folder, 'pipe')];
  await symlink('/dev/null', device);
  execFileSync('mkfifo', [pipe]);
  await writeWhole(device, 'gone');
  await writeWhole(device, (async function* () { yield 'gone'; })());
  await expect(writeWhole(pipe, 'lost')).rejects.toMatchObject({ code: 'ENXIO' });
  const read = ended(spawn('cat', [pipe]));
  await expect.poll(() => writeWhole(pipe, 'received').then(() => true, () => false)).toBe(true);
  expect(await read).toMatchObject({ code: 0, out: 'received' });
  expect([(await lstat(device)).isSymbolicLink(), (await lstat(pipe)).isFIFO(), (await lstat('/dev/null')).isCharacterDevice()]).toEqual([true, true, true]);
  expect(await readdir(folder)).toEqual(['device', 'pipe']);
});

it('a file that cannot be replaced leaves nothing behind', async () => {
  await mkdir(join(folder, 'ready.json'));
  await expect(writeWhole(join(folder, 'ready.json'), 'new')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(await readdir(folder)).toEqual(['ready.json']);
});

it('parts that fail leave the former file as it was', async () => {
  const path = join(folder, 'threads.ndjson');
  await writeFile(path, 'before');
  const failing = async function* () { yield 'half'; throw new Error('lost'); };
  await expect(writeWhole(path, failing())).rejects.toThrow('lost');
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['before', ['threads.ndjson']]);
});

it('a file is complete, and readable by its owner only, once all parts are written', async () => {
  const path = join(folder, 'threads.ndjson');
  const names: string[][] = [];
  const parts = async function* () { yield 'one\n'; names.push(await readdir(folder)); yield 'two\n'; };
  await writeWhole(path, parts());
  expect([await readFile(path, 'utf8'), (await lstat(path)).mode & 0o777]).toEqual(['one\ntwo\n', 0o600]);
  expect(names).toEqual([[expect.stringMatching(/^threads\.ndjson\.[\da-z]+\.part$/)]]);
});

describe('a limited read', () => {
  it('returns a file of at most the given size', async () => {
    const path = join(folder, 'a');
    await writeFile(path, 'x'.repeat(100_000));
    expect((await readLimitedFile(path, 100_000)).length).toBe(100_000);
    await expect(readLimitedFile(path, 99_999)).rejects.toMatchObject({ code: 'EFBIG' });
  });

  it('rejects folders, pipes without a writer and devices', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(readLimitedFile(join(folder, 'pipe'), 10)).rejects.toMatchObject({ code: 'ENOTFILE' });
    await expect(readLimitedFile('/dev/zero', 10)).rejects.toMatchObject({ code: 'ENOTFILE' });
    await expect(readLimitedFile(folder, 10)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(readLimitedFile(join(folder, 'missing'), 10)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a read inside a folder', () => {
  const inside = async (path: string, root = join(folder, 'root')) => Buffer.from(await readLimitedFile(path, 100, root)).toString();
  beforeEach(async () => {
    await mkdir(join(folder, 'root', 'sub'), { recursive: true });
    await mkdir(join(folder, 'root-other'));
    for (const name of ['root/a', 'root/sub/b', 'root-other/c', 'secret']) await writeFile(join(folder, name), name);
  });

  it('follows links and dots that stay there', async () => {
    await symlink('sub/b', join(folder, 'root', 'link'));
    await symlink(join(folder, 'root'), join(folder, 'to-root'));
    for (const path of ['root/link', 'root/sub/../sub/b', 'to-root/sub/b']) expect(await inside(join(folder, path))).toBe('root/sub/b');
    expect(await inside(join(folder, 'root', 'a'), join(folder, 'to-root'))).toBe('root/a');
  });

  it('rejects dots and links that leave it', async () => {
    await symlink(join(folder, 'secret'), join(folder, 'root', 'link'));
    await symlink('..', join(folder, 'root', 'up'));
    for (const path of ['secret', 'root/../secret', 'root-other/c', 'root/link', 'root/up/secret']) {
      await expect(inside(join(folder, path)), path).rejects.toMatchObject({ code: 'EOUTSIDE' });
    }
    await expect(inside('/proc/self/environ')).rejects.toMatchObject({ code: 'EOUTSIDE' });
    await expect(inside(join(folder, 'root', 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it("rejects git's own files", async () => {
    for (const path of ['root/.git', 'root/sub/.Git']) {
      await mkdir(join(folder, path));
      await writeFile(join(folder, path, 'config'), 'token');
      await expect(inside(join(folder, path, 'config')), path).rejects.toMatchObject({ code: 'EOUTSIDE' });
    }
    await symlink('.git/config', join(folder, 'root', 'link'));
    await expect(inside(join(folder, 'root', 'link'))).rejects.toMatchObject({ code: 'EOUTSIDE' });
    await writeFile(join(folder, 'root', '.gitignore'), 'x');
    expect(await inside(join(folder, 'root', '.gitignore'))).toBe('x');
  });

  it('is needed for paths that the folder contains, by their words or by their own folder', async () => {
    const root = join(folder, 'root');
    await symlink(folder, join(root, 'up'));
    await symlink(root, join(folder, 'to-root'));
    await symlink('/proc/self/environ', join(root, 'link'));
    const isIn = async (path: string, from = root) => await firstContaining([join(folder, 'gone'), from], path) === from;
    for (const path of ['a', 'sub/b', 'link', 'up/secret', 'none', 'none/none', 'sub/../a']) expect(await isIn(join(root, path)), path).toBe(true);
    for (const path of ['to-root/a', 'to-root/link', 'root-other/../root/a']) expect(await isIn(join(folder, path)), path).toBe(true);
    expect(await isIn(join(folder, 'to-root', 'a'), join(folder, 'to-root'))).toBe(true);
    expect(await isIn(join(root, 'a'), join(folder, 'to-root'))).toBe(true);
    for (const path of ['secret', 'root-other/c', 'root-none']) expect(await isIn(join(folder, path)), path).toBe(false);
    for (const path of ['/dev/fd/0', '/dev/stdin', '/proc/self/environ']) expect(await isIn(path), path).toBe(false);
  });

  it('reads no other file while the path is replaced again and again', async () => {
    const path = join(folder, 'root', 'a');
    let isOn = true;
    const swap = async () => {
      for (let i = 0; isOn; i++) {
        await symlink(i % 2 === 0 ? '../secret' : 'sub/b', `${path}~`);
        await rename(`${path}~`, path);
      }
    };
    const swapping = swap();
    const seen = new Set<string>();
    const met = ['EOUTSIDE', 'root/sub/b'];
    for (let i = 0; i < 400 || (i < 40_000 && !met.every((one) => seen.has(one))); i++) {
      seen.add(await inside(path).catch((error: NodeJS.ErrnoException) => error.code ?? ''));
    }
    isOn = false;
    await swapping;
    seen.delete('root/a');
    expect([...seen].sort()).toEqual(met);
  });
});

it('the files below a folder have paths from there, without those of git, of packages, and of links', async () => {
  for (const path of ['src/deep', '.git', 'node_modules/a', 'web/node_modules', '.config']) await mkdir(join(folder, path), { recursive: true });
  for (const path of ['a.js', 'src/deep/b.js', '.git/HEAD', 'node_modules/a/c.js', 'web/node_modules/d.js', '.config/e.js']) {
    await writeFile(join(folder, path), '');
  }
  await symlink(join(folder, 'src'), join(folder, 'link'));
  await symlink(join(folder, 'a.js'), join(folder, 'link.js'));
  expect((await filesBelow(folder, 100))!.toSorted()).toEqual(['.config/e.js', 'a.js', 'src/deep/b.js']);
  expect(await filesBelow(folder, 5)).toBeNull();
  expect(await filesBelow(join(folder, 'missing'), 5)).toEqual([]);
});
