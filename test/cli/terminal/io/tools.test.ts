import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { trackedFiles } from '../../../../src/cli/terminal/io/git.js';
import {
  browserCommand, isInstalled, openUrl, runPager, runProgram,
} from '../../../../src/cli/terminal/io/tools.js';
import { patientGit } from '../../../support/git-answers.js';
import { everyRow } from '../../../support/rows.js';

let folder: string;
let before: string;
beforeEach(() => {
  before = process.cwd();
  folder = mkdtempSync(join(tmpdir(), 'colloquy-tools-'));
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const env = { PATH: process.env['PATH'] };
const paged = (command: string, text: string, settings = {}, leave = new AbortController().signal, prompt?: string) =>
  runPager({ ...env, ...settings }, command, { text, prompt }, false, leave);

describe('a pager', () => {
  it('receives the text and the variables that enable colors', async () => {
    const command = `cat > "${folder}/seen"; printf %s "$LESS $LV" > "${folder}/env"`;
    expect(await paged(command, 'größer\n')).toBe(true);
    expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe('größer\n');
    expect(readFileSync(join(folder, 'env'), 'utf8')).toBe('FRX -c');
    await paged(command, '', { LESS: 'S' });
    expect(readFileSync(join(folder, 'env'), 'utf8')).toBe('S -c');
    await paged(command, '', {}, undefined, '3 threads');
    expect(readFileSync(join(folder, 'env'), 'utf8')).toBe('-Ps3 threads$FRX -c');
  });

  it('may be closed early, and may fail', async () => {
    expect(await paged('head -c 1 > /dev/null', 'x'.repeat(5_000_000))).toBe(true);
    expect(await paged('sh -c "exit 3"', 'x')).toBe(true);
  });

  it('ends when it is asked to', async () => {
    const leave = new AbortController();
    const shown = paged('sleep 60', 'x', {}, leave.signal);
    leave.abort();
    expect(await shown).toBe(true);
  });

  it('ends even if it ignores that', async () => {
    const leave = new AbortController();
    const shown = paged('trap "" TERM; echo > "$READY"; while :; do sleep 0.1; done', 'x', { READY: join(folder, 'ready') }, leave.signal);
    await expect.poll(() => existsSync(join(folder, 'ready'))).toBe(true);
    leave.abort();
    expect(await shown).toBe(true);
  });

  it('is found in the folders of PATH only if it can be run', () => {
    writeFileSync(join(folder, 'some-pager'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'some-text'), '', { mode: 0o644 });
    const PATH = `/nonesuch:${folder}:`;
    expect(isInstalled({ PATH }, 'some-pager', false)).toBe(true);
    expect(isInstalled({ PATH }, 'some-text', false)).toBe(false);
    expect(isInstalled({ PATH }, 'nonesuch', false)).toBe(false);
    expect(isInstalled({}, 'sh', false)).toBe(false);
  });

  it('fails to start if it does not exist', async () => {
    expect(await paged('colloquy-nonesuch 2> /dev/null', 'x')).toBe(false);
  });
});

describe('a program in the foreground', () => {
  const run = async (script: string, receive: (text: string) => Promise<void> = async () => undefined) => {
    let passOn: (signal: NodeJS.Signals) => void = () => undefined;
    const ended = runProgram({ ...env }, ['sh', '-c', script], (_, chunk) => receive(Buffer.from(chunk).toString()),
      (given) => { passOn = given; }, { silent: 100, most: 400 });
    return { ended, passOn };
  };
  /** Writes without end after its parent has ended, until nothing reads its output. */
  const endless = '(while echo again; do :; done) &';

  it.each([
    ['writes without end', endless], ['writes now and then', '(while echo again; do sleep 0.2; done) &'], ['is silent', 'sleep 20 &'],
  ])('ends although one in the background %s, with its exit code', async (_, background) => {
    const { ended } = await run(`${background} exit 3`);
    expect(await ended).toEqual({ exit: 3, signal: null, error: null });
  });

  it('is read to its end, however slowly its output is used', async () => {
    let read = '';
    const { ended } = await run('head -c 200000 /dev/zero | tr "\\0" x; echo end', async (text) => {
      if (read === '') await new Promise((resolve) => { setTimeout(resolve, 600); });
      read += text;
    });
    await ended;
    expect(read).toBe(`${'x'.repeat(200_000)}end\n`);
  });

  it('is read to its end if much of its output is unread at its end', async () => {
    let read = '';
    const { ended } = await run('printf x; sleep 0.3; head -c 130000 /dev/zero | tr "\\0" x; echo end', async (text) => {
      if (read === '') await new Promise((resolve) => { setTimeout(resolve, 600); });
      read += text;
    });
    await ended;
    expect(read).toBe(`${'x'.repeat(130_001)}end\n`);
  });

  it('gets signals; after its end, they stop the reading of its output', async () => {
    const first = await run('trap "exit 5" TERM; echo ready; while :; do sleep 0.05; done', async () => { first.passOn('SIGTERM'); });
    expect(await first.ended).toMatchObject({ exit: 5 });
    const second = await run(`${endless} exit 4`);
    const over = { value: false };
    void second.ended.then(() => { over.value = true; });
    await expect.poll(() => { second.passOn('SIGTERM'); return over.value; }).toBe(true);
    expect(await second.ended).toMatchObject({ exit: expect.any(Number) as number });
  });
});

describe('a URL', () => {
  // A program that starts slowly must not seem to be a browser that still runs: that time passes when a test says so.
  beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); });
  afterEach(() => { vi.useRealTimers(); });

  /** Puts a program in place of the one that opens URLs. */
  const withBrowser = (script: string) => {
    const [name] = browserCommand('linux');
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
    return { PATH: `${folder}:${process.env['PATH']}`, OUT: join(folder, 'out') };
  };

  it('is one argument of the program that opens it, without a shell or the terminal', async () => {
    const env = withBrowser('echo "$# $1" > "$OUT"; test -t 0 || cat >> "$OUT"');
    const url = 'http://127.0.0.1:1/a?b=$(touch x)&c=1;d';
    expect(await openUrl(env, url, 'linux')).toBe(true);
    expect(readFileSync(env.OUT, 'utf8')).toBe(`1 ${url}\n`);
  });

  it('cannot be opened if the program is missing or fails', async () => {
    expect(await openUrl({ PATH: folder }, 'http://127.0.0.1:1/', 'linux')).toBe(false);
    expect(await openUrl(withBrowser('exit 3'), 'http://127.0.0.1:1/', 'linux')).toBe(false);
  });

  it('is opened in a program of BROWSER if that of the system is missing or fails', async () => {
    const url = 'http://127.0.0.1:1/a?b=$(touch x)&c=1;d';
    const env = withBrowser('exit 3');
    for (const name of ['one', 'two']) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $# $*" > "$OUT"\n`);
      chmodSync(join(folder, name), 0o755);
    }
    await everyRow([
      ['one', `one 1 ${url}`], ['none:two --new', `two 2 --new ${url}`], ['two --url=%s -x:one', `two 2 --url=${url} -x`],
    ] as const, ([browsers]) => browsers, async ([BROWSER, out]) => {
      expect(await openUrl({ ...env, BROWSER }, url, 'linux')).toBe(true);
      expect(readFileSync(env.OUT, 'utf8')).toBe(`${out}\n`);
    });
    expect(await openUrl({ ...env, BROWSER: 'none: ' }, url, 'linux')).toBe(false);
  });

  it('is open if the program still runs, as a browser itself does', async () => {
    const env = withBrowser('echo $$ > "$OUT"; exec sleep 60');
    const written = () => existsSync(env.OUT) ? readFileSync(env.OUT, 'utf8') : '';
    const opened = openUrl(env, 'http://127.0.0.1:1/', 'linux');
    await expect.poll(written).toMatch(/^\d+\n$/);
    vi.advanceTimersByTime(2_000);
    expect(await opened).toBe(true);
    process.kill(Number(written()));
  });

  it.each([['darwin', ['open']], ['win32', ['rundll32', 'url.dll,FileProtocolHandler']], ['freebsd', ['xdg-open']]] as const)(
    'is opened by a program of the system: %s', (platform, command) => {
      expect(browserCommand(platform)).toEqual(command);
    });
});

describe('the diff of a work tree', () => {
  const git = (...words: string[]) => execFileSync('git',
    ['-c', 'user.name=A', '-c', 'user.email=a@a.example', '-c', 'commit.gpgsign=false', ...words], { cwd: folder, encoding: 'utf8' }).trim();
  const commit = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    return git('rev-parse', 'HEAD');
  };

  it('covers the given files, from any folder in it', async () => {
    git('init', '-q');
    mkdirSync(join(folder, 'sub'));
    const from = commit({ 'a.txt': 'one\n', '*.txt': 'star\n', 'sub/b.txt': 'b\n' });
    const to = commit({ 'a.txt': 'two\n', '*.txt': 'stars\n', 'sub/b.txt': 'bb\n' });
    process.chdir(join(folder, 'sub'));
    expect(await patientGit.diff(from, to, ['a.txt'])).toMatch(/^diff --git a\/a.txt b\/a.txt\n[^]*\n-one\n\+two\n$/);
    expect(await patientGit.diff(from, to, ['*.txt'])).not.toContain('one');
    expect(await patientGit.diff(from, 'f'.repeat(40), ['a.txt'])).toBeNull();
  });

  it('has the usual form whatever the user has configured, and covers all files if none is given', async () => {
    git('init', '-q');
    mkdirSync(join(folder, 'sub'));
    const from = commit({ 'a.txt': 'one\n2\n3\n4\n', 'sub/b.txt': 'b\n' });
    const to = commit({ 'a.txt': 'two\n2\n3\n4\n', 'sub/b.txt': 'bb\n' });
    for (const [name, value] of [['noprefix', 'true'], ['context', '0'], ['relative', 'true']]) git('config', `diff.${name}`, value!);
    process.chdir(join(folder, 'sub'));
    expect(await patientGit.diff(from, to, [])).toMatch(
      /^diff --git a\/a.txt b\/a.txt\n[^]*\n@@ -1,4 \+1,4 @@\n[^]*\ndiff --git a\/sub\/b.txt b\/sub\/b.txt\n/);
  });

  it('has the usual form whatever variables of git are set, and shows each renamed file as renamed', async () => {
    git('init', '-q');
    const lines = (first: string) => [first, ...Array(20).keys()].join('\n');
    const from = commit({ 'a.txt': lines('a'), 'b.txt': lines('b'), '*.txt': 'star\n' });
    git('mv', 'a.txt', 'a.ts');
    git('mv', 'b.txt', 'b.ts');
    const to = commit({ 'a.ts': lines('A'), 'b.ts': lines('B'), '*.txt': 'stars\n' });
    git('config', 'diff.renameLimit', '1');
    process.chdir(folder);
    for (const name of ['LITERAL_PATHSPECS', 'ICASE_PATHSPECS', 'NOGLOB_PATHSPECS']) {
      vi.stubEnv(`GIT_${name}`, '1');
      expect(await patientGit.diff(from, to, ['*.txt']), name).toContain('+stars');
      vi.unstubAllEnvs();
    }
    vi.stubEnv('GIT_DIFF_OPTS', '-u0');
    const diff = await patientGit.diff(from, to, []);
    vi.unstubAllEnvs();
    expect(diff).toMatch(/^@@ -1,4 \+1,4 @@/m);
    expect(diff!.match(/^rename from .*/gm)).toEqual(['rename from a.txt', 'rename from b.txt']);
  });

  it('is unknown where a partial clone lacks files, whose remote is not asked', async () => {
    git('init', '-q', '-b', 'main');
    git('config', 'uploadpack.allowFilter', 'true');
    const from = commit({ 'a.txt': 'one\n' });
    const to = commit({ 'a.txt': 'two\n' });
    git('clone', '-q', '--bare', '--filter=blob:none', `file://${folder}`, 'clone');
    let requests = 0;
    const remote = createServer((_, response) => {
      requests += 1;
      response.writeHead(401, { 'www-authenticate': 'Basic realm=x' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => { remote.close(); });
    await once(remote, 'listening');
    process.chdir(join(folder, 'clone'));
    execFileSync('git', ['remote', 'set-url', 'origin', `http://127.0.0.1:${(remote.address() as AddressInfo).port}/a.git`]);
    const files = trackedFiles(async () => join(folder, 'clone'));
    expect([await patientGit.diff(from, to, []), await files.at(from, 'a.txt'), requests]).toEqual([null, null, 0]);
    expect(await patientGit.distance(from, to)).toEqual({ onlyFrom: 0, onlyTo: 1 });
  });

  it('knows the commits that revisions name', async () => {
    git('init', '-q');
    const first = commit({ 'a.txt': '1\n' });
    const second = commit({ 'a.txt': '2\n' });
    process.chdir(folder);
    expect(await Promise.all(['HEAD', 'HEAD~1', first.slice(0, 8), 'none', '--all', 'HEAD:a.txt'].map(patientGit.sha)))
      .toEqual([second, first, first, null, null, null]);
  });

  it('knows what a branch is pulled from and pushed to', async () => {
    git('init', '-q');
    git('config', 'branch.fix.1.merge', 'refs/heads/topic');
    git('config', 'branch.Fix.1.remote', 'https://other.example.com/a/b.git');
    git('config', 'branch.fix.1.remote', 'origin');
    git('config', 'branch.own.pushRemote', 'fork');
    process.chdir(folder);
    const none = { ref: null, remote: null, pushRemote: null, isPushed: false };
    expect(await Promise.all(['fix.1', 'Fix.1', 'fix', '--all', 'own'].map(patientGit.tracking))).toEqual([
      { ...none, ref: 'refs/heads/topic', remote: 'origin' }, { ...none, remote: 'https://other.example.com/a/b.git' }, none, none,
      { ...none, pushRemote: 'fork' },
    ]);
    git('config', 'remote.pushDefault', 'mine');
    expect(await Promise.all(['fix.1', 'own'].map(patientGit.tracking))).toMatchObject([{ remote: 'origin', pushRemote: 'mine' }, { pushRemote: 'fork' }]);
  });

  it('knows whether a branch is pushed to the one that it is pulled from', async () => {
    git('init', '-q', '-b', 'mine');
    commit({ 'a.txt': '1\n' });
    git('remote', 'add', 'origin', 'https://other.example.com/a/b.git');
    git('config', 'branch.mine.remote', 'origin');
    process.chdir(folder);
    const isPushed = async (...settings: string[]) => {
      for (const setting of settings) git('config', ...setting.split('='));
      return (await patientGit.tracking('mine')).isPushed;
    };
    expect([
      await isPushed('branch.mine.merge=refs/heads/topic'), await isPushed('push.default=upstream'),
      await isPushed('push.default=simple', 'remote.origin.push=refs/heads/mine:refs/heads/topic'), await isPushed('branch.mine.merge=refs/heads/main'),
    ]).toEqual([false, true, true, false]);
  });

  it('knows how many commits two commits are apart', async () => {
    git('init', '-q');
    const base = commit({ 'a.txt': '1\n' });
    const [second, third] = [commit({ 'a.txt': '2\n' }), commit({ 'a.txt': '3\n' })];
    git('checkout', '-q', '-b', 'other', base);
    const other = commit({ 'a.txt': '4\n' });
    process.chdir(folder);
    expect(await patientGit.distance(third, third)).toEqual({ onlyFrom: 0, onlyTo: 0 });
    expect(await patientGit.distance(third, base)).toEqual({ onlyFrom: 2, onlyTo: 0 });
    expect(await patientGit.distance(base, second)).toEqual({ onlyFrom: 0, onlyTo: 1 });
    expect(await patientGit.distance(third, other)).toEqual({ onlyFrom: 2, onlyTo: 1 });
    expect(await Promise.all(['f'.repeat(40), '--all', 'HEAD'].map((one) => patientGit.distance(third, one)))).toEqual([null, null, null]);
  });

  it('is undefined outside a work tree', async () => {
    process.chdir(folder);
    expect(await patientGit.diff('a'.repeat(40), 'b'.repeat(40), ['a.txt'])).toBeNull();
    expect(await Promise.all([patientGit.sha('HEAD'), patientGit.tracking('main'), patientGit.distance('a'.repeat(40), 'b'.repeat(40))]))
      .toEqual([null, { ref: null, remote: null, pushRemote: null, isPushed: false }, null]);
  });
});
