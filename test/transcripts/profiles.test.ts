import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../src/cli/state/lock.js';
import { ended, newHome, program, served, type Env } from '../support/program.js';

interface Stored { readonly current: string; readonly profiles: Readonly<Record<string, object>> }

/** A home folder with a server, and the program in it. */
const place = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const folder = join(home, '.config', 'colloquy');
  const run = (words: readonly string[], stdin = '', more: Env = {}) => {
    const child = spawn(process.execPath, [program, ...words], { cwd: home, env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(stdin);
    return ended(child);
  };
  const stored = () => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Stored;
  const login = (name: string) => run(['auth', 'login', '--with-token', '--profile', name, '--url', url], 'ada-token');
  return { url, folder, run, login, stored, files: () => readdirSync(folder) };
};

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

it.each([[0o777, true], [0o770, true], [0o1777, false], [0o755, false], [0o700, false]])(
  'a profile folder with the mode %s keeps it, and a login warns about users who can replace files in it: %s', async (mode, warns) => {
    const { folder, login, stored } = await place();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, mode);
    const { code, err } = await login('default');
    expect({ code, mode: statSync(folder).mode & 0o7777, profiles: Object.keys(stored().profiles) }).toEqual({ code: 0, mode, profiles: ['default'] });
    const warning = `warning: other users can replace files in ${folder}; run \`chmod go-w\` on it to prevent that\n`;
    expect(err.endsWith(warning), err).toBe(warns);
  });

it.each([[0o644, 0o755, true], [0o640, 0o750, true], [0o644, 0o700, false], [0o600, 0o755, false]])(
  'auth status and doctor say who can read a token in a file with the mode %s in a folder with the mode %s', async (mode, folderMode, isExposed) => {
    const { folder, run, login } = await place();
    await login('default');
    const path = join(folder, 'config.json');
    chmodSync(path, mode);
    chmodSync(folder, folderMode);
    const stored = `stored in ${path}, which ${isExposed ? 'others' : 'only you'} can read`;
    const status = await run(['auth', 'status']);
    expect(status.out.replaceAll('_', ' ').replaceAll('\t', ' ')).toContain(stored);
    expect(status.err).toBe(isExposed ? `others can read the token; run \`chmod 600 ${path}\`\n` : '');
    const [check] = JSON.parse((await run(['doctor', '--json', '--jq', '[.[] | select(.check == "token")]'])).out) as object[];
    expect(check).toEqual({
      check: 'token', state: isExposed ? 'fail' : 'ok', message: `from profile default, ${stored}`,
      hint: isExposed ? `run \`chmod 600 ${path}\`` : null,
    });
  });

it('concurrent processes all add their results to completion', async () => {
  const { url, run } = await place();
  const env = { COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };
  const created = await Promise.all(names.map((name) => run(['discussions', 'create', 'issue/7', '-m', `text ${name}`], '', env)));
  expect(created.map(({ code }) => code)).toEqual(names.map(() => 0));
  const { out } = await run(['__complete', '--', 'discussions', 'get', 'issue/7', ''], '', env);
  expect(out.split('\n').map((line) => line.split('\t')[1] ?? '').filter(Boolean).toSorted()).toEqual(names.map((name) => `text ${name}`));
}, 60_000);

describe('concurrent processes that change profiles', () => {
  it('lose no login', async () => {
    const { url, login, stored, files } = await place();
    const logins = await Promise.all(names.map(login));
    expect(logins.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { current, profiles } = stored();
    expect(profiles).toEqual(Object.fromEntries(names.map((name) => [name, { url, token: 'ada-token' }])));
    expect(names).toContain(current);
    expect(files()).toEqual(['config.json']);
  }, 60_000);

  it('lose no login when a killed process has left its lock', async () => {
    const { folder, login, stored, files } = await place();
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'config.json.lock');
    const own = await withLock(path, () => JSON.parse(readFileSync(path, 'utf8')) as object);
    writeFileSync(path, JSON.stringify({ ...own, pid: spawnSync('true').pid }));
    expect((await Promise.all(names.map(login))).map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(Object.keys(stored().profiles).toSorted()).toEqual(names);
    expect(files()).toEqual(['config.json']);
  }, 60_000);

  it('lose no change of a profile', async () => {
    const { url, run, login, stored } = await place();
    await login('default');
    await login('other');
    const changes = [['config', 'set', 'project', 'acme/app'], ['config', 'set', 'group', 'acme'], ['config', 'set', 'timeout', '7'],
      ['config', 'set', 'retries', '1'], ['config', 'set', 'ca-cert', '/ca.pem'], ['auth', 'switch', 'other'],
      ['auth', 'logout', '--yes', '--profile', 'other']];
    const changed = await Promise.all(changes.map((words) => run(words, '', { COLLOQUY_PROFILE: 'default' })));
    expect(changed.map(({ code }) => code)).toEqual(changes.map(() => 0));
    expect(stored()).toEqual({ current: 'other', profiles: {
      default: { url, token: 'ada-token', project: 'acme/app', group: 'acme', timeout: '7', retries: '1', 'ca-cert': '/ca.pem' },
      other: { url },
    } });
  }, 60_000);
});
