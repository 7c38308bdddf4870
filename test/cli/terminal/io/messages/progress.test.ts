import { describe, expect, it } from 'vitest';
import { waitReporter } from '../../../../../src/cli/terminal/io/messages.js';
import { realTime } from '../../../../../src/wire/time.js';
import type { GlobalFlags } from '../../../../../src/cli/command-line/flags.js';
import { fakeTime } from '../../../../client/support/fake-time.js';
import { ranIn, testApp, type WorldOptions } from '../../../../support/app.js';
import { images } from '../../../../support/images.js';

const list = ['discussions', 'list', '!1', '-o', 'id'];
const path = '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions';

/** A service that is busy once. */
const busyOnce = (seconds = '0'): WorldOptions => {
  let asked = 0;
  return { time: fakeTime(), answer: () => asked++ === 0 ? { status: 503, headers: { 'retry-after': seconds }, body: 'busy' } : undefined };
};

describe('a short wait', () => {
  it('shows its reason and length on a terminal, and clears that when the request is sent again', async () => {
    const { code, err } = await ranIn({ ...busyOnce(), terminal: true }, ...list);
    expect(code).toBe(0);
    expect(err).toMatch(/^\rGET \S+: 503; next attempt in [\d.]+ s \(1 of 5\)\x1b\[K\r\x1b\[K$/);
  });

  it('shows nothing in a pipe or with --quiet', async () => {
    expect(await ranIn(busyOnce(), ...list)).toMatchObject({ code: 0, err: '' });
    expect(await ranIn({ ...busyOnce(), terminal: true }, ...list, '--quiet')).toMatchObject({ code: 0, err: '' });
  });
});

describe('a long wait', () => {
  it('is a line on stderr in a pipe, with a summary at the end', async () => {
    const { code, out, err } = await ranIn(busyOnce('3'), ...list);
    expect(code).toBe(0);
    expect(out).toMatch(/^[0-9a-f]{40}\n/);
    expect(err).toBe(`GET ${path}: 503; next attempt in 3 s (1 of 5)\nrepeated requests 1 time; waited 3 s in all\n`);
  });

  it('is the same line on a terminal, and is nothing with --quiet', async () => {
    const [terminal, quiet] = await Promise.all([
      ranIn({ ...busyOnce('3'), terminal: true, time: realTime }, ...list),
      ranIn({ ...busyOnce('3'), terminal: true }, ...list, '--quiet')]);
    expect(terminal.err.replaceAll('\r\x1b[K', '')).toBe(
      `GET ${path}: 503; next attempt in 3 s (1 of 5)\nrepeated requests 1 time; waited 3 s in all\n`);
    expect(quiet).toMatchObject({ code: 0, err: '' });
  });

  it('is reported before the error of a command that fails', async () => {
    const answer = () => ({ status: 429, headers: { 'retry-after': '3' }, body: 'busy' });
    const { code, err } = await ranIn({ answer, time: fakeTime() }, 'discussions', 'list', '!1', '--retries', '1', '--json=id');
    expect(code).toBe(9);
    const lines = err.trimEnd().split('\n');
    expect(lines.slice(0, -1)).toEqual([
      `GET ${path}: rate limit exceeded (429); next attempt in 3 s (1 of 1)`, 'repeated requests 1 time; waited 3 s in all']);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ error: { code: 'rate_limited' } });
  });
});

/** Everything on stderr after some retries of one request. */
const reported = async (flags: GlobalFlags, ...retries: { reason: string; wait: number }[]): Promise<string> => {
  const { app } = await testApp();
  let err = '';
  const observe = waitReporter({ ...app, err: { ...app.err, write: async (text) => { err += text; } } }, flags);
  observe({ type: 'request', request: 'GET /a' });
  for (const [i, retry] of retries.entries()) {
    observe({ type: 'retry', request: 'GET /a', attempt: i + 2, attempts: 6, ...retry });
    await new Promise((resolve) => { setImmediate(resolve); });
    observe({ type: 'request', request: 'GET /a' });
  }
  return err;
};

describe('the line about a wait', () => {
  it.each([
    ['status 429', 30_000, 'GET /a: rate limit exceeded (429); next attempt in 30 s (1 of 5)\n'],
    ['status 503', 2_001, 'GET /a: 503; next attempt in 3 s (1 of 5)\n'],
    ['ECONNRESET', 2_400, 'GET /a: cannot reach the service (ECONNRESET); next attempt in 3 s (1 of 5)\n'],
    ['status 503', 2_000, ''],
  ])('names the failure, the time and the attempt: %s for %i ms', async (reason, wait, line) => {
    expect(await reported({}, { reason, wait })).toBe(line);
  });

  it('follows an attempt of five seconds, however short the wait is', async () => {
    const { app } = await testApp();
    const lines: string[] = [];
    let now = 0;
    const write = async (text: string) => { lines.push(text); };
    const observe = waitReporter({ ...app, elapsed: () => now, err: { ...app.err, write } }, {});
    for (const [attempt, took] of [[2, 30_000], [3, 5_000], [4, 4_999]] as const) {
      observe({ type: 'request', request: 'GET /a' });
      now += took;
      observe({ type: 'retry', request: 'GET /a', attempt, attempts: 6, wait: 200, reason: 'UND_ERR_HEADERS_TIMEOUT' });
      await new Promise((resolve) => { setImmediate(resolve); });
    }
    expect(lines).toEqual([1, 2].map((number) => `GET /a: no response in time; next attempt in 0.2 s (${number} of 5)\n`));
    expect(app.activity.waits.isReported).toBe(false);
  });

  it('counts attempts, not only the first', async () => {
    expect(await reported({}, { reason: 'status 502', wait: 200 }, { reason: 'status 503', wait: 8_000 }))
      .toBe('GET /a: 503; next attempt in 8 s (2 of 5)\n');
  });
});

const bytes = Buffer.concat([images.png, Buffer.alloc(41_000)]);
const world: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'logo.png': bytes } };
const set = ['appearance', 'set', '--logo', 'logo.png'];
const form = ['api', 'PUT', 'application/appearance', '--form', 'logo=@logo.png'];

describe('an upload', () => {
  it('shows its progress on a terminal, and clears it at the end', async () => {
    expect((await ranIn({ ...world, terminal: true }, ...set)).err)
      .toBe('\rsending 42 kB …\x1b[K\r\x1b[K+ logo: (empty) → logo.png (41070 bytes, sha256 34f1937d)\nchanged 1 field on http://service.test\n');
    expect((await ranIn({ ...world, terminal: true }, ...form)).err).toMatch(/^\rsending 4\d kB …\x1b\[K\r\x1b\[K$/);
  });

  it('clears its progress before it reports an error', async () => {
    const answer = () => ({ status: 413, headers: {}, body: '' });
    expect((await ranIn({ ...world, terminal: true, answer }, ...set)).err).toMatch(/^\rsending 42 kB …\x1b\[K\r\x1b\[Kcolloquy: /);
  });

  it('shows no progress in a pipe, with --quiet, with --dry-run, or without a file', async () => {
    expect((await ranIn(world, ...set)).err).toBe('+ logo: (empty) → logo.png (41070 bytes, sha256 34f1937d)\nchanged 1 field on http://service.test\n');
    expect((await ranIn({ ...world, terminal: true }, ...set, '--quiet')).err).toBe('');
    expect((await ranIn({ ...world, terminal: true }, ...set, '--dry-run')).err).toBe('+ logo: (empty) → logo.png (41070 bytes, sha256 34f1937d)\nwould change 1 field on http://service.test\n');
    expect((await ranIn({ ...world, terminal: true }, 'appearance', 'set', '--title', 'A')).err).toBe(
      '+ title: (empty) → "A"\nchanged 1 field on http://service.test\n');
  });
});
