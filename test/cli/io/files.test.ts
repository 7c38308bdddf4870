import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLimited, writeInParts, writeWhole } from '../../../src/cli/io/files.js';

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

it('links are replaced instead of followed, also those with the name of the unfinished file', async () => {
  const other = join(folder, 'other');
  await writeFile(other, 'kept');
  for (const name of ['ready.json', 'ready.json.part']) await symlink(other, join(folder, name));
  await writeWhole(join(folder, 'ready.json'), 'new');
  expect(await readFile(other, 'utf8')).toBe('kept');
  expect(await readFile(join(folder, 'ready.json'), 'utf8')).toBe('new');
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
  await expect(writeInParts(path, failing())).rejects.toThrow('lost');
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['before', ['threads.ndjson']]);
});

it('a file is complete, and readable by its owner only, once all parts are written', async () => {
  const path = join(folder, 'threads.ndjson');
  const names: string[][] = [];
  const parts = async function* () { yield 'one\n'; names.push(await readdir(folder)); yield 'two\n'; };
  await writeInParts(path, parts());
  expect([await readFile(path, 'utf8'), (await lstat(path)).mode & 0o777]).toEqual(['one\ntwo\n', 0o600]);
  expect(names).toEqual([['threads.ndjson.part']]);
});

describe('a limited read', () => {
  it('returns a file of at most the given size', async () => {
    const path = join(folder, 'a');
    await writeFile(path, 'x'.repeat(100_000));
    expect((await readLimited(path, 100_000)).length).toBe(100_000);
    await expect(readLimited(path, 99_999)).rejects.toMatchObject({ code: 'EFBIG' });
  });

  it('rejects folders, pipes without a writer and devices', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(readLimited(join(folder, 'pipe'), 10)).rejects.toMatchObject({ code: 'ENOTFILE' });
    await expect(readLimited('/dev/zero', 10)).rejects.toMatchObject({ code: 'ENOTFILE' });
    await expect(readLimited(folder, 10)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(readLimited(join(folder, 'missing'), 10)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
