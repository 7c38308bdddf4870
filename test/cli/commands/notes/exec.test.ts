import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../../src/cli/terminal/io/tools.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { readMarker } from '../../../../src/wire/note-text.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';

const { env } = process;

/** Shorter than in the program, in milliseconds. */
const drain = { silent: 100, most: 400 };

const execIn = async (service: TestService, flags: readonly string[], script: string, options: WorldOptions = {}) => {
  const { run } = await testApp({
    service, tools: { run: (command, receive) => runProgram({ ...env, ...options.env }, command, receive, () => undefined, drain) }, ...options,
  });
  return run('notes', 'exec', 'mr/1', '--key', 'tests', ...flags, '--', 'sh', '-c', script);
};

const commentsOn = async (service: TestService): Promise<string[]> => {
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100');
  return body.flatMap(({ notes }) => notes).map((note) => readMarker(note.body))
    .flatMap(({ marker, text }) => marker?.['key'] === 'tests' ? [text] : []);
};

const brokenService: WorldOptions['answer'] = ({ method }) => method === 'POST'
  ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"403 Forbidden"}' } : undefined;

describe('notes exec', () => {
  it('passes the output through unchanged and posts a block with status, duration and output', async () => {
    const service = await testService();
    const { code, out, err } = await execIn(service, [], 'printf "\\033[32mok\\033[0m\\n"; printf "warning" >&2');
    expect({ code, out }).toEqual({ code: 0, out: '\u001b[32mok\u001b[0m\n' });
    expect(err).toMatch(/^warning(\n)?added note (\d+) to mr\/1\nhttp:\/\/service\.test\/acme\/app\/-\/merge_requests\/1#note_\2\n$/);
    const [text] = await commentsOn(service);
    expect(text).toMatch(/^<details>\n<summary><b>passed<\/b> after \d+\.\d s: <code>sh -c '.*'<\/code><\/summary>\n\n```text\n[^]*\n```\n\n<\/details>$/);
    expect(text).toContain('\nok\n');
  });

  it('has its result as the first line of the comment in lists', async () => {
    const service = await testService();
    await execIn(service, [], 'exit 3');
    const { run } = await testApp({ service });
    const { out } = await run('notes', 'list', 'mr/1', '--mine', '--json=first_line', '-o', 'tsv');
    expect(out).toMatch(/^failed with exit code 3 after \d+\.\d s: sh -c 'exit 3'\n$/m);
  });

  it('updates the comment in the next run', async () => {
    const service = await testService();
    await execIn(service, [], 'exit 3');
    expect((await execIn(service, [], 'echo fixed')).err).toMatch(/^updated note (\d+) of mr\/1\nhttp:.*#note_\1\n$/);
    expect((await execIn(service, ['--quiet'], 'echo fixed')).err).toBe('');
    expect(await commentsOn(service)).toEqual([expect.stringContaining('fixed')]);
  });

  it.each([['exit 3', 3, 'failed with exit code 3'], ['kill -TERM $$', 143, 'ended by SIGTERM'], ['kill -KILL $$', 137, 'ended by SIGKILL']])(
    'ends like the command after `%s`', async (script, code, status) => {
      const service = await testService();
      expect((await execIn(service, [], script)).code).toBe(code);
      expect(await commentsOn(service)).toEqual([expect.stringContaining(`<b>${status}</b>`)]);
    });

  it.each([[0, 1], [3, 3]])('lets a command that ends with %i finish and reports it if its output cannot be written, then ends with %i', async (exit, code) => {
    const service = await testService();
    const { app, run } = await testApp({ service, tools: { run: (command, receive) => runProgram(env, command, receive, () => undefined, drain) } });
    Object.assign(app.out, { writeBytes: async () => { throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }); } });
    const ran = await run('notes', 'exec', 'mr/1', '--key', 'tests', '--', 'sh', '-c', `echo one; sleep 0.2; echo two; exit ${exit}`);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining('colloquy: cannot write: no space left (ENOSPC)\n')]);
    expect(await commentsOn(service)).toEqual([expect.stringMatching(exit === 0 ? /<b>passed<[^]*\none\ntwo\n/ : /<b>failed with [^]*\none\ntwo\n/)]);
  });

  it('ends with 127 and posts nothing if there is no such command', async () => {
    const service = await testService();
    const { run } = await testApp({ service, tools: { run: (command, receive) => runProgram(env, command, receive, () => undefined, drain) } });
    const { code, err } = await run('notes', 'exec', 'mr/1', '--key', 'tests', '--', 'no-such-command');
    expect({ code, err }).toEqual({ code: 127, err: 'colloquy: cannot run no-such-command: command not found\n' });
    expect(await commentsOn(service)).toEqual([]);
    expect(await run('notes', 'exec', '12', '--mr', '1', '--key', 'tests', '--', 'true')).toMatchObject({
      code: 127, err: 'colloquy: cannot run 12: command not found\nname merge request 12 as mr/12; a number alone is a command here\n' });
  });

  it('replaces the result of an earlier run if there is no such command any more', async () => {
    const service = await testService();
    await execIn(service, [], 'exit 0');
    const { run } = await testApp({ service, tools: { run: (command, receive) => runProgram(env, command, receive, () => undefined, drain) } });
    const { code, err } = await run('notes', 'exec', 'mr/1', '--key', 'tests', '--', 'no-such-command');
    expect(code).toBe(127);
    expect(err).toMatch(/^colloquy: cannot run no-such-command: command not found\nupdated note (\d+) of mr\/1\nhttp:.*#note_\1\n$/);
    const [text, ...others] = await commentsOn(service);
    expect(others).toEqual([]);
    expect(text).toMatch(/<b>failed with exit code 127<\/b> after .*<code>no-such-command<\/code>[^]*\ncannot run no-such-command: command not found\n/);
  });

  it('reports mistakes before it runs the command', async () => {
    const { run } = await testApp({ env: { COLLOQUY_TOKEN: undefined } });
    expect((await run('notes', 'exec', 'mr/1', '--key', 'tests', '--', 'true')).code).toBe(4);
    expect(await run('notes', 'exec', 'mr/1', '--key', 'tests')).toMatchObject({ code: 2, err: expect.stringContaining('no command given') as string });
    expect((await run('notes', 'exec', 'mr/1', '--', 'true')).code).toBe(2);
  });

  it('takes the arguments of the command as they are, also options of its own', async () => {
    const service = await testService();
    const { run } = await testApp({
      service, env: { CI_MERGE_REQUEST_IID: '1' }, tools: { run: (command, receive) => runProgram(env, command, receive, () => undefined, drain) } });
    const { code, out } = await run('notes', 'exec', '--key', 'tests', '--', 'printf', '%s|', '--json', '--help', '-n', 'a b');
    expect({ code, out }).toEqual({ code: 0, out: '--json|--help|-n|a b|' });
    expect((await commentsOn(service))[0]).toContain("<code>printf '%s|' --json --help -n 'a b'</code>");
  });

  describe('--only-on-failure', () => {
    it('posts nothing for a success, and deletes the comment of an earlier failure', async () => {
      const service = await testService();
      expect((await execIn(service, ['--only-on-failure'], 'true')).code).toBe(0);
      expect(await commentsOn(service)).toEqual([]);
      await execIn(service, ['--only-on-failure'], 'false');
      expect(await commentsOn(service)).toHaveLength(1);
      expect((await execIn(service, ['--only-on-failure'], 'true')).code).toBe(0);
      expect(await commentsOn(service)).toEqual([]);
    });
  });

  it('--tail limits the lines, and says how many there were', async () => {
    const service = await testService();
    await execIn(service, ['--tail', '2'], 'for i in 1 2 3 4; do echo "line $i"; done');
    expect((await commentsOn(service))[0]).toContain('Last 2 of 4 lines:\n\n```text\nline 3\nline 4\n```');
  });

  it('masks secrets in the comment, even in the command, and leaves the output as it is', async () => {
    const service = await testService();
    const { out } = await execIn(service, ['--redact', 'DATABASE_URL'], 'echo "$DEPLOY_TOKEN $DATABASE_URL"; : secret-1234', {
      env: { DEPLOY_TOKEN: 'secret-1234', DATABASE_URL: 'postgres://u:p@h' } });
    expect(out).toBe('secret-1234 postgres://u:p@h\n');
    const [text] = await commentsOn(service);
    expect(text).not.toMatch(/secret-1234|postgres:/);
    expect(text).toContain('\n[masked] [masked]\n');
  });

  it('masks a secret with a quote in the command, even where it takes several words', async () => {
    const service = await testService();
    const DB_PWD = "it's a secret";
    const tools = { run: (command: readonly string[], receive: Parameters<typeof runProgram>[2]) => runProgram(env, command, receive, () => undefined, drain) };
    const { run } = await testApp({ service, env: { DB_PWD, APP_TOKEN: 'two words' }, tools });
    await run('notes', 'exec', 'mr/1', '--key', 'tests', '--', 'printf', '%s', DB_PWD, 'two', 'words');
    const [text] = await commentsOn(service);
    expect(text).toContain("<code>printf %s '[masked]' [masked]</code>");
  });

  it('ends soon after a command that leaves a program in the background, with the exit code of the command', async () => {
    const service = await testService();
    // The one in the background ends by itself with its next word, which nothing reads.
    const { code, out } = await execIn(service, [], '(while :; do echo again; sleep 0.1; done) & echo started; exit 3');
    expect([code, out.split('\n')]).toEqual([3, expect.arrayContaining(['started'])]);
    expect(await commentsOn(service)).toEqual([expect.stringContaining('failed with exit code 3')]);
  });

  it('runs no quick actions and mentions nobody that the output contains', async () => {
    const service = await testService();
    await execIn(service, [], "printf '```\\n/close\\n@maintainer #1\\n</details>\\n/label ~x\\n'");
    const { body } = await service.get<{ state: string }>('/projects/20/merge_requests/1');
    expect(body.state).toBe('opened');
    const [text] = await commentsOn(service);
    expect(text).toContain('````text');
    expect(text).not.toMatch(/^\s*\//m);
    // In code, mentions and references have no effect.
    expect(text!.replace(/````text.*````/s, '').replace(/<code>.*<\/code>/, '')).not.toMatch(/@maintainer|#1/);
  });

  describe('where posting fails', () => {
    it('ends with the exit code of a failed command and says that the comment is missing', async () => {
      const { code, err } = await execIn(await testService(), [], 'exit 3', { answer: brokenService });
      expect(code).toBe(3);
      expect(err).toMatch(/^colloquy: the comment was not posted: the service denied access \(HTTP 403\)\n$/);
    });

    it('ends with the exit code of the failure to post if the command succeeded', async () => {
      expect((await execIn(await testService(), [], 'true', { answer: brokenService })).code).toBe(5);
    });
  });

  it('runs nothing with --dry-run, and prints the command and the request', async () => {
    const service = await testService();
    const tools: WorldOptions['tools'] = { run: async () => { throw new Error('the command ran'); } };
    const dry = (flags: readonly string[] = []) =>
      execIn(service, ['--dry-run', ...flags], 'deploy secret-1234', { tools, env: { DEPLOY_TOKEN: 'secret-1234' } });
    const { code, out, err } = await dry();
    expect([code, err]).toEqual([0, "would run sh -c 'deploy [masked]'\n"]);
    expect(out).toMatch(/^POST \S+\/notes\n[^]*<b>\(result\)<\/b> after \(duration\): <code>sh -c 'deploy \[masked\]'<\/code>/);
    expect((await dry(['--only-on-failure'])).err).toBe("would run sh -c 'deploy [masked]', and comment if it fails\n");
    expect(await commentsOn(service)).toEqual([]);
    await execIn(service, [], 'exit 0');
    const planned = JSON.parse((await dry(['--json'])).out) as { method: string };
    expect(planned.method).toBe('PUT');
  });

  it('leaves the comment of a newer pipeline', async () => {
    const service = await testService();
    const pipeline = (iid: string) => ({ env: { CI_PIPELINE_IID: iid, CI_PROJECT_ID: '20' } });
    await execIn(service, [], 'echo new', pipeline('7'));
    expect(await execIn(service, [], 'echo old; exit 1', pipeline('6'))).toMatchObject({ code: 1, err: expect.stringContaining('newer run') as string });
    expect((await commentsOn(service))[0]).toContain('new');
  });
});
