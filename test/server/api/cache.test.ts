import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { createResponseCache } from '../../../src/server/api/cache.js';
import { newTrace } from '../../../src/server/http/request-log.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { runsOf } from '../../support/extent.js';
import { gated } from '../../support/gated-store.js';
import { start, testService, type TestService } from '../../support/service.js';
import { newStore } from '../../support/stores.js';
import { threads } from '../../support/worlds.js';

const mergeRequest = '/projects/20/merge_requests/1/discussions';
const issue = '/projects/20/issues/1/discussions';

describe('a conditional request', () => {
  it('gets 304 while nothing changed, and a new response after a change', async () => {
    const { get, post } = await testService();
    const { headers: { etag } } = await get(issue);
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    const headers = { 'if-none-match': `"other", ${etag}` };
    expect(await get(issue, { headers })).toMatchObject({ status: 304, text: '', headers: { etag } });
    await post(issue, { json: { body: 'new' } });
    const changed = await get(issue, { headers });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('also works for uncached responses', async () => {
    const { get } = await testService();
    const { headers: { etag } } = await get('/projects/20');
    expect((await get('/projects/20', { headers: { 'if-none-match': etag! } })).status).toBe(304);
  });
});

describe('a cached response', () => {
  it('is for its caller alone', async () => {
    const { get } = await testService();
    expect((await get(issue)).status).toBe(200);
    expect((await get(issue, { as: 'outsider' })).status).toBe(404);
    expect((await get(issue, { as: null })).status).toBe(401);
    expect((await get(issue, { as: null, headers: { authorization: 'Bearer developer-token' } })).status).toBe(200);
  });

  it('ends with the token it was made for', async () => {
    const world = { users: [{ username: 'ada', tokens: [{ token: 'ada-token', expires_at: '2024-05-02' }] }],
      projects: [{ id: 1, path: 'a/b', visibility: 'public' as const, issues: [{ iid: 1 }] }] };
    const { get, later } = await testService({ world });
    const path = '/projects/1/issues/1/discussions';
    expect((await get(path, { as: 'ada' })).status).toBe(200);
    later(24 * 3_600_000);
    expect((await get(path, { as: 'ada' })).status).toBe(401);
  });

  it('does not outlive the world', async () => {
    const { get, call } = await testService();
    await get(issue);
    await call('PUT', '/-/world', { body: 'users: [{ username: developer, token: developer-token }]' });
    expect((await get(issue)).status).toBe(404);
  });
});

it('keeps the response that was made while an older one was validated', async () => {
  const { database, through } = await gated();
  const cache = createResponseCache(database);
  const grounds = { noteable: 1, version: 1, epoch: '', trace: newTrace(), until: null };
  const answered = (body: string) => ({ status: 200, headers: {}, body });
  const find = async () => (await Promise.all([cache.find('key', new Date(start)), through()]))[0]?.response.body;
  await database.write((queries) => queries.run(`INSERT INTO meta (name, value) VALUES ('epoch', '')`));
  cache.store('key', answered('older'), grounds, null);
  const looking = find();
  cache.store('key', answered('newer'), grounds, null);
  expect(await looking).toBe('older');
  expect(await find()).toBe('newer');
  await database.close();
});

type Step = (a: TestService, b: TestService) => Promise<unknown>;
const through = (left: boolean, a: TestService, b: TestService) => left ? a : b;

const step: fc.Arbitrary<Step> = fc.tuple(fc.boolean(), fc.oneof(
  fc.string({ minLength: 1 }).map((body): ((s: TestService) => Promise<unknown>) => (s) => s.post(mergeRequest, { json: { body } })),
  fc.string().map((body) => (s: TestService) => s.post(`${mergeRequest}/${threads.thread}/notes`, { json: { body } })),
  fc.boolean().map((resolved) => (s: TestService) => s.put(`${mergeRequest}/${threads.thread}`, { json: { resolved } })),
  fc.string().map((body) => (s: TestService) => s.put(`${mergeRequest}/${threads.thread}/notes/121`, { json: { body } })),
  fc.constant((s: TestService) => s.post(`${issue}/${threads.comment}/notes`, { json: { body: 'x' } })),
  fc.nat().map((n) => async (s: TestService) => {
    const { body } = await s.get<Discussion[]>(mergeRequest);
    const thread = body[n % body.length];
    return thread && s.delete(`${mergeRequest}/${thread.id}/notes/${thread.notes[0]!.id}`, { as: 'owner' });
  }),
)).map(([left, act]) => (a, b) => act(through(left, a, b)));

/** Reads that are asked of a service with a warm cache, and of a fresh one on the same file. */
const reads = [mergeRequest, `${mergeRequest}?per_page=2`, `${mergeRequest}?per_page=2&page=2`, `${mergeRequest}/${threads.thread}`,
  issue, '/projects/20/merge_requests/1/notes', `${issue}/${threads.comment}/notes`];

/** What is stored of each note as JSON equals what is made of its columns. */
const madeAnewIsTheSame = async (data: string) => {
  const answers = async () => {
    const service = await testService({ data });
    const texts = await Promise.all(reads.map(async (path) => (await service.get(path)).text));
    await service.close();
    return texts;
  };
  const stored = await answers();
  const database = await openDatabase({ file: data });
  await database.write((queries) => queries.run('UPDATE notes SET fragment = NULL'));
  await database.close();
  expect(await answers()).toEqual(stored);
};

describe('the cached response', () => {
  it('equals the freshly built one after any sequence of writes, through any process', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const data = await newStore();
      const [a, b] = [await testService({ data }), await testService({ data })];
      for (const act of [async () => undefined, ...steps] as Step[]) {
        await act(a, b);
        const fresh = await testService({ data });
        for (const path of reads) {
          const expected = await fresh.get(path);
          for (const service of [a, b]) {
            const got = await service.get(path);
            expect([got.status, got.headers['link'], got.headers['etag'], got.text])
              .toEqual([expected.status, expected.headers['link'], expected.headers['etag'], expected.text]);
          }
        }
        await fresh.close();
      }
      await a.close();
      await b.close();
      await madeAnewIsTheSame(data);
    }), { numRuns: runsOf(15) });
  }, 300_000);
});
