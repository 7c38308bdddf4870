import { describe, expect, it } from 'vitest';
import { stateFolder, stateKey } from '../../../src/cli/state/folders.js';

describe('the state folder', () => {
  it('follows XDG and Windows, otherwise is below the home folder', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/state' }, '/home/me', 'linux')).toBe('/state/colloquy');
    expect(stateFolder({ XDG_STATE_HOME: 'relative' }, '/home/me', 'linux')).toBe('/home/me/.local/state/colloquy');
    expect(stateFolder({ XDG_STATE_HOME: '' }, '/home/me', 'darwin')).toBe('/home/me/.local/state/colloquy');
    expect(stateFolder({ LOCALAPPDATA: '/local' }, '/home/me', 'win32')).toBe('/local/colloquy/state');
  });
});

it('keys of the state stay the same, so that files of earlier versions are found', async () => {
  expect(await stateKey('https://gitlab.example.com')).toBe('dfe2eead3cf71594');
});
