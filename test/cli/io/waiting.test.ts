import { describe, expect, it } from 'vitest';
import { retryProgress } from '../../../src/cli/io/progress.js';
import { ranIn, testApp, type WorldOptions } from '../../support/app.js';

const list = ['discussions', 'list', '!1', '-o', 'id'];

/** A service that is busy once. */
const busyOnce = (): WorldOptions => {
  let asked = 0;
  return { answer: () => asked++ === 0 ? { status: 503, headers: { 'retry-after': '0' }, body: 'busy' } : undefined };
};

describe('a retried request', () => {
  it('shows the wait and its length on a terminal, and clears that when it is sent', async () => {
    const { code, err } = await ranIn({ ...busyOnce(), terminal: true }, ...list);
    expect(code).toBe(0);
    expect(err).toMatch(/^\rthe service is busy \(503\); retrying in [\d.]+ s …\x1b\[K\r\x1b\[K$/);
  });

  it('shows nothing in a pipe or with --quiet', async () => {
    expect(await ranIn(busyOnce(), ...list)).toMatchObject({ code: 0, err: '' });
    expect(await ranIn({ ...busyOnce(), terminal: true }, ...list, '--quiet')).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    ['status 429', 3_000, 'the service is busy (429); retrying in 3 s …'],
    ['status 503', 1_200, 'the service is busy (503); retrying in 2 s …'],
    ['ECONNREFUSED', 240, 'cannot reach the service (ECONNREFUSED); retrying in 0.2 s …'],
  ])('names the reason: %s for %i ms', async (reason, wait, said) => {
    const { app } = await testApp({ terminal: true });
    let err = '';
    const observe = retryProgress({ ...app, err: { ...app.err, write: async (text) => { err += text; } } }, {});
    observe({ type: 'request', request: 'GET /a' });
    expect(err).toBe('');
    observe({ type: 'retry', request: 'GET /a', attempt: 2, wait, reason });
    expect(err).toBe(`\r${said}\x1b[K`);
    observe({ type: 'request', request: 'GET /b' });
    expect(err).toBe(`\r${said}\x1b[K`);
    observe({ type: 'request', request: 'GET /a' });
    await Promise.resolve();
    expect(err).toBe(`\r${said}\x1b[K\r\x1b[K`);
  });
});
