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
  expect([fixed.rules('resolved'), fixed.rules('kept'), fixed.rules('created')]).toEqual([['no-var'], ['eqeqeq', 'no-undef'], []]);

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
  expect([answered.rules('kept'), answered.rules('left').sort()]).toEqual([['no-var'], ['answered by guest; the finding is gone', 'resolved by owner']]);
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
  expect((await post(clean)).left).toMatchObject([{ reason: 'answered by developer; the finding is gone' }]);
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

/** Runs jobs one after the other on one service: the lines of app.js, of which those with `bad` are findings. */
const jobs = async () => {
  const service = await testService({ quickActions: false });
  const job = async (lines: readonly string[], env: Readonly<Record<string, string>> = {}, ...words: string[]) => {
    const findings = lines.flatMap((line, i) => line.includes('bad') ? [`app.js:${i + 1}:1: not good [Error/no-bad]\n`] : []);
    const total = findings.length === 0 ? '' : `\n${findings.length} problem${findings.length === 1 ? '' : 's'}\n`;
    const files = { report: `${findings.join('')}${total}`, '/app/app.js': `${lines.join('\n')}\n` };
    const { run } = await testApp({ service, workTree: '/app', env, files });
    const ran = await run('notes', 'post', 'mr/1', '--from', 'eslint-unix', 'report', '--filter', 'all', '--json', '--allow-empty', ...words);
    expect(ran).toMatchObject({ code: 0 });
    return { result: JSON.parse(ran.out) as PostResult, writes: ran.sent.filter(({ method }) => method !== 'GET').length };
  };
  const idsOf = (posts: PostResult['kept']) => posts.map(({ discussion_id }) => discussion_id);
  const threads = '/projects/20/merge_requests/1/discussions';
  const keys = async () => (await service.get<{ notes: { body: string }[] }[]>(`${threads}?per_page=100`)).body
    .flatMap(({ notes: [note] }) => /colloquy:key=(\S+) fp=/.exec(note!.body)?.[1] ?? []);
  return { service, job, idsOf, keys, threads };
};

it('resolves the thread of the one that was fixed among findings with the same text', async () => {
  const { job, idsOf } = await jobs();
  const bad = ['a', 'bad', 'a', 'bad', 'a', 'bad', 'a'];
  const first = await job(bad);
  const [one, two, three] = idsOf(first.result.created.toSorted((a, b) => a.line! - b.line!));
  const second = await job(bad.with(1, 'good'));
  expect([idsOf(second.result.kept).toSorted(), idsOf(second.result.resolved)]).toEqual([[two, three].toSorted(), [one]]);
  const third = await job(bad.with(1, 'good').with(3, 'good'));
  expect([idsOf(third.result.kept), idsOf(third.result.resolved)]).toEqual([[three], [two]]);
});

it('keeps the thread that a person answered when the line changes', async () => {
  const { service, job, idsOf, threads } = await jobs();
  const { result: { created: [thread] } } = await job(['a', 'bad', 'c']);
  await service.post(`${threads}/${thread!.discussion_id}/notes`, { as: 'guest', json: { body: 'On purpose.' } });
  const changed = await job(['a', 'bad()', 'c']);
  expect([idsOf(changed.result.left), changed.result.created, changed.writes]).toEqual([[thread!.discussion_id], [], 0]);
  const moved = await job(['new', 'a', 'bad(1)', 'c']);
  expect([idsOf(moved.result.left), moved.result.created]).toEqual([[thread!.discussion_id], []]);
});

it('keeps jobs apart by their names, and adopts the threads with the former key once', async () => {
  const { service, job, idsOf, keys, threads } = await jobs();
  const former = await job(['bad', 'b', 'bad(2)', 'd', 'bad(3)']);
  expect(await keys()).toEqual(['eslint', 'eslint', 'eslint']);
  const [one, two, three] = idsOf(former.result.created.toSorted((a, b) => a.line! - b.line!));
  await service.post(`${threads}/${three!}/notes`, { as: 'guest', json: { body: 'On purpose.' } });
  const lint = { CI_JOB_NAME: 'lint: [web]' };
  const adopted = await job(['bad', 'b', 'good', 'd', 'bad(3)'], lint);
  expect(adopted.result).toMatchObject({ created: [], updated: [{ discussion_id: one, key: 'lint: [web]/eslint' }],
    resolved: [{ discussion_id: two }], left: [{ discussion_id: three, reason: 'answered by guest' }] });
  expect((await keys()).toSorted()).toEqual(['eslint', 'eslint', 'lint%3A%20%5Bweb%5D/eslint'.replace('/', '%2F')]);
  const again = await job(['bad', 'b', 'good', 'd', 'bad(3)'], lint);
  expect([again.writes, idsOf(again.result.kept), idsOf(again.result.left)]).toEqual([0, [one], [three]]);

  const other = await job(['x', 'bad(9)'], { CI_JOB_NAME: 'test' });
  expect(other.result).toMatchObject({ created: [{ key: 'test/eslint' }], resolved: [] });
  const clean = await job(['x'], { CI_JOB_NAME: 'test' });
  expect(clean.result).toMatchObject({ resolved: [{ discussion_id: other.result.created[0]!.discussion_id }], kept: [] });
  expect((await job(['bad', 'b', 'good', 'd', 'bad(3)'], lint)).writes).toBe(0);
});

it('leaves the threads of a job with a key of its own', async () => {
  const { job } = await jobs();
  await job(['bad'], { CI_JOB_NAME: 'one' }, '--key', 'eslint');
  for (const lines of [['good'], ['bad']]) {
    expect((await job(lines, { CI_JOB_NAME: 'two' })).result).toMatchObject({ updated: [], resolved: [] });
  }
  expect((await job(['bad'], { CI_JOB_NAME: 'one' }, '--key', 'eslint')).result).toMatchObject({ kept: [{ key: 'eslint' }] });
});

it('adopts the comment about findings without threads too', async () => {
  const { service, job } = await jobs();
  const summaries = async () => (await service.get<{ body: string }[]>('/projects/20/merge_requests/1/notes')).body
    .filter(({ body }) => body.includes('fp=summary')).map(({ body }) => `${body.slice(0, 18)} ${/key=\S+/.exec(body)![0]}`);
  await job(['bad', 'b', 'bad(2)'], {}, '--max', '1');
  expect(await summaries()).toEqual(['**1 more finding** key=eslint']);
  await job(['bad', 'b', 'bad(2)', 'd', 'bad(3)'], { CI_JOB_NAME: 'lint' }, '--max', '1');
  expect(await summaries()).toEqual(['**2 more findings* key=lint%2Feslint']);
  await job(['bad'], { CI_JOB_NAME: 'lint' }, '--max', '1');
  expect(await summaries()).toEqual([]);
});

it('has a comment about findings without threads for each folder, which a run about all folders replaces', async () => {
  const service = await testService();
  const comments = async () => (await service.get<{ body: string }[]>('/projects/20/merge_requests/1/notes')).body
    .flatMap(({ body }) => body.includes('fp=summary') ? body.split('\n').filter((line) => line.startsWith('- ')).join() : []).toSorted();
  const post = async (count: number, ...words: readonly string[]) => {
    const { run } = await testApp({
      service, workTree: '/app', files: {
        '/app/web/a.js': 'a\nb\nc\n', '/app/api/a.js': 'a\nb\nc\n', 'report': [1, 2, 3].slice(0, count).map((line) => `a.js:${line}: no\n`).join('') },
    });
    const flags = ['--from', 'lines', '--key', 'lint', '--filter', 'all', '--allow-empty', '--max', '1'];
    expect(await run('notes', 'post', 'mr/1', ...flags, ...words, 'report')).toMatchObject({ code: 0 });
    return comments();
  };
  const [web, api] = ['- `web/a.js:2`: **warning** no', '- `api/a.js:2`: **warning** no'];
  expect(await post(2, '--prefix', 'web')).toEqual([web]);
  expect(await post(2, '--prefix', 'api')).toEqual([api, web]);
  expect(await post(3, '--prefix', 'web')).toEqual([api, `${web},${web.replace('2', '3')}`]);
  expect(await post(0, '--prefix', 'web')).toEqual([api]);
  expect(await post(2, '--prefix', 'web')).toEqual([api, web]);
  expect(await post(0)).toEqual([]);
});

it('runs of one tool in several folders do not resolve the threads of each other', async () => {
  const service = await testService();
  const files = { '/app/web/a.ts': 'a\n', '/app/py/a.ts': 'a\n', '/app/app.js': 'one\nzwei\n' };
  const post = async (folder: string, report: string, words: readonly string[]) => {
    const { run } = await testApp({ service, workTree: '/app', env: { CI_JOB_NAME: 'types' }, files: { ...files, report } });
    const ran = await run('notes', 'post', 'mr/1', '--from', 'tsc', '--filter', 'all', '--allow-empty', '--json', ...words, 'report');
    expect(ran, folder).toMatchObject({ code: 0 });
    const { created, kept, resolved } = JSON.parse(ran.out) as PostResult;
    return [created, kept, resolved].map((posts) => posts.length);
  };
  const error = 'a.ts(1,1): error TS1: no\n';
  expect(await post('web', error, ['--prefix', 'web'])).toEqual([1, 0, 0]);
  expect(await post('py', '', ['--prefix', 'py'])).toEqual([0, 0, 0]);
  expect(await post('py', error, ['--root', '/app/py'])).toEqual([1, 0, 0]);
  expect(await post('web', error, ['--prefix', 'web'])).toEqual([0, 1, 0]);
  expect(await post('web', '', ['--root', '/app/web'])).toEqual([0, 0, 1]);
  const outside = `${error}../app.js(2,1): error TS1: no\n`;
  expect(await post('web', outside, ['--prefix', 'web'])).toEqual([1, 0, 0]);
  expect(await post('py', '', ['--prefix', 'py'])).toEqual([0, 0, 1]);
  expect(await post('web', error, ['--prefix', 'web']), 'of a file outside that it named').toEqual([0, 1, 1]);
  expect(await post('web', outside, ['--prefix', 'web'])).toEqual([0, 1, 0]);
  expect(await post('py', outside, ['--prefix', 'py']), 'both name it').toEqual([0, 0, 0]);
  expect(await post('web', '', ['--prefix', 'web'])).toEqual([0, 0, 1]);
  expect(await post('py', '', ['--prefix', 'py']), 'it was the last to name it').toEqual([0, 0, 2]);
  expect(await post('py', error, ['--prefix', 'py'])).toEqual([0, 0, 0]);
  expect(await post('all', '', [])).toEqual([0, 0, 1]);
});
