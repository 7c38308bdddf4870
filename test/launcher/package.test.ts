import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly man: readonly string[];
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly hasInstallScript?: boolean }>>;
};

let folder: string;
let installed: string;

/** What npm would install: the packed files, and beside them what they depend on, nothing else. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-package-'));
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
  execFileSync('tar', ['xzf', readdirSync(folder).find((name) => name.endsWith('.tgz'))!], { cwd: folder });
  installed = join(folder, 'node_modules', 'colloquy');
  mkdirSync(dirname(installed));
  renameSync(join(folder, 'package'), installed);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
  mkdirSync(join(folder, 'home'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const colloquy = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, 'bin', 'colloquy.cjs'), ...args], {
    encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: join(folder, 'home') }, input: '',
  });
  return { status, stdout, stderr };
};

describe('the package', () => {
  it('has no install script, and neither has anything it depends on', () => {
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
    const scripted = Object.entries(lock.packages).filter(([, one]) => one.hasInstallScript && !one.dev && !one.devOptional);
    expect(scripted.map(([name]) => name)).toEqual([]);
  });

  it('holds what it names, and no sources, tests or maps', () => {
    for (const file of [...manifest.man, 'LICENSE', 'README.md', 'completions/_colloquy', 'dist/cli.cache']) expect(existsSync(join(installed, file)),
      file).toBe(true);
    expect(readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(src|test|scripts|bench)\b|\.map$|\.tsbuildinfo$/.test(file))).toEqual([]);
  });

  it('is flawless to publint', async () => {
    expect((await publint({ pkgDir: installed, pack: false, strict: true })).messages).toEqual([]);
  });

  it('works in an empty home with nothing but what it depends on', () => {
    expect(colloquy('discussions', 'list', 'mr/12', '--sandbox', '-o', 'id', '--limit', '1', '--quiet')).toMatchObject({ status: 0, stderr: '',
      stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string });
    expect(colloquy('discussions', 'list', 'mr/12', '--sandbox', '-q', 'length > 3')).toEqual({ status: 0, stdout: 'true\n', stderr: '' });
    expect(colloquy('api', 'GET', 'version', '--sandbox', '-o', 'yaml')).toMatchObject({ status: 0, stdout: expect.stringContaining('version: ') as string });
    expect(colloquy('config', 'set', 'url', 'http://service.test')).toMatchObject({ status: 0 });
    expect(colloquy('doctor', '--sandbox')).toMatchObject({ status: 0, stderr: '' });
  });

  it('can be loaded as a library', () => {
    const program = `
      const { createClient } = await import('colloquy');
      const { openService } = await import('colloquy/server');
      console.log(typeof createClient, typeof openService);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('function function\n');
  });
});
