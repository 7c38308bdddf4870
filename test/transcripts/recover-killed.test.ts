import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ended, newHome, programWords, served } from '../support/program.js';

const [command, ...before] = programWords;

describe('a text whose command was killed', () => {
  it('is stored once by several --recover at the same time, and by another one after them', { timeout: 120_000 }, async () => {
    const { home, env } = newHome();
    const faults = ['POST * => stall 60000 before times=1', 'POST * => latency 1500'];
    const { url } = await served(faults.flatMap((rule) => ['--fault', rule]), env, home);
    const start = (...flags: string[]) => spawn(command, [...before, 'notes', 'add', 'issue/7', '-o', 'id', ...flags], {
      cwd: home, env: { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' },
    });
    const killed = start('-F', '-');
    const left = ended(killed);
    killed.stdin.end('typed once');
    await expect.poll(async () => (await ended(spawn('find', [home, '-name', '*.md']))).out).not.toBe('');
    killed.kill('SIGKILL');
    await left;

    const codes = (await Promise.all(['', '', '', ''].map(() => ended(start('--recover'))))).map(({ code }) => code);
    const last = await ended(start('--recover'));
    expect([codes.filter((code) => code === 0).length, last.code], JSON.stringify(codes)).toEqual([1, 6]);
    const response = await fetch(`${url}/api/v4/projects/acme%2Fapp/issues/7/notes?per_page=100`, { headers: { 'private-token': 'ada-token' } });
    const notes = await response.json() as { body: string }[];
    expect(notes.filter(({ body }) => body === 'typed once')).toHaveLength(1);
  });
});
