import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../support/program.js';

/** A stand-in for npm: writes down what it is asked, and makes the files that a build makes. */
const npm = `#!/bin/sh
echo "$*" >> "$LOG"
case "$1 $2" in
  'ci ') ;;
  'version '*) sed -i "s/\\"version\\": \\"[^\\"]*\\"/\\"version\\": \\"$2\\"/" package.json ;;
  'run reference') echo derived > man.1 ;;
  'pack '*) echo package > "colloquy-$(node -p 'require("./package.json").version').tgz" ;;
  'run --silent') mkdir -p dist/standalone; for end in '' .sha256 .cdx.json .LICENSES.txt; do echo "$6$end" > "dist/standalone/colloquy-$6$end"; done ;;
  'test ') exit "$TEST_STATUS" ;;
esac
`;
const changelog = '# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n';

let folder: string;
let repository: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-release-test-'));
  repository = join(folder, 'repository');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });
  mkdirSync(repository);
  for (const part of ['release.mjs', 'release', 'run.mjs', 'standalone/targets.mjs']) {
    cpSync(join(root, 'scripts', part), join(repository, 'scripts', part), { recursive: true });
  }
  write('package.json', '{ "version": "0.1.0" }\n');
  write('man.1', 'old\n');
  write('.gitignore', 'dist/\n*.tgz\n');
  write('CHANGELOG.md', changelog);
  git('init', '--quiet', '--initial-branch', 'main');
  commitAll('First');
  git('tag', 'v0.1.0');
  spawnSync('git', ['clone', '--quiet', '--bare', repository, join(folder, 'origin.git')]);
  git('remote', 'add', 'origin', join(folder, 'origin.git'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(repository, name), text);
const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@test', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@test' };
const env = () => ({ ...who, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, LOG: join(folder, 'log'), TEST_STATUS: '0' });
const git = (...args: string[]) => spawnSync('git', args, { cwd: repository, env: env(), encoding: 'utf8' }).stdout.trim();
const commitAll = (message: string) => { git('add', '-A'); git('commit', '--quiet', '-m', message); };
const release = (args: readonly string[], more: Record<string, string> = {}) => {
  const { status, stderr } = spawnSync(process.execPath, [join(repository, 'scripts', 'release.mjs'), ...args], {
    cwd: folder, env: { ...env(), ...more }, encoding: 'utf8',
  });
  return { status, stderr };
};
const asked = () => existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [];
const files = () => existsSync(join(repository, 'dist/release')) ? readdirSync(join(repository, 'dist/release')).sort() : [];

describe('npm run release', () => {
  it('builds everything in a clean clone, and leaves the repository as it was', () => {
    const before = git('log', '--all', '--oneline');
    const { status, stderr } = release(['--version', '0.2.0']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('--publish would now add the commit and the tag v0.2.0 to main')]);
    expect(files()).toEqual(['RELEASE_NOTES.md', 'SHA256SUMS', 'colloquy-0.2.0.tgz',
      ...['arm64', 'x64'].flatMap((one) => ['', '.LICENSES.txt', '.cdx.json'].map((end) => `colloquy-linux-${one}${end}`))]);
    expect(readFileSync(join(repository, 'dist/release/RELEASE_NOTES.md'), 'utf8')).toBe('- A new thing.\n');
    expect([git('log', '--all', '--oneline'), git('status', '--porcelain')]).toEqual([before, '']);
    expect(asked()).toContain('test');
  });

  it('writes digests that fit', () => {
    release(['--version', '0.2.0', '--no-test']);
    const place = join(repository, 'dist/release');
    const lines = readFileSync(join(place, 'SHA256SUMS'), 'utf8').trim().split('\n').map((line) => line.split('  '));
    expect(lines.map(([, name]) => name)).toEqual(files().filter((name) => name !== 'SHA256SUMS'));
    for (const [sum, name] of lines) expect(sum).toBe(createHash('sha256').update(readFileSync(join(place, name!))).digest('hex'));
    expect(asked()).not.toContain('test');
  });

  it('publishes the commit that was built, with its tag', () => {
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    expect(release(['--version', '0.2.0', '--publish'])).toMatchObject({ status: 0 });
    expect([before, today()].map((date) => changelog.replace('Unreleased', `0.2.0 (${date})`).trim())).toContain(git('show', 'main:CHANGELOG.md'));
    expect(git('show', 'main:man.1')).toBe('derived');
    const commit = git('rev-parse', 'main');
    expect(git('ls-remote', 'origin', 'refs/heads/main', 'refs/tags/v0.2.0^{}').replaceAll('\t', ' ').split('\n'))
      .toEqual([`${commit} refs/heads/main`, `${commit} refs/tags/v0.2.0^{}`]);
    expect(release(['--version', '0.3.0']).stderr).toContain('CHANGELOG.md has nothing under "## Unreleased"');
  });

  it.each<readonly [string, readonly string[], () => void, string]>([
    ['a version with a tag', [], () => undefined, 'v0.1.0 is released: pass a later --version'],
    ['a word as version', ['--version', 'next'], () => undefined, 'next is no version: pass --version X.Y.Z'],
    ['changes in the work tree', ['--version', '0.2.0'], () => write('man.1', 'changed\n'), 'the work tree has changes'],
    ['no branch', ['--version', '0.2.0'], () => { git('switch', '--quiet', '--detach'); }, 'no branch is checked out'],
    ['an empty changelog', ['--version', '0.2.0'], () => { write('CHANGELOG.md', '## Unreleased\n\n## 0.1.0\n\n- x\n'); commitAll('x'); },
      'CHANGELOG.md has nothing under "## Unreleased"'],
    ['publishing without tests', ['--version', '0.2.0', '--publish', '--no-test'], () => undefined, '--publish always runs the tests'],
  ])('builds nothing with %s', (_, args, change, message) => {
    change();
    const { status, stderr } = release(args);
    expect([status, stderr, asked(), files()]).toEqual([1, expect.stringContaining(message), [], []]);
  });

  it('publishes nothing if the tests fail', () => {
    expect(release(['--version', '0.2.0', '--publish'], { TEST_STATUS: '1' }))
      .toMatchObject({ status: 1, stderr: expect.stringContaining('npm test failed') as string });
    expect([git('tag'), git('ls-remote', 'origin', 'refs/tags/*').split('\t').length, files()]).toEqual(['v0.1.0', 2, []]);
  });
});
