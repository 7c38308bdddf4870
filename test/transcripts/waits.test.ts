import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ended, newHome, program, served } from '../support/program.js';

const finding = (path: string) => JSON.stringify([{ description: 'd', location: { path, lines: { begin: 1 } } }]);
const post = ['notes', 'post', '--from', 'codequality', '--key', 'k', '--reporter', 'terminal'];

/** A home with a pipe that nobody writes to. */
const withPipe = () => {
  const { home, env } = newHome();
  execFileSync('mkfifo', [join(home, 'pipe')]);
  const start = (words: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: home, env: { ...env, COLLOQUY_URL: 'http://127.0.0.1:9', COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return { child, left: ended(child) };
  };
  return { home, env, start };
};

/** The process has ended if the promise wins against a pause that no test of a quick end needs. */
const soon = <T>(left: Promise<T>): Promise<T | 'still running'> => Promise.race([left, pause(10_000, 'still running' as const)]);

describe.each(['SIGTERM', 'SIGINT'] as const)('%s ends a command that waits for', (signal) => {
  it.each([
    ['a text', ['notes', 'add', 'issue/7', '-F', 'pipe']],
    ['a report', [...post, 'pipe']],
    ['a hierarchy', ['epics', 'apply', '&1', 'pipe', '-g', 'acme']],
    ['the body of a request', ['api', 'POST', 'projects', '--input', 'pipe']],
    ['a file of faults', ['serve', '--port', '0', '--fault', '@pipe']],
    ['a report on standard input', [...post, '-']],
  ])('%s', async (_, words) => {
    const { child, left } = withPipe().start(words);
    await pause(1_500);
    child.kill(signal);
    expect(await soon(left)).toMatchObject({ code: 130, err: expect.stringContaining('interrupted') as string });
  });
});

describe('notes post', () => {
  it('reads a report from a pipe', async () => {
    const { home, start } = withPipe();
    const { left } = start([...post, 'pipe']);
    const written = ended(spawn('sh', ['-c', `printf %s '${finding('src/a.js')}' > pipe`], { cwd: home }));
    expect(await soon(left)).toMatchObject({ code: 0, out: 'src/a.js:1: warning: d\n' });
    expect(await written).toMatchObject({ code: 0, err: '' });
  });

  it('reads a report from the output of another program', async () => {
    const { home, env } = withPipe();
    const line = `colloquy ${post.join(' ')} <(printf %s '${finding('src/a.js')}')`;
    expect(await soon(ended(spawn('bash', ['-c', line], { cwd: home, env })))).toMatchObject({ code: 0, out: 'src/a.js:1: warning: d\n' });
  });

  it('reads no pipe, device, or file outside that a report names', async () => {
    const { home, start } = withPipe();
    symlinkSync('/dev/zero', join(home, 'zero'));
    symlinkSync('/etc/passwd', join(home, 'outside'));
    for (const path of ['pipe', 'zero', 'outside', '../../../dev/zero']) {
      writeFileSync(join(home, 'report.json'), finding(path));
      const { left } = start([...post, '--root', home, 'report.json']);
      expect(await soon(left)).toMatchObject({ code: 0 });
    }
  });

  it('reads no endless file', async () => {
    const { left } = withPipe().start([...post, '/dev/zero']);
    expect(await soon(left)).toMatchObject({ code: 2, err: expect.stringContaining('cannot read /dev/zero: it is larger than') as string });
  });
});

it('a server whose log is a pipe without a reader ends', async () => {
  const { home, env } = withPipe();
  const server = await served(['--log', 'pipe'], env, home).catch((error: unknown) => error as Error);
  expect(server).toHaveProperty('url');
  const { url, end } = server as Awaited<ReturnType<typeof served>>;
  await fetch(`${url}/api/v4/version`);
  const { code } = await soon(end()) as { code: number | null };
  expect([0, null]).toContain(code);
  closeSync(openSync(join(home, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK));
});
