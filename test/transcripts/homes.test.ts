import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ended, newHome, program, served } from '../support/program.js';

/** Homes in which nothing can be stored. */
const homes: readonly (readonly [string, () => string])[] = [
  ['below /proc', () => '/proc/x'],
  ['below a device', () => '/dev/null/x'],
  ['below /sys', () => '/sys/x'],
  ['a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-homes-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'file'), '');
    return join(folder, 'file');
  }],
];

/** Runs the program with a home; one that hangs is killed and then has no exit code. */
const ranAt = async (home: string, words: readonly string[], more: Record<string, string> = {}, stdin = '') => {
  const { env } = newHome();
  const child = spawn(process.execPath, [program, ...words],
    { env: { ...env, ...more, HOME: home }, stdio: ['pipe', 'pipe', 'pipe'], timeout: 40_000, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => undefined).end(stdin);
  return ended(child);
};

const server = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  return { COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };
};

const addedTo = ({ COLLOQUY_URL: url }: { readonly COLLOQUY_URL: string }) =>
  `added note 503 to issue/7\n${url}/acme/app/-/issues/7#note_503\n`;

describe.each(homes)('with a home that is %s', (_, homeOf) => {
  it('lists threads and sends notes', async () => {
    const [home, env] = [homeOf(), await server()];
    expect(await ranAt(home, ['discussions', 'list', 'issue/7', '-o', 'id'], env)).toMatchObject({ code: 0, err: '' });
    const add = ['notes', 'add', 'issue/7', '--json=body'];
    expect(await ranAt(home, add, env, 'text')).toEqual({ code: 0, out: '{"body":"text"}\n', err: addedTo(env) });
  });

  it('and without a temporary folder sends a note without a draft, and does not open an editor', async () => {
    const [home, env] = [homeOf(), { ...await server(), TMPDIR: '/proc/x', VISUAL: 'true' }];
    const error = `cannot write a draft to ${join(home, '.local', 'state', 'colloquy', 'drafts')} or /proc/x: no such folder\n`;
    const add = ['notes', 'add', 'issue/7', '--json=body'];
    const added = { code: 0, out: '{"body":"text"}\n', err: `no draft of the text was saved: ${error}${addedTo(env)}` };
    expect(await ranAt(home, add, env, 'text')).toEqual(added);
    expect(await ranAt(home, ['notes', 'add', 'issue/7', '--editor'], env)).toEqual({
      code: 1, out: '', err: `colloquy: ${error}set XDG_STATE_HOME to a writable folder\n` });
  });

  it('fails to store a setting or token', async () => {
    const [home, env] = [homeOf(), await server()];
    const error = expect.stringContaining(`cannot write profiles to ${join(home, '.config', 'colloquy')}: `) as string;
    expect(await ranAt(home, ['config', 'set', 'project', 'acme/app'])).toMatchObject({ code: 1, err: error });
    const login = await ranAt(home, ['auth', 'login', '--with-token'], env, 'ada-token');
    expect(login).toMatchObject({ code: 1, out: '', err: error });
  });
});

it.each(['', 'relative'])('with the home %j the program uses the folder of the system user', async (home) => {
  expect(await ranAt(home, ['config', 'path'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\/.*config\.json\n$/) as string });
});
