/**
 * Builds a release in a clean clone of the current commit: the package, the standalone programs, their digests and the
 * release notes, in dist/release. The clone gets a commit with the version and its changelog, and a tag. Nothing else
 * changes, unless it publishes: then this repository gets both, and they are pushed to `origin`.
 *
 *   npm run release [-- --version X.Y.Z] [--no-test] [--publish]
 *
 * The version is that of package.json if it has no tag yet. `--publish` always runs the tests.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { released, unreleased } from './release/changelog.mjs';
import { git, run } from './run.mjs';
import { targets } from './standalone/targets.mjs';

const root = join(import.meta.dirname, '..');
const outFolder = join(root, 'dist', 'release');

const say = (text) => { console.error(text); };

const options = () => {
  const { values } = parseArgs({ options: {
    version: { type: 'string' }, 'no-test': { type: 'boolean' }, publish: { type: 'boolean' },
  } });
  if (values.publish && values['no-test']) throw new Error('--publish always runs the tests: leave out --no-test');
  return values;
};

const currentVersion = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

const versionOf = (given) => {
  const chosen = given ?? currentVersion();
  if (!/^\d+\.\d+\.\d+$/.test(chosen)) throw new Error(`${chosen} is no version: pass --version X.Y.Z`);
  const isTagged = git(root, 'tag', '--list', `v${chosen}`) !== '';
  if (isTagged) throw new Error(`v${chosen} is released: pass a later --version`);
  return chosen;
};

const checkClean = () => {
  const changed = git(root, 'status', '--porcelain');
  if (changed !== '') throw new Error(`the work tree has changes; commit or stash them:\n${changed}`);
};

/** Commits the version and what is derived from it, and tags the commit. @returns the notes of the release */
const commit = (folder, version) => {
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  const notes = unreleased(changelog);
  writeFileSync(join(folder, 'CHANGELOG.md'), released(changelog, version, new Date().toISOString().slice(0, 10)));
  if (version !== currentVersion()) {
    run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], { cwd: folder });
    run('npm', ['run', 'reference'], { cwd: folder, shows: true });
  }
  git(folder, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  git(folder, 'tag', '--annotate', `v${version}`, '--message', `Colloquy ${version}`);
  return notes;
};

const build = (folder, tests) => {
  if (tests) run('npm', ['test'], { cwd: folder, shows: true });
  run('npm', ['pack', '--silent'], { cwd: folder });
  for (const target of Object.keys(targets)) {
    run('npm', ['run', '--silent', 'standalone', '--', '--target', target], { cwd: folder, shows: true });
  }
};

const isOfRelease = (name) => !name.endsWith('.sha256');

/** @returns the names of the files, with SHA256SUMS of all others */
const collect = (folder, version, notes) => {
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  cpSync(join(folder, `colloquy-${version}.tgz`), join(outFolder, `colloquy-${version}.tgz`));
  const standalone = join(folder, 'dist', 'standalone');
  for (const name of readdirSync(standalone).filter(isOfRelease)) cpSync(join(standalone, name), join(outFolder, name));
  writeFileSync(join(outFolder, 'RELEASE_NOTES.md'), `${notes}\n`);
  const names = readdirSync(outFolder).sort();
  const sums = names.map((name) =>
    `${createHash('sha256').update(readFileSync(join(outFolder, name))).digest('hex')}  ${name}\n`);
  writeFileSync(join(outFolder, 'SHA256SUMS'), sums.join(''));
  return [...names, 'SHA256SUMS'];
};

/** What is tagged is what was built. */
const publish = (folder, version, branch) => {
  git(root, 'fetch', '--quiet', folder, `refs/tags/v${version}:refs/tags/v${version}`);
  git(root, 'merge', '--quiet', '--ff-only', `v${version}`);
  git(root, 'push', '--quiet', '--atomic', 'origin', branch, `v${version}`);
};

const release = () => {
  const { version: given, publish: publishes = false, 'no-test': skipsTests = false } = options();
  checkClean();
  const version = versionOf(given);
  const branch = git(root, 'branch', '--show-current');
  if (branch === '') throw new Error('no branch is checked out: git switch to the one to release');
  unreleased(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-release-'));
  try {
    const clone = join(folder, 'colloquy');
    run('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    run('npm', ['ci'], { cwd: clone, shows: true });
    const notes = commit(clone, version);
    build(clone, !skipsTests);
    say(`Colloquy ${version}, in dist/release: ${collect(clone, version, notes).join(', ')}`);
    const steps = `add the commit and the tag v${version} to ${branch}, and push both to origin`;
    if (!publishes) return say(`--publish would now ${steps}`);
    publish(clone, version, branch);
    return say(`did ${steps}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

try {
  release();
} catch (error) {
  say(`release: ${error.message}`);
  process.exitCode = 1;
}
