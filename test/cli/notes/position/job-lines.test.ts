import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';
import { patientGit } from '../../../support/git-answers.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');
const created = ['discussions', 'create', '!1', '-m', 'text', '--json'];

/** A repository in which the target branch gets two lines at the start of the file, after the branch changed line 3. */
const repository = async (isRenamed = false) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-merge-'));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => { process.chdir(before); rmSync(folder, { recursive: true }); });
  const git = (...words: string[]) => execFileSync('git',
    ['-c', 'user.name=A', '-c', 'user.email=a@a.example', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' }).trim();
  const commit = (...texts: string[]) => {
    writeFileSync('a.txt', lines(...texts));
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    return git('rev-parse', 'HEAD');
  };
  git('init', '-q', '-b', 'main');
  const base = commit('1', '2', '3', '4', '5', '6', '7', '8', '9', '10');
  git('switch', '-q', '-c', 'change');
  const head = commit('1', '2', 'three', '4', '5', '6', '7', '8', '9', '10');
  git('switch', '-q', 'main');
  const target = commit('x', 'y', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10');
  if (isRenamed) git('mv', 'a.txt', 'b.txt');
  if (isRenamed) git('commit', '-q', '-m', 'x');
  git('merge', '-q', '--no-edit', 'change');
  const service = await testService({ world: { ...acme, projects: [{ id: 20, path: 'acme/app', visibility: 'private', merge_requests: [
    { id: 50, iid: 1, title: 'Change', author: 'developer', base_sha: base, start_sha: target, head_sha: head, diff: git('diff', base, head) }] }] } });
  const env = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
    CI_COMMIT_SHA: git('rev-parse', 'HEAD') };
  const run = (options: WorldOptions, ...flags: string[]) => ranIn({ service, env, ...options }, ...created, ...flags);
  const listed = (options: WorldOptions, ...flags: string[]) => ranIn({ service, env, ...options }, 'discussions', 'lines', '!1', 'a.txt', ...flags);
  return { run, listed, head, env, target, service };
};

const position = (out: string) => (JSON.parse(out) as { notes: { position: object }[] }).notes[0]!.position;

describe('a line of the merge commit in a merged-results pipeline', () => {
  const withGit = { git: { diff: patientGit.diff } };

  it('is mapped to the line of the source branch by git', async () => {
    const { run, head } = await repository();
    expect(position((await run(withGit, '--file', 'a.txt:5')).out)).toMatchObject({ head_sha: head, new_line: 3 });
    expect(position((await run(withGit, '--file', 'a.txt:4-6')).out)).toMatchObject({ old_line: 4, new_line: 4 });
  });

  it('is rejected if it comes from the target branch, or is outside the diff', async () => {
    const { run } = await repository();
    expect(await run(withGit, '--file', 'a.txt:1')).toMatchObject({ code: 2, err: expect.stringContaining('line 1 of a.txt is not in the diff') as string });
    expect((await run(withGit, '--file', 'a.txt:12')).err).toContain('choose one of the nearest lines: 3-8');
  });

  it('is a line of the source branch if --head-sha says so, and so is a line of the old side', async () => {
    const { run, head } = await repository();
    expect(position((await run(withGit, '--file', 'a.txt:3', '--head-sha', head)).out)).toMatchObject({ new_line: 3 });
    expect(position((await run(withGit, '--file', 'a.txt:old:3')).out)).toMatchObject({ old_line: 3 });
  });

  it('is found by its text if git does not have the commits', async () => {
    const { run } = await repository();
    const files = { '/builds/app/a.txt': lines('x', 'y', '1', '2', 'three', '4', '5', '6', '7', '8', '9', '10') };
    const shallow = { files, env: { CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'f'.repeat(40), CI_PROJECT_DIR: '/builds/app' } };
    expect(position((await run(shallow, '--file', 'a.txt:5')).out)).toMatchObject({ new_line: 3 });
    expect(await run(shallow, '--file', 'a.txt:1')).toMatchObject({ code: 2 });
  });

  it('is found by its text if attributes in the work tree hide the file from git', async () => {
    const { run, env } = await repository();
    writeFileSync('.gitattributes', 'a.txt -diff\n');
    const files = { '/builds/app/a.txt': lines('x', 'y', '1', '2', 'three', '4', '5', '6', '7', '8', '9', '10') };
    const hidden = { ...withGit, files, env: { ...env, CI_PROJECT_DIR: '/builds/app' } };
    expect(position((await run(hidden, '--file', 'a.txt:5')).out)).toMatchObject({ new_line: 3 });
  });

  it('with a text that the diff has twice is found by its neighbours, and rejected if they are equal too', async () => {
    const texts = ['{', '}', 'a', '{', '}', 'b'];
    const diff = `--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1,6 @@\n${texts.map((text) => `+${text}\n`).join('')}`;
    const service = await testService({ world: { ...acme, projects: [{ id: 20, path: 'acme/app', visibility: 'private', merge_requests: [
      { id: 50, iid: 1, title: 'Change', author: 'developer', base_sha: 'b1', start_sha: 'b1', head_sha: 'h1', diff }] }] } });
    const at = (text: readonly string[], line: number) => ranIn({
      service, files: { 'a.txt': lines(...text) }, env: { CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'm1' } }, ...created, '--file', `a.txt:${line}`);
    expect(position((await at(['x', ...texts], 6)).out)).toMatchObject({ new_line: 5 });
    expect(await at(['}'], 1)).toMatchObject({ code: 2 });
  });

  it('has the number of the checked-out file where lines are listed, suggested and named', async () => {
    const { run, listed, head } = await repository();
    const files = { '/builds/app/a.txt': lines('x', 'y', '1', '2', 'three', '4', '5', '6', '7', '8', '9', '10') };
    const shallow = { files, env: { CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'f'.repeat(40), CI_PROJECT_DIR: '/builds/app' } };
    for (const options of [withGit, shallow]) {
      expect((await listed(options, '-o', 'id')).out).toBe('3\n4\nold:3\n5\n6\n7\n8\n');
      const numbers = JSON.parse((await listed(options, '--json=old_line,new_line')).out) as object[];
      expect(numbers.slice(1, 4)).toEqual([{ old_line: 2, new_line: 4 }, { old_line: 3, new_line: null }, { old_line: null, new_line: 5 }]);
      const near = await run(options, '--file', 'a.txt:12', '--if-unanchored', 'nearest');
      expect(near.err).toMatch(/^line 12 of a\.txt is not in the diff; commenting on line 8\n/);
      expect(position(near.out)).toMatchObject({ new_line: 6 });
    }
    expect((await listed(withGit, '-o', 'id', '--head-sha', head)).out).toBe('1\n2\nold:3\n3\n4\n5\n6\n');
    expect((await run(withGit, '--file', 'a.txt:12', '--if-unanchored', 'unfold')).err)
      .toMatch(/^line 12 of a\.txt is not in the diff; commenting on unchanged line 12\n/);
  });

  it('that the target branch removed has the number of the old side', async () => {
    const { listed } = await repository();
    const files = { '/builds/app/a.txt': lines('2', 'three', '4', '5', '6', '7', '8', '9', '10') };
    const shallow = { files, env: { CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'f'.repeat(40), CI_PROJECT_DIR: '/builds/app' } };
    expect((await listed(shallow, '-o', 'id')).out).toBe('old:1\n1\nold:3\n2\n3\n4\n5\n');
  });

  it('is sent as it is, with a message, if neither git nor the folder of the job has the file', async () => {
    const { run } = await repository();
    const { code, out, err } = await run({}, '--file', 'a.txt:3');
    expect({ code, position: position(out) }).toMatchObject({ code: 0, position: { new_line: 3 } });
    expect(err).toMatch(/^cannot compare a\.txt of commit [0-9a-f]{40} with the diff; its lines have the numbers of commit [0-9a-f]{40}\n/);
  });
});

it('a finding in a file that the target branch renamed is placed in the file of the merge request', async () => {
  const { service, env } = await repository(true);
  const post = async (place: string) => {
    const report = `{"source": {"name": "t"}, "severity": "ERROR", "message": "no", "location": ${place}}\n`;
    const files = { '/app/b.txt': '\n'.repeat(20), '/app/c.txt': '', report };
    const ran = await ranIn({ service, env, git: { diff: patientGit.diff }, files, workTree: '/app' },
      'notes', 'post', '!1', '--from', 'rdjsonl', '--key', place, '--fail-level', 'error', '--json', 'report');
    const [thread] = (await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions')).body.toReversed();
    return [ran.code, thread?.notes[0]?.position];
  };
  const at = (path: string, first: number, last = first) =>
    post(JSON.stringify({ path, range: { start: { line: first }, end: { line: last } } }));
  expect(await at('b.txt', 3)).toEqual([0, undefined]);
  expect(await at('b.txt', 5)).toMatchObject([8, { new_path: 'a.txt', new_line: 3 }]);
  expect(await at('b.txt', 1, 5)).toMatchObject([8, { new_path: 'a.txt', new_line: 3 }]);
  expect((await at('c.txt', 5))[0]).toBe(0);
});

describe('a finding in a job of another CI service', () => {
  const post = async (line: number, checkedOut: 'merge' | 'head' | 'target') => {
    const { service, head, target } = await repository();
    const commit = { merge: 'HEAD', head, target }[checkedOut];
    const git = { diff: patientGit.diff, distance: patientGit.distance, sha: () => patientGit.sha(commit) };
    const files = { '/app/a.txt': '\n'.repeat(20), report: `a.txt:${line}: error: no\n` };
    const ran = await ranIn({ service, git, files, workTree: '/app' },
      'notes', 'post', '!1', '--from', 'lines', '--key', 'lint', '--fail-level', 'error', '--json', 'report');
    const [thread] = (await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions')).body;
    const { new_line: found = null } = (thread?.notes[0]?.position ?? {}) as { readonly new_line?: number };
    return { code: ran.code, line: found, err: ran.err };
  };

  it('is placed by the numbers of the checked-out merge of the head with its target', async () => {
    expect(await post(5, 'merge')).toMatchObject({ code: 8, line: 3 });
    expect(await post(3, 'merge'), 'of an unchanged line').toMatchObject({ code: 0, line: null });
    expect(await post(3, 'head')).toMatchObject({ code: 8, line: 3 });
  });

  it('is placed by those of the head if another commit is checked out, which is said', async () => {
    const { err, ...placed } = await post(3, 'target');
    expect(placed).toEqual({ code: 8, line: 3 });
    expect(err).toMatch(/^commit [0-9a-f]{40} does not have the newest one of mr\/1: lines have the numbers of [0-9a-f]{40}$/m);
  });
});

describe('a gate of a merged-results pipeline without the head commit', () => {
  const head = ['a', 'evil', 'b', 'evil', 'c', '}', 'd', '}'];
  const diff = `--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,8 @@\n${head.map((text, i) => `${i < 4 ? '+' : ' '}${text}\n`).join('')}`;
  const gate = async (text: readonly string[], line: number) => {
    const service = await testService({ world: { ...acme, projects: [{ id: 20, path: 'acme/app', visibility: 'private', merge_requests: [
      { id: 50, iid: 1, title: 'Change', author: 'developer', base_sha: 'b1', start_sha: 'b1', head_sha: 'h1', diff }] }] } });
    const files = { '/app/a.txt': lines(...text), report: `a.txt:${line}:1: error: injection\n` };
    const env = { CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'm1', CI_PROJECT_DIR: '/app' };
    return ranIn({ service, files, env, workTree: '/app' }, 'notes', 'post', 'mr/1', '--from', 'lines', '--key', 'lint', '--fail-level', 'error', 'report');
  };

  it('counts a finding on one of several equal lines if one of them is added, and on none of them otherwise', async () => {
    const among = (text: string) => ['x', text, 'y', 'z', 'a', 'b', 'c', 'd'];
    expect(await gate(among('evil'), 2)).toMatchObject({ code: 8, err: expect.stringContaining('does not say which file or line') as string });
    expect(await gate(among('}'), 2)).toMatchObject({ code: 0 });
    expect(await gate(['x', 'y', ...head], 8)).toMatchObject({ code: 0 });
  });

  it('counts a finding on a line that attributes of the work tree changed, and none on a line of the target branch', async () => {
    expect(await gate(['a', 'evil $Id: 0a1b$', 'b', ...head.slice(4)], 2)).toMatchObject({ code: 8 });
    expect(await gate(['x', 'y', ...head], 1)).toMatchObject({ code: 0 });
  });
});
