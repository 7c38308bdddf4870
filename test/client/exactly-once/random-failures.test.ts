import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { defaultRetry } from '../../../src/client/retry.js';
import type { CallOptions } from '../../../src/client/options.js';
import { realTime } from '../../../src/wire/time.js';
import { startServer, type RunningServer } from '../../../src/server/index.js';
import { readMarker } from '../../../src/wire/note-text.js';
import { unreliableProxy } from '../../support/unreliable-proxy.js';
import { acme, threads } from '../../support/worlds.js';

/** The faults of the test server that can lose a request or its response. */
const faults = [
  'status 500', 'status 500 after', 'status 502 after', 'status 503', 'status 504 after', 'reset', 'reset after', 'truncate', 'garble', 'late 20',
  'status 429', 'status 429 after', 'rate-limit 1',
];

/** Waits a twentieth of the time, as do the late changes of the service. */
const time = { ...realTime, sleep: (ms: number, signal?: AbortSignal) => realTime.sleep(ms / 20, signal) };
const retry = { ...defaultRetry, retries: 10, totalWait: 600_000, serverErrors: true };

describe('with 30 % of all requests failing at random', () => {
  let server: RunningServer;
  beforeAll(async () => { server = await startServer({ world: acme }); });
  afterAll(() => server.close());

  const issue = { id: 'acme/app', noteable_id: 1 };
  const clientAt = (url: string) => createClient({ url, token: 'developer-token', once: 'marker', retry, time });

  /** Creates comments, threads and replies at the same time. */
  const createAll = async (url: string, count: number, optionsOf: (text: string) => CallOptions = () => ({})) => {
    const client = clientAt(url);
    const create = (index: number) => {
      const body = `note ${index}`;
      const options = optionsOf(body);
      if (index % 3 === 0) return client.notes.issue.create({ ...issue, body }, options);
      if (index % 3 === 1) return client.discussions.issue.create({ ...issue, body }, options);
      return client.discussions.issue.addNote({ ...issue, discussion_id: threads.issue, body }, options);
    };
    await Promise.all(Array.from({ length: count }, (_, index) => create(index)));
  };

  const expectEachOnce = async (base: string, count: number) => {
    const discussions = await createClient({ url: base, token: 'developer-token' }).discussions.issue.list(issue).all();
    const texts = discussions.flatMap(({ notes }) => notes.map(({ body }) => readMarker(body).text)).filter((text) => /^note \d+$/.test(text));
    expect(texts.toSorted()).toEqual(Array.from({ length: count }, (_, index) => `note ${index}`).toSorted());
  };

  it.each([1, 2])('by faults of the server, every note exists once (seed %i)', async (seed) => {
    const world = server.worldUrl(`faults-${seed}`);
    const rules = faults.map((action) => ({ on: '*', do: action, probability: 0.3 / faults.length }));
    await fetch(`${world}/-/faults`, { method: 'PUT', body: JSON.stringify({ seed, rules }) });
    await createAll(world, 60);
    const { rules: counted } = await (await fetch(`${world}/-/faults`)).json() as { rules: { hits: number }[] };
    expect(counted.reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(20);
    await fetch(`${world}/-/faults`, { method: 'DELETE' });
    await expectEachOnce(world, 60);
  }, 60_000);

  it.each([1, 2])('on a proxy, every note exists once (seed %i)', async (seed) => {
    const world = server.worldUrl(`proxy-${seed}`);
    const proxy = await unreliableProxy(world, 0.3, seed);
    await createAll(proxy.url, 60);
    expect(proxy.hits()).toBeGreaterThan(20);
    await proxy.close();
    await expectEachOnce(world, 60);
  }, 60_000);

  it('and two programs with the same keys, every note exists once', async () => {
    const world = server.worldUrl('keys');
    const proxy = await unreliableProxy(world, 0.3, 3);
    await Promise.all([1, 2].map(() => createAll(proxy.url, 45, (text) => ({ key: text }))));
    await proxy.close();
    await expectEachOnce(world, 45);
  }, 60_000);
});
