import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import type { World } from '../../src/server/world-file/schema.js';
import { ended, newHome, programWords, served } from '../support/program.js';
import { everyRow } from '../support/rows.js';

const sha = (digit: string) => digit.repeat(40);
const source = ['one', 'two', 'three', 'four', 'five'];
const files = ['app.js', 'hidden.js'];
const hunk = `@@ -0,0 +1,5 @@\n${source.map((line) => `+${line}\n`).join('')}`;
const diff = files.map((name) => `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n${hunk}`).join('');
const tokens = ['ada', 'bot', 'rita'] as const;

/** mr/1 is by ada, the job has the token of a bot, and rita reviews. */
const worldWith = (base: string, head: string): World => ({
  users: tokens.map((username) => ({ username, token: `${username}-token` })),
  projects: [{
    path: 'acme/app', visibility: 'private', members: { ada: 'developer', bot: 'developer', rita: 'developer' },
    merge_requests: [{ iid: 1, title: 'Change', author: 'ada', base_sha: base, start_sha: base, head_sha: head, diff }],
  }],
});

/** Makes the folder a work tree whose head has the files, and its base none. */
const commitsIn = (cwd: string, attributes: string): readonly [base: string, head: string] => {
  const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
  const git = (...words: string[]) => execFileSync('git', ['-c', 'commit.gpgsign=false', ...words],
    { cwd, encoding: 'utf8', env: { ...process.env, ...person, GIT_CONFIG_GLOBAL: '/dev/null' } }).trim();
  const commit = () => {
    git('commit', '--quiet', '--allow-empty', '-m', 'Change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  const base = commit();
  writeFileSync(join(cwd, '.gitattributes'), attributes);
  git('add', '.');
  return [base, commit()];
};

/** A job that posts the lines of a tool and fails for errors, and then checks the threads. */
const job = async ({ flags = [], attributes }: { flags?: readonly string[]; attributes?: string } = {}) => {
  const { home, env } = newHome();
  mkdirSync(join(home, 'app'));
  for (const name of files) writeFileSync(join(home, 'app', name), `${source.join('\n')}\n`);
  const [base, head] = attributes === undefined ? [sha('a'), sha('b')] : commitsIn(join(home, 'app'), attributes);
  writeFileSync(join(home, 'world.json'), JSON.stringify(worldWith(base, head)));
  const { url } = await served(['--world', 'world.json', ...flags], env, home);
  const variables = { ...env, COLLOQUY_URL: url, COLLOQUY_PROJECT: 'acme/app', COLLOQUY_TOKEN: 'bot-token' };
  const runs = (...words: string[]) => {
    const [command, ...before] = programWords;
    return ended(spawn(command, [...before, ...words], { cwd: join(home, 'app'), env: variables, stdio: ['ignore', 'pipe', 'pipe'] }));
  };
  const clients = Object.fromEntries(tokens.map((name) => [name, createClient({ url, token: `${name}-token` }).discussions.merge_request])) as
    Record<typeof tokens[number], ReturnType<typeof createClient>['discussions']['merge_request']>;
  const path = { id: 'acme/app', noteable_id: 1 };
  return {
    url, folder: join(home, 'app'),
    posts: async (report: string, ...words: string[]) => {
      writeFileSync(join(home, 'report'), report);
      return runs('notes', 'post', 'mr/1', '--from', 'lines', '--key', 'k', '--root', '.', '--allow-empty', '--fail-level', 'error', '../report', ...words);
    },
    checks: (...words: string[]) => runs('discussions', 'check', 'mr/1', ...words),
    threads: async () => (await clients.rita.list(path).all()).filter(({ notes }) => !notes[0].system),
    reply: (as: keyof typeof clients, discussion_id: string) => clients[as].addNote({ ...path, discussion_id, body: 'thanks!' }),
    resolve: (as: keyof typeof clients, discussion_id: string, resolved = true) => clients[as].resolve({ ...path, discussion_id, resolved }),
  };
};

const [injection, unused] = ['app.js:2:1: error: SQL injection\n', 'app.js:2:1: warning: unused name\n'];

it('an answer in the thread that the bot resolved does not open the gate', async () => {
  const { posts, checks, threads, reply } = await job();
  expect((await posts(injection)).code).toBe(8);
  expect([(await posts('')).code, (await checks()).code]).toEqual([0, 0]);
  const [thread] = await threads();
  await reply('ada', thread!.id);
  const again = await posts(injection);
  expect(again).toMatchObject({ code: 8, err: expect.stringContaining('mr/1: reopened 1\n') as string });
  const [after, ...others] = await threads();
  expect([others, after!.notes.map(({ resolved }) => resolved), after!.notes[0].body]).toEqual([[], [false, false], thread!.notes[0].body]);
  expect([(await posts(injection)).code, (await checks()).code]).toEqual([8, 8]);
});

it('who accepted a warning has not accepted an error of the same line', async () => {
  const { posts, threads, resolve } = await job();
  await posts(unused);
  await resolve('ada', (await threads())[0]!.id);
  expect((await posts(unused, '--fail-level', 'warning')).code).toBe(0);
  expect(await posts(injection)).toMatchObject({ code: 8, err: expect.stringContaining('mr/1: created 1\n') as string });
  expect((await posts(unused + injection)).code).toBe(8);
  await resolve('ada', (await threads())[1]!.id);
  expect((await posts(unused + injection)).code).toBe(0);
  expect((await posts(unused.replace('warning', 'error'))).code).toBe(8);
});

it('with --accept-by others, the author of the merge request cannot open the gate', async () => {
  const others = ['--accept-by', 'others'];
  const { posts, checks, threads, reply, resolve } = await job();
  await posts(injection, ...others);
  const { id } = (await threads())[0]!;
  await resolve('ada', id);
  await reply('rita', id);
  expect([(await checks()).code, (await checks(...others)).code, (await posts(injection, ...others)).code]).toEqual([0, 8, 8]);
  await resolve('rita', id);
  await reply('ada', id);
  expect([(await posts(injection, ...others)).code, (await checks(...others)).code]).toEqual([0, 0]);
  await resolve('rita', id, false);
  await reply('ada', id);
  expect([(await posts('', ...others)).code, (await checks(...others)).code]).toEqual([0, 8]);
});

it('a finding in a file that the service cuts off the diff counts: git has its line, unless the author hides it from git', async () => {
  const shown = { old_path: 'app.js', new_path: 'app.js', a_mode: '0', b_mode: '100644', diff: hunk, new_file: true, renamed_file: false, deleted_file: false };
  const cut = `GET /projects/*/merge_requests/*/versions/* => respond ${JSON.stringify({ status: 200, body: { id: 1, commits: [], diffs: [shown] } })}`;
  const rows = [[undefined, null], ['', 2], ['*.js -diff\n', null]] as const;
  await everyRow(rows, ([attributes]) => attributes ?? 'without git', async ([attributes, line]) => {
    const { posts, threads } = await job({ flags: ['--fault', cut], ...attributes !== undefined && { attributes } });
    const ran = await posts('hidden.js:2:1: error: SQL injection\n');
    expect(ran).toMatchObject({ code: 8, err: expect.stringContaining('mr/1: created 1\n') as string });
    expect(ran.err.split('the service does not show the whole diff of mr/1: 1 finding in what it leaves out counts')).toHaveLength(line === null ? 2 : 1);
    const { notes: [note] } = (await threads())[0]!;
    const position = note.position?.position_type === 'text' ? note.position.new_line : null;
    expect([position, note.body.includes('`hidden.js:2`')]).toEqual([line, line === null]);
  });
});

it('a finding at a path with a link in it counts where the merge request changes the file that the link leads to', async () => {
  const { folder, posts, checks } = await job();
  symlinkSync('app.js', join(folder, 'linked.js'));
  symlinkSync('.', join(folder, 'lib'));
  symlinkSync('/etc/hostname', join(folder, 'outside.js'));
  expect(await posts('outside.js:1:1: error: elsewhere\nlinked.js:99:1: warning: beyond\n')).toMatchObject({ code: 0 });
  expect((await posts('linked.js:2:1: error: SQL injection\n')).err).toContain('mr/1: created 1\n');
  expect((await posts('lib/hidden.js:2:1: error: SQL injection\n')).code).toBe(8);
  expect((await checks()).code).toBe(8);
});
