import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, it, onTestFinished } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import { testApp } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';

/** A git repository with one file, in a folder that is removed when the test ends. */
const newRepository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-post-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const author = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
  const git = (...words: string[]) => execFileSync('git', ['-c', 'commit.gpgsign=false', ...words],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, ...author, GIT_CONFIG_GLOBAL: '/dev/null' } });
  git('init', '--quiet');
  mkdirSync(join(folder, 'src'));
  const file = join(folder, 'src', 'send.js');
  return {
    folder, file, git,
    commit: (lines: readonly string[]) => {
      writeFileSync(file, `${lines.join('\n')}\n`);
      git('add', '.');
      git('commit', '--quiet', '--allow-empty', '-m', 'Change');
      return git('rev-parse', 'HEAD').trim();
    },
  };
};

/** The JSON report of ESLint about the file. */
const lint = async (folder: string): Promise<string> => {
  const eslint = new ESLint({
    cwd: folder, overrideConfigFile: true,
    overrideConfig: [{ files: ['**/*.js'], rules: { 'no-var': 'error', 'eqeqeq': 'warn', 'no-undef': 'error' } }],
  });
  return (await eslint.loadFormatter('json')).format(await eslint.lintFiles(['src/send.js']));
};

const usesVar = 'var queue = [];';
const usesLet = 'let queue = [];';
const comparesLoosely = 'if (queue.length == 5) queue.pop();';
const comparesStrictly = 'if (queue.length === 5) queue.pop();';
const misspells = 'quue.push(1);';
const frame = (...lines: string[]) => ['export const one = 1;', '', ...lines, '', 'export const last = 9;'];

it('follows the findings of a repository over five commits', async () => {
  const { folder, file, git, commit } = newRepository();
  const service = await testService();
  const base = commit(frame());
  let pipeline = 100;

  /** Runs the job of a merge request whose head is a new commit with these lines. */
  const job = async (...lines: string[]) => {
    const head = commit(lines);
    const world = await service.service.world();
    const diff = git('diff', base, head);
    const projects = world.projects!.map((project) => ({
      ...project, merge_requests: (project.merge_requests ?? []).map((each) =>
        each.iid === 1 ? { ...each, base_sha: base, start_sha: base, head_sha: head, diff } : each),
    }));
    await service.service.setWorld({ ...world, projects });
    const { run } = await testApp({
      service, files: { 'report.json': await lint(folder), [file]: readFileSync(file) },
      env: {
        CI: 'true', CI_PROJECT_DIR: folder, CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: head,
        CI_PIPELINE_IID: String(++pipeline), CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      },
    });
    const ran = await run('notes', 'post', 'report.json', '--from', 'eslint', '--json');
    expect(ran).toMatchObject({ code: 0 });
    const result = JSON.parse(ran.out) as PostResult;
    const rules = (list: Exclude<keyof PostResult, 'summarized'>) => result[list].map(({ rule, line, reason }) => reason ?? rule ?? `line ${line}`);
    return { result, rules, sent: ran.sent };
  };
  const threadOf = ({ created }: PostResult, rule: string) => created.find((one) => one.rule === rule)!.discussion_id;

  const first = await job(...frame(usesVar, comparesLoosely, misspells));
  expect(first.rules('created')).toEqual(['no-var', 'eqeqeq', 'no-undef']);
  const [loose, misspelled] = [threadOf(first.result, 'eqeqeq'), threadOf(first.result, 'no-undef')];

  const fixed = await job(...frame(usesLet, comparesLoosely, misspells));
  expect([fixed.rules('resolved'), fixed.rules('kept'), fixed.rules('created')]).toEqual([['line 3'], ['eqeqeq', 'no-undef'], []]);

  const moved = await job('// A comment.', '// Another one.', ...frame(usesLet, comparesLoosely, misspells));
  expect([moved.rules('kept'), moved.rules('created'), moved.rules('resolved')]).toEqual([['eqeqeq', 'no-undef'], [], []]);
  expect(moved.result.kept.map(({ line }) => line)).toEqual([6, 7]);
  expect(moved.sent.filter(({ method }) => method === 'POST')).toEqual([]);

  const returned = await job(...frame(usesVar, comparesLoosely, misspells));
  expect([returned.rules('reopened'), returned.rules('kept')]).toEqual([['no-var'], ['eqeqeq', 'no-undef']]);
  expect(returned.result.reopened[0]!.discussion_id).toBe(threadOf(first.result, 'no-var'));

  await service.post(`/projects/20/merge_requests/1/discussions/${loose}/notes`, { as: 'guest', json: { body: 'On purpose.' } });
  await service.put(`/projects/20/merge_requests/1/discussions/${misspelled}`, { as: 'owner', json: { resolved: true } });
  const before = await service.get(`/projects/20/merge_requests/1/discussions/${loose}`);
  const answered = await job(...frame(usesVar, comparesStrictly, misspells));
  expect([answered.rules('kept'), answered.rules('left').sort()]).toEqual([['no-var'], ['answered by guest', 'resolved by owner']]);
  expect((await service.get(`/projects/20/merge_requests/1/discussions/${loose}`)).body).toEqual(before.body);
}, 60_000);

const clean = 'Found 0 errors\n';
const oneFinding = 'app.js:2: no\n';

/** Posts reports of the same tool to one service. */
const posting = (service: TestService) => async (report: string) => {
  const { run } = await testApp({ service, workTree: '/app', files: { report, '/app/app.js': 'one\nzwei\nthree\n' } });
  return JSON.parse((await run('notes', 'post', 'mr/1', '--from', 'lines', '--key', 'lint', 'report', '--json')).out) as PostResult;
};

it('reopens the thread of a finding that returns, and never deletes or changes one that somebody answered', async () => {
  const service = await testService();
  const post = posting(service);
  const { created: [thread] } = await post(oneFinding);
  const path = `/projects/20/merge_requests/1/discussions/${thread!.discussion_id}`;
  expect((await post(clean)).resolved).toHaveLength(1);
  expect((await post(oneFinding)).reopened).toMatchObject([{ discussion_id: thread!.discussion_id, line: 2 }]);
  // The same user may answer by hand: a note without a marker is by a person.
  await service.post(`${path}/notes`, { json: { body: 'I see.' } });
  const before = (await service.get(path)).body;
  expect((await post(clean)).left).toMatchObject([{ reason: 'answered by developer' }]);
  expect((await post(oneFinding)).left).toMatchObject([{ reason: 'answered by developer' }]);
  expect((await service.get(path)).body).toEqual(before);
});

it('leaves the threads of other users, whatever markers they have', async () => {
  const service = await testService();
  const post = posting(service);
  const { created: [thread] } = await post(oneFinding);
  const path = `/projects/20/merge_requests/1/discussions/${thread!.discussion_id}`;
  const { body: { notes: [note] } } = await service.get<{ notes: { body: string }[] }>(path);
  await service.delete(`${path}/notes/${thread!.note_id}`);
  await service.post('/projects/20/merge_requests/1/discussions', { as: 'guest', json: { body: note!.body } });
  expect(await post(clean)).toMatchObject({ resolved: [], left: [] });
  expect(await post(oneFinding)).toMatchObject({ kept: [], created: [{ line: 2 }] });
});
