import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ended, newHome, program, served } from '../support/program.js';

const running = async (script: string) => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const settings = { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, ...words], { cwd: home, env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const child = start('notes', 'exec', 'issue/7', '--key', 'tests', '--', 'sh', '-c', script);
  const left = ended(child);
  const comment = async () => (await ended(start('notes', 'list', 'issue/7', '--mine', '--json', 'text', '-q', '.[].text'))).out;
  return { child, left, comment };
};

describe('notes exec', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s on, then posts the result', async (signal) => {
    const { child, left, comment } = await running(
      `trap "echo stopping; exit 9" ${signal.slice(3)}; echo ready; while :; do sleep 0.1; done`);
    const [first] = await once(child.stdout, 'data') as [string];
    expect(first).toBe('ready\n');
    child.kill(signal);
    const { code, out, err } = await left;
    expect({ code, out }).toEqual({ code: 9, out: 'ready\nstopping\n' });
    expect(err).toMatch(/^added note (\d+) to issue\/7\nhttp:.*#note_\1\n$/);
    expect(await comment()).toContain('failed with exit code 9');
  });

  it('ends with 128 and the number of the signal that ended the command', async () => {
    const { child, left, comment } = await running('echo ready; exec sleep 600');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await left).toMatchObject({ code: 143, out: 'ready\n' });
    expect(await comment()).toContain('ended by SIGTERM');
  });

  it('does not wait for a program in the background that holds the output open', async () => {
    const { left } = await running('sleep 600 & echo $!');
    const { code, out } = await left;
    process.kill(Number(out));
    expect(code).toBe(0);
  });

  it('lets the command fail when it writes to a closed output', async () => {
    const { child, left } = await running('while echo line; do :; done; exit 5');
    child.stdout.once('data', () => child.stdout.destroy());
    expect((await left).code).not.toBe(0);
  });
});
