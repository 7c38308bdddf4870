import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../../../support/program.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-stranger-'));
  chmodSync(folder, 0o777);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A user id without a user, as some containers use. Only root can switch to it; other users keep their own id. */
const stranger = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : {};

const colloquy = (words: readonly string[], env: Record<string, string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder, ...stranger, encoding: 'utf8',
    env: { PATH: process.env['PATH'], COLLOQUY_URL: 'http://127.0.0.1:9', COLLOQUY_TOKEN: 't', ...env },
  });
  return { status, stdout, stderr };
};

describe('a user that the system does not know', () => {
  it('can use settings from the environment', () => {
    expect(colloquy(['auth', 'token'], {})).toEqual({ status: 0, stdout: 't\n', stderr: '' });
  });

  it('can use HOME of another user', () => {
    chmodSync(folder, 0o700);
    expect(colloquy(['auth', 'token'], { HOME: folder })).toEqual({ status: 0, stdout: 't\n', stderr: '' });
  });

  it('can set a folder for profiles', () => {
    const env = { COLLOQUY_CONFIG_DIR: join(folder, 'config') };
    expect(colloquy(['config', 'set', 'timeout', '9'], env)).toMatchObject({ status: 0 });
    expect(colloquy(['config', 'get', 'timeout'], env)).toMatchObject({ status: 0, stdout: '9\n' });
  });
});
