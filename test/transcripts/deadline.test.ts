import { spawn } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serving } from '../client/support/loopback.js';
import { ended, newHome, program } from '../support/program.js';

/** Each page has a new thread and a next page. */
const endlessPages: RequestListener = ({ url = '' }, response) => {
  const page = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1);
  const thread = { id: page.toString(16).padStart(40, '0'), individual_note: true, notes: [] };
  response.writeHead(200, { 'content-type': 'application/json', 'x-page': page, 'x-next-page': page + 1, 'x-per-page': 1 });
  response.end(JSON.stringify([thread]));
};

/** A byte ten times a second. */
const drip: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => { response.write(' '); }, 100);
  response.on('close', () => { clearInterval(timer); });
};

/** In seconds. */
const timed = async (url: string, ...words: string[]) => {
  const { home, env } = newHome();
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...words], {
    cwd: home, stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' },
  });
  const { code, err } = await ended(child);
  return { code, err, seconds: (performance.now() - start) / 1000 };
};

const check = ['discussions', 'check', 'mr/12'];

describe('a run against a service that never stops sending', () => {
  it('ends at its deadline', async () => {
    const [pages, bytes, both] = await Promise.all([
      timed(await serving(endlessPages), ...check, '--deadline', '2s', '--timeout', '60'),
      timed(await serving(drip), ...check, '--deadline', '2s'),
      timed(await serving(endlessPages), ...check, '--deadline', '2s', '--wait', '1h'),
    ]);
    for (const { code, err, seconds } of [pages, bytes, both]) {
      expect({ code, err }).toEqual({ code: 10, err: 'colloquy: the command did not end within 2s\npass a longer --deadline\nnothing was changed\n' });
      expect(seconds).toBeLessThan(20);
    }
  });

  it('ends a request at its --timeout, however slowly its response arrives', async () => {
    const { code, err, seconds } = await timed(await serving(drip), ...check, '--timeout', '1', '--retries', '0');
    expect({ code, err }).toEqual({ code: 10, err: expect.stringContaining('try again, or raise --timeout') as string });
    expect(seconds).toBeLessThan(20);
  });
});

it('a command that ends gracefully does so at its deadline, with 10', async () => {
  const { code, err } = await timed('', 'serve', '--deadline', '1s');
  expect({ code, err: err.split('\n').slice(-4) }).toEqual({
    code: 10, err: ['colloquy: the command did not end within 1s', 'pass a longer --deadline', 'nothing was changed', ''] });
});
