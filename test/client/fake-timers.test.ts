import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openService, startServer, type ServerOptions } from '../../src/server/index.js';
import { createClient } from '../../src/client/client.js';
import { defaultRetry } from '../../src/client/retry.js';
import type { ClientOptions } from '../../src/client/options.js';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const retry = { ...defaultRetry, firstWait: 10 };

const inProcess = async (options: ServerOptions) => {
  const service = await openService(options);
  return { service, connection: { url: 'http://service.test', transport: service.handle } };
};

const overSocket = (http: 'node' | 'undici') => async (options: ServerOptions) => {
  const service = await startServer(options);
  return { service, connection: { url: service.url, http } };
};

const ways: readonly (readonly [string, (options: ServerOptions) => Promise<{
  readonly service: Awaited<ReturnType<typeof startServer>>; readonly connection: ClientOptions;
}>])[] = [['in process', inProcess], ['through undici', overSocket('undici')], ['through node:http', overSocket('node')]];

/** With the defaults of `vi.useFakeTimers`, and without advancing them. */
describe.each(ways)('with fake timers, %s', (_, start) => {
  const over = async (options: ServerOptions = {}, own: Partial<ClientOptions> = {}) => {
    const { service, connection } = await start(options);
    return { service, client: createClient({ ...connection, token: 'ada-token', retry, ...own }) };
  };

  it('lists, writes, waits, retries and closes', async () => {
    const { client, service } = await over({ latency: 5, faults: ['GET /projects/*/issues/7 => status 503 times=2'] });
    const issue = { id: 'acme/app', noteable_id: 7 };
    for (let i = 0; i < 3; i++) await client.notes.issue.create({ ...issue, body: `note ${i}` });
    await Promise.all(Array.from({ length: 10 }, (_unused, i) => client.notes.issue.create({ ...issue, body: `more ${i}` })));
    expect((await client.notes.issue.list({ ...issue, per_page: 3 }).all()).length).toBeGreaterThan(13);
    expect((await client.lookups.issue({ id: 'acme/app', iid: 7 })).iid).toBe(7);
    expect(await service.requests({ method: 'DELETE', timeout: 20 })).toEqual([]);
    await service.snapshot('before');
    await service.restore('before');
    await service.reset();
    await service.close();
  });

  it('ends a request that takes longer than the timeout', async () => {
    const { client, service } = await over({ faults: ['GET /version => stall 60000'] }, { timeout: 400, retry: { ...retry, retries: 0 } });
    // A busy machine may take that long to connect.
    await expect(client.lookups.version({})).rejects.toMatchObject({
      code: expect.stringMatching(/^UND_ERR_(CONNECT|HEADERS)_TIMEOUT$/) as string,
    });
    await service.close();
  });
});
