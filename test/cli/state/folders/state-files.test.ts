import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orUnwritable, stateFiles } from '../../../../src/cli/state/folders.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-state-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const opened = () => stateFiles(() => join(folder, 'colloquy'));

describe('the state folder', () => {
  it('has no files before the first write', async () => {
    expect(await opened().read('a/b.json')).toBeNull();
    expect(await opened().names('a')).toEqual([]);
    await opened().remove('a/b.json');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps text and bytes for the owner only', async () => {
    const files = opened();
    await files.write('a/b.json', 'text');
    await files.write('a/c/d', Buffer.from([0, 255]));
    expect(String(await files.read('a/b.json'))).toBe('text');
    expect(await files.read('a/c/d')).toEqual(Buffer.from([0, 255]));
    expect(statSync(files.pathOf('a/b.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'colloquy')).mode & 0o777).toBe(0o700);
    await files.remove('a/b.json');
    expect(await files.names('a')).toEqual(['c']);
  });

  it('says in words why a file cannot be read', async () => {
    await opened().write('a/b', '');
    await expect(opened().read('a')).rejects.toMatchObject({ message: `cannot read ${opened().pathOf('a')}: it is a folder` });
    symlinkSync('loop', join(folder, 'colloquy', 'loop'));
    await expect(opened().names('loop')).rejects.toMatchObject({ code: 'failure', hint: 'check its owner, or set XDG_STATE_HOME to another folder' });
  });

  it('appends to a file for the owner only', async () => {
    const files = opened();
    await files.write('a/b', 'one\n');
    await files.append('a/b', 'two\n');
    await files.append('a/c', 'three\n');
    expect([String(await files.read('a/b')), String(await files.read('a/c'))]).toEqual(['one\ntwo\n', 'three\n']);
    expect(statSync(files.pathOf('a/c')).mode & 0o777).toBe(0o600);
  });

  it('does not list unfinished files and locks', async () => {
    const files = opened();
    await files.write('a/b', '');
    writeFileSync(files.pathOf('a/c.part'), '');
    expect(await files.locked('a', () => files.names('a'))).toEqual(['b']);
    expect(readdirSync(files.pathOf('a')).sort()).toEqual(['b', 'c.part']);
  });

  it('lets only one change run at a time', async () => {
    const files = opened();
    const increment = () => files.locked('a', async () => {
      const count = Number(String(await files.read('a/count') ?? '0'));
      await files.write('a/count', String(count + 1));
    });
    await Promise.all(Array.from({ length: 5 }, increment));
    expect(String(await files.read('a/count'))).toBe('5');
  });

  it('rejects writes with the error of the system', async () => {
    writeFileSync(join(folder, 'colloquy'), '');
    await expect(opened().write('a/b', '')).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(opened().locked('a', async () => undefined)).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

it('a write that cannot be made is a problem in words, and an interrupt or a mistake of the program stays what it is', async () => {
  const failing = (error: Error) => orUnwritable('the journal /a', () => Promise.reject(error));
  await expect(failing(Object.assign(new Error('EROFS'), { code: 'EROFS' }))).rejects
    .toMatchObject({ message: 'cannot write the journal /a: the disk is read-only' });
  for (const error of [new DOMException('interrupted', 'AbortError'), new TypeError('broken')]) await expect(failing(error)).rejects.toBe(error);
});
