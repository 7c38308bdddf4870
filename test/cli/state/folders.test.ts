import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeFolder, makeFolder, stateFolder, stateKey } from '../../../src/cli/state/folders.js';

describe('the state folder', () => {
  const unneeded = () => { throw new Error('the home folder was looked for'); };

  it('follows XDG and Windows, otherwise is below the home folder', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/state' }, unneeded, 'linux')).toBe('/state/colloquy');
    expect(stateFolder({ XDG_STATE_HOME: 'relative' }, () => '/home/me', 'linux')).toBe('/home/me/.local/state/colloquy');
    expect(stateFolder({ XDG_STATE_HOME: '' }, () => '/home/me', 'darwin')).toBe('/home/me/.local/state/colloquy');
    expect(stateFolder({ LOCALAPPDATA: '/local' }, unneeded, 'win32')).toBe('/local/colloquy/state');
  });
});

it('keys of the state stay the same, so that files of earlier versions are found', async () => {
  expect(await stateKey('https://gitlab.example.com')).toBe('dfe2eead3cf71594');
});

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-folders-')); });
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (...names: string[]) => (statSync(join(folder, ...names)).mode & 0o777).toString(8);

describe('a folder', () => {
  it('is created with its parents, for this user only', () => {
    makeFolder(join(folder, 'a', 'b', 'c'));
    expect([modeOf('a'), modeOf('a', 'b'), modeOf('a', 'b', 'c')]).toEqual(['700', '700', '700']);
  });

  it('that exists keeps its mode, and so do its parents', () => {
    mkdirSync(join(folder, 'a'));
    chmodSync(join(folder, 'a'), 0o777);
    makeFolder(join(folder, 'a'));
    makeFolder(join(folder, 'a', 'b'));
    expect([modeOf('a'), modeOf('a', 'b')]).toEqual(['777', '700']);
  });

  it('can be a link to a folder', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    makeFolder(join(folder, 'link', 'a'));
    expect(statSync(join(folder, 'real', 'a')).isDirectory()).toBe(true);
  });

  it('cannot be created below a file or at a broken symbolic link', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('nowhere', join(folder, 'broken'));
    expect(() => makeFolder(join(folder, 'file', 'a', 'b'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
    expect(() => makeFolder(join(folder, 'broken'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  });
});

const unknown = () => { throw new Error('uv_os_homedir returned ENOENT'); };

describe('the home folder', () => {
  it('is the path from the first source', () => {
    expect(homeFolder([() => '/home/ada', unknown])).toBe('/home/ada');
  });

  it.each(['', 'relative', './home'])('is never the working directory, even with HOME=%j', (home) => {
    expect(homeFolder([() => home, () => '/home/ada'])).toBe('/home/ada');
  });

  it('of a user without an account is a folder that does not exist', () => {
    expect(homeFolder([unknown, unknown])).toBe('/nonexistent');
  });
});
