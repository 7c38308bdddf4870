import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openService, type ServerOptions } from '../../src/server/index.js';
import { createRandom, randomHex } from '../../src/server/random.js';
import type { PushResult } from '../../src/server/handlers/pushes/push.js';
import { diff, discussions, mergeRequest, pushWorld } from '../support/pushes.js';
import { testService } from '../support/service.js';
import { newStore } from '../support/stores.js';
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

  it('gives servers on one store different threads and commits', async () => {
    const data = await newStore();
    const services = [await testService({ ...options, data, world: pushWorld }), await testService({ ...options, data, world: pushWorld })];
    const heads = new Set<string>();
    for (const { post, put } of services) {
      await post(discussions, { json: { body: 'x' } });
      await post(`${mergeRequest}/notes`, { json: { body: 'x' } });
      await put(mergeRequest, { json: { title: `Title ${heads.size}` } });
      const pushed = await post<PushResult>('/-/push', { json: { project: 'acme/app', merge_request: 1, diff } });
      expect(pushed.status).toBe(201);
      heads.add(pushed.body.head_sha);
    }
    const { status, body } = await services[0]!.get<Thread[]>(discussions);
    expect([status, body.length, new Set(body.map(({ id }) => id)).size, heads.size]).toEqual([200, 8, 8, 2]);
  });

  it('gives the threads and commits of a world ids that no other one has', async () => {
    const service = await openService({ ...options, world: { projects: [{ issues: [{ discussions: [{}, {}] }], commits: [{}, {}] }] } });
    onTestFinished(service.close);
    const { projects: [project] = [], ...rest } = await service.world();
    const { issues: [one] = [], commits = [] } = project!;
    const withMore = { ...one!, discussions: [{}, {}, ...one!.discussions!] };
    await service.setWorld({ ...rest, projects: [{ ...project!, issues: [withMore], commits: [{}, {}, ...commits] }] });
    const [after] = (await service.world()).projects!;
    expect(new Set(after!.issues![0]!.discussions!.map(({ id }) => id)).size).toBe(4);
    expect(new Set(after!.commits!.map(({ sha }) => sha)).size).toBe(4);
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
