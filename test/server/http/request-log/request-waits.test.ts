import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../../../src/server/index.js';
import { testService } from '../../../support/service.js';

describe('a request that waits', () => {
  it.each(['/-/requests', '/-/hooks'])('rejects the caller after a hundred waiting ones, as %s does', async (path) => {
    const { get, close } = await testService();
    const waiting = Array.from({ length: 100 }, () => get(`${path}?wait=300`));
    await expect.poll(async () => (await get(`${path}?wait=0.01`)).status).toBe(503);
    await close();
    for (const { status, body } of await Promise.all(waiting)) expect({ status, body }).toEqual({ status: 200, body: [] });
  });

  it('leaves its place to others when its caller disconnects', async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const leaving = new AbortController();
    const wait = (seconds: number, signal?: AbortSignal) => fetch(`${server.url}/-/requests?wait=${seconds}`, { ...signal && { signal } });
    const waiting = Array.from({ length: 100 }, () => wait(300, leaving.signal).catch((error: unknown) => error));
    await expect.poll(async () => (await wait(0.01)).status).toBe(503);
    leaving.abort();
    await Promise.all(waiting);
    await expect.poll(async () => (await wait(0.01)).status).toBe(200);
  });
});
