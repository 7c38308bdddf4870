import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ended, newHome, program, root, served } from '../support/program.js';
import { standaloneProgram } from '../support/standalone.js';
import { jobsWith, scriptOf, variablesOf } from '../templates/component.js';

const built = standaloneProgram()!;
const title = ['appearance', 'get', '--sandbox', '--json=title'];
const shown = { status: 0, stdout: '{"title":"Colloquy"}\n', stderr: '' };

let folder: string;
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-standalone-test-')); });
afterAll(() => rmSync(folder, { recursive: true }));

/** In an empty environment, where nothing can be written. */
const ran = (args: readonly string[], file = program, env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: '/proc', encoding: 'utf8', env: { HOME: '/proc', TMPDIR: '/proc', XDG_STATE_HOME: '/proc', ...env }, input: '',
  });
  return { status, stdout, stderr };
};

describe('the standalone program', () => {
  it('needs no environment, no Node and no place to write', () => {
    expect(ran(title)).toEqual(shown);
    expect(ran(['--version']).stdout).toBe(`${(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version}\n`);
    expect(ran(['discussions', 'list', 'mr/12', '--sandbox', '-q', 'length > 3'])).toMatchObject({ status: 0, stdout: 'true\n' });
    expect(ran(['appearance', 'get', '--sandbox', '-o', 'yaml']).stdout).toMatch(/^title: Colloquy\n/);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('has the completions of %s', (shell) => {
    expect(ran(['completion', shell])).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('colloquy') as string });
  });

  it('stores into a file with the SQLite of its Node', () => {
    const store = join(folder, 'store.db');
    const backup = ran(['serve', '--data', store, '--backup', join(folder, 'copy.db')]);
    expect(backup).toMatchObject({ status: 2, stderr: expect.stringContaining(store) as string });
    const serve = `"$0" serve --data "$1" --ready-file "$2" --quiet & until [ -s "$2" ]; do sleep 0.05; done; kill $!; wait $!`;
    expect(spawnSync('sh', ['-c', serve, program, store, join(folder, 'ready.json')], { encoding: 'utf8' }).status).toBe(0);
    expect(ran(['serve', '--data', store, '--backup', join(folder, 'copy.db')])).toMatchObject({ status: 0 });
  });

  it('says that it has no keyring', async () => {
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const login = spawnSync(program, ['auth', 'login', '--url', url, '--with-token', '--debug'], { env, cwd: home, encoding: 'utf8', input: 'root-token' });
    expect(login.status).toBe(0);
    expect(login.stderr).toContain('keyring: the standalone program does not contain @napi-rs/keyring');
  });

  const caches = ['cli', 'gets', 'lists', 'writes', 'serve', 'server'].map((name) => `dist/${name}.cache`);

  it('works with damaged code caches', () => {
    const damaged = join(folder, 'damaged');
    const bytes = readFileSync(built);
    for (const name of caches) {
      const at = bytes.lastIndexOf(name);
      expect(at).toBeGreaterThan(0);
      bytes.fill(0xff, at + 20_000, at + 60_000);
    }
    writeFileSync(damaged, bytes, { mode: 0o755 });
    expect(ran(title, damaged)).toEqual(shown);
    expect(ran(['discussions', 'export', 'mr/12', '--sandbox'], damaged)).toMatchObject({ status: 0 });
  });

  it('works without code caches, as for another platform', () => {
    const without = join(folder, 'without');
    copyFileSync(built, without);
    chmodSync(without, 0o755);
    const bytes = readFileSync(without);
    for (const name of caches) {
      bytes.write(name.replace('cache', 'gache'), bytes.lastIndexOf(name));
    }
    writeFileSync(without, bytes);
    expect(ran(title, without)).toEqual(shown);
  });

  it('comes with its digest, its bill of materials and all licenses', () => {
    const sha256 = createHash('sha256').update(readFileSync(built)).digest('hex');
    expect(readFileSync(`${built}.sha256`, 'utf8')).toBe(`${sha256}  ${built.split('/').at(-1)}\n`);
    const bill = JSON.parse(readFileSync(`${built}.cdx.json`, 'utf8')) as { components: { name: string; licenses: unknown[] }[]; metadata: unknown };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { hashes: [{ content: sha256 }] } } });
    expect(bill.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['node', 'pg', 'undici', 'jq-wasm', 'commander']));
    expect(bill.components.filter(({ licenses }) => licenses.length !== 1)).toEqual([]);
    const texts = readFileSync(`${built}.LICENSES.txt`, 'utf8');
    for (const text of ['Colloquy\n=', 'Stephen Dolan', 'OpenSSL']) expect(texts).toContain(text);
  });
});

describe('the component for GitLab CI', () => {
  it('installs the standalone program where there is no Node', async () => {
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const files = createServer((_, response) => { response.end(readFileSync(built)); }).listen(0, '127.0.0.1');
    await once(files, 'listening');
    onTestFinished(() => { files.close(); });
    const [source_sha256] = readFileSync(`${built}.sha256`, 'utf8').split(' ');
    const source_url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/colloquy-linux-x64`;
    const job = jobsWith({ gate: true, source_url, source_sha256: source_sha256! })['colloquy-gate']!;
    const { code, err } = await ended(spawn('bash', ['-c', scriptOf(job)], { cwd: home, env: {
      ...variablesOf(job), PATH: process.env['COLLOQUY_TEST_PATH'], HOME: home, TMPDIR: folder,
      COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_MERGE_REQUEST: 'mr/12',
    } }));
    expect([code, err]).toEqual([8, expect.stringContaining('unresolved')]);
  });
});

describe('npm run standalone', () => {
  it.each(['darwin-arm64', 'win32-x64', 'linux-musl-x64'])('cannot build for %s and names what it can build for', (target) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/standalone.mjs', '--target', target], { cwd: root, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '',
      stderr: `standalone: cannot build for ${target}, only for linux-x64 and linux-arm64; on other platforms install the npm package\n` });
  });
});
