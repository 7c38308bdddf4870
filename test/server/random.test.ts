import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openService, type ServerOptions } from '../../src/server/index.js';
import { createRandom, randomHex } from '../../src/server/random.js';
import { testService } from '../support/service.js';
import { acme } from '../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';
const options: ServerOptions = { seed: 7, hex: randomHex };

interface Thread { readonly id: string }

/** The ids of new threads and of their requests. */
const idsOf = async ({ post }: Awaited<ReturnType<typeof testService>>, count = 3) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { body, headers } = await post<Thread>(issue, { json: { body: 'x' } });
    ids.push(body.id, headers['x-request-id']!);
  }
  return ids;
};

it('the streams of a seed continue from an earlier position', () => {
  const random = createRandom(7);
  random.restart(5);
  random.hex(40);
  const position = random.position();
  const next = [random.hex(40), random.requestHex(32)];
  random.restart();
  random.hex(40);
  random.restore(position);
  expect([random.hex(40), random.requestHex(32)]).toEqual(next);
  random.restore(position);
  expect(random.hex(40)).toBe(next[0]);
});

describe('a seed', () => {
  it('makes ids of threads and requests repeatable', async () => {
    const ids = await idsOf(await testService(options));
    expect(new Set(ids).size).toBe(6);
    expect(ids[0]).toMatch(/^[0-9a-f]{40}$/);
    expect(await idsOf(await testService(options))).toEqual(ids);
    expect(await idsOf(await testService({ ...options, seed: 8 }))).not.toEqual(ids);
  });

  it('gives the same ids again after a reset', async () => {
    const service = await testService(options);
    const ids = await idsOf(service);
    await service.post('/-/reset');
    expect(await idsOf(service)).toEqual(ids);
  });

  it('gives ids of threads that do not depend on reads, and of requests that do not depend on the control plane', async () => {
    const ids = await idsOf(await testService(options));
    const service = await testService(options);
    await service.get('/-/health');
    expect(await idsOf(service, 1)).toEqual(ids.slice(0, 2));
    await service.get('/user');
    expect((await idsOf(service, 1))[0]).toBe(ids[2]);
  });

  it('does not serve cached responses from before a reset', async () => {
    const service = await testService(options);
    const first = await service.post<Thread>(issue, { json: { body: 'first' } });
    expect((await service.get(issue)).text).toContain('first');
    await service.post('/-/reset');
    const second = await service.post<Thread>(issue, { json: { body: 'second' } });
    expect(second.body.id).toBe(first.body.id);
    expect((await service.get(issue)).text).not.toContain('first');
  });

  it('gives no id again that a stored thread has', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-seed-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ids: string[] = [];
    for (let run = 0; run < 2; run++) {
      const service = await openService({ world: acme, data: join(folder, 'data.db'), seed: 7 });
      const { body } = await service.handle({
        method: 'POST', target: `/api/v4${issue}`, body: '{"body":"x"}',
        headers: { 'private-token': 'developer-token', 'content-type': 'application/json' },
      });
      ids.push((JSON.parse(String(body)) as Thread).id);
      await service.close();
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('makes fresh tokens repeatable', async () => {
    const tokens = await Promise.all([7, 7, 8].map(async (seed) => {
      const service = await openService({ seed, host: '0.0.0.0' });
      await service.close();
      return service.tokens['root'];
    }));
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });
});
