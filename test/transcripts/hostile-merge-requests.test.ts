import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { startServer } from '../../src/server/index.js';
import type { WorldMergeRequest } from '../../src/server/world-file/schema.js';
import { ended, newHome, root } from '../support/program.js';
import { everyRow } from '../support/rows.js';

/** A clone on a branch, and a service with merge requests of it and of a stranger's fork. */
const clone = async (branch: string, mergeRequests: (head: string, before: string) => readonly WorldMergeRequest[]) => {
  const { home, env } = newHome();
  const git = (...words: string[]) => execFileSync('git', words, { cwd: home, env, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', branch);
  git('remote', 'add', 'origin', 'https://github.com/acme/app.git');
  const commit = (text: string) => {
    writeFileSync(join(home, 'a.txt'), text);
    git('add', 'a.txt');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', text);
    return git('rev-parse', 'HEAD');
  };
  const [before, head] = [commit('a.txt:1: one\n'), commit('a.txt:1: two\n')];
  const server = await startServer({ world: {
    users: [{ username: 'root', admin: true }, { username: 'ada', token: 'ada-token' }, { username: 'mallory' }],
    projects: [
      { path: 'acme/app', members: { ada: 'developer' }, merge_requests: mergeRequests(head, before).map((one) => ({ source_branch: branch, ...one })) },
      { path: 'mallory/app', visibility: 'public' },
    ],
  } });
  onTestFinished(server.close);
  const client = createClient({ url: server.url, token: 'ada-token' });
  const spawned = (program: string, words: readonly string[], more: Record<string, string> = {}) => ended(spawn(program, words, {
    cwd: home, env: { ...env, COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  }));
  return {
    home,
    notesOf: async (iid: number) => (await client.discussions.merge_request.list({ id: 'acme/app', noteable_id: iid }).all()).length,
    run: (words: readonly string[], more?: Record<string, string>) => spawned('colloquy', words, more),
    shell: (script: string, more: Record<string, string>) => spawned('sh', ['-e', script], more),
  };
};

const open = { author: 'ada', discussions: [{ notes: [{ author: 'root', body: 'Why?' }] }] };

describe('a merge request of a fork with the name of the branch', () => {
  it('opens no gate, and gets no comment', async () => {
    const { run, notesOf } = await clone('topic', (head) => [
      { ...open, iid: 5, head_sha: head }, { iid: 6, author: 'mallory', head_sha: head, source_project: 'mallory/app' },
    ]);
    for (const ci of ['true', '']) {
      expect(await run(['discussions', 'check'], { CI: ci })).toMatchObject({ code: 8, err: expect.stringContaining('using mr/5') as string });
    }
    expect(await run(['notes', 'add', '-m', 'x'])).toMatchObject({ code: 0 });
    expect([await notesOf(5), await notesOf(6)]).toEqual([2, 0]);
  });

  it('is not used where the branch has none, such as on main', async () => {
    const { run, notesOf } = await clone('main', (head) => [{ iid: 6, author: 'mallory', head_sha: head, source_project: 'mallory/app' }]);
    for (const words of [['discussions', 'check'], ['notes', 'add', '-m', 'x']]) {
      expect(await run(words)).toMatchObject({ code: 2, err: expect.stringContaining('of other projects: mr/6') as string });
    }
    expect(await notesOf(6)).toBe(0);
  });
});

const startWithStranger = async () => {
  const { shell } = await clone('topic', (head) => [{ ...open, iid: 5, head_sha: head }]);
  let requests = 0;
  const other = createServer((_, response) => {
    requests++;
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => { other.close(); });
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const run = (script: string, COLLOQUY_MERGE_REQUEST: string) => shell(join(root, 'templates', script), {
    COLLOQUY_MERGE_REQUEST, GATE_WAIT: '1s', COMMENT_KEY: 'k', COMMENT_FILE: 'a.txt', REPORT_FILES: 'a.txt', REPORT_FORMAT: 'lines', REPORT_FAIL_LEVEL: 'none',
    REPORT_FILTER: 'added', REPORT_MAX: '30', REPORT_KEY: 'k', REPORT_ALLOW_EMPTY: 'true',
  });
  return { run, url, requests: () => requests };
};

describe('a value of COLLOQUY_MERGE_REQUEST', () => {
  const usage = { code: 2, err: expect.stringContaining('for --mr') as string };

  it('sends the token to no other service', async () => {
    const { run, url, requests } = await startWithStranger();
    for (const script of ['gate.sh', 'comment.sh', 'report.sh']) expect(await run(script, `--url=${url}`)).toMatchObject(usage);
    expect(await run('gate.sh', `${url}/acme/app/-/merge_requests/5`)).toMatchObject({ code: 4 });
    expect(requests()).toBe(0);
  });

  it('opens no gate', async () => {
    const { run } = await startWithStranger();
    for (const value of ['--help', '--author=ada', '#1', 'mr/5 --mine']) expect(await run('gate.sh', value)).toMatchObject(usage);
    for (const value of ['5', 'mr/5', '']) expect(await run('gate.sh', value)).toMatchObject({ code: 8 });
  });
});

it('a merge request with other commits than those of the job is not checked', async () => {
  const { run } = await clone('topic', (head, before) => [{ iid: 5, author: 'ada', head_sha: before }]);
  expect(await run(['discussions', 'check'], { CI: 'true' }))
    .toMatchObject({ code: 2, err: expect.stringMatching(/mr\/5 has moved on to [0-9a-f]{40}/) as string });
  expect(await run(['discussions', 'check'])).toMatchObject({ code: 0, err: expect.stringContaining('1 commit behind HEAD') as string });
});

describe('a comment or report file of the project', () => {
  const start = async () => {
    const { home, run, notesOf } = await clone('topic', (head) => [{ iid: 5, author: 'ada', head_sha: head }]);
    const { home: outside } = newHome();
    writeFileSync(join(outside, 'secret.md'), 'a.txt:1: top-secret-text\n');
    writeFileSync(join(home, 'real.md'), 'a.txt:1: fine\n');
    const links = {
      environ: '/proc/self/environ', config: '.git/config', inner: 'real.md',
      up: relative(home, join(outside, 'secret.md')), folder: outside, zero: '/dev/zero',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(home, `${name}.md`));
    execFileSync('mkfifo', [join(home, 'pipe.md')]);
    const upsert = (file: string, more: Record<string, string>) =>
      run(['notes', 'upsert', 'mr/5', '--key=k', `--body-file=${file}`], { CI: 'true', DEPLOY_SECRET: 'top-secret-text', ...more });
    const post = (file: string, more: Record<string, string>) =>
      run(['notes', 'post', 'mr/5', '--from=lines', '--key=k', '--filter=all', '--', file], { CI: 'true', ...more });
    return { home, outside, run, notesOf, upsert, post };
  };

  it('is neither posted nor shown in CI if it leads out of the project, to git, a pipe or a device', async () => {
    const { home, outside, notesOf, upsert, post } = await start();
    const rows = ['environ.md', 'config.md', 'up.md', 'pipe.md', 'folder.md/secret.md', 'zero.md', '.git/config']
      .flatMap((file, i) => [{ file, act: i % 2 === 0 ? upsert : post, more: [{ CI_PROJECT_DIR: home }, { GITHUB_WORKSPACE: home }, {}][i % 3]! }]);
    await everyRow([...rows, { file: './environ.md', act: post, more: {} }], ({ file }) => file, async ({ file, act, more }) => {
      const { code, out, err } = await act(file, more);
      expect([code, err]).toEqual([2, expect.stringContaining('in CI it must be a regular file inside')]);
      expect(out + err).not.toMatch(/top-secret|ada-token|repositoryformat|line 1/);
    });
    for (const more of [{ CI_PROJECT_DIR: '/builds/acme/app' }, { GITHUB_WORKSPACE: join(home, 'gone') }, { CI_PROJECT_DIR: outside }]) {
      expect(await post('environ.md', more), JSON.stringify(more))
        .toMatchObject({ code: 2, err: expect.stringContaining('in CI it must be a regular file inside') as string });
    }
    renameSync(join(home, '.git'), join(home, 'not-git'));
    expect(await post('environ.md', { CI_PROJECT_DIR: '/builds/acme/app' }), 'with a folder of another container').toMatchObject({ code: 2 });
    expect(await post('environ.md', {}), 'without a work tree')
      .toMatchObject({ code: 2, err: expect.stringContaining('in CI it must be a regular file inside') as string });
    expect(await notesOf(5)).toBe(0);
  });

  it('is read if it stays inside, and so are other files that the command line names', async () => {
    const { home, outside, notesOf, upsert, post } = await start();
    expect(await upsert('inner.md', { CI_PROJECT_DIR: home })).toMatchObject({ code: 0 });
    expect(await post('inner.md', {})).toMatchObject({ code: 0 });
    expect(await upsert(join(outside, 'secret.md'), {})).toMatchObject({ code: 0, out: expect.stringContaining('a.txt:1: [masked]') as string });
    expect(await upsert('environ.md', { CI: '' })).toMatchObject({ code: 0 });
    expect(await notesOf(5)).toBe(2);
  });
});
