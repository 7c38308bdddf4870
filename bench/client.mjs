/** The client compared with @gitbeaker/rest and undici, on loopback and with 20 ms of latency. */
import { fileURLToPath } from 'node:url';
import { Gitlab } from '@gitbeaker/rest';
import { Agent } from 'undici';
import { createClient } from '../dist/lib/index.js';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';

const stub = fileURLToPath(new URL('./stub.mjs', import.meta.url));
const place = { id: 1, noteable_id: 12 };
const path = '/api/v4/projects/1/merge_requests/12/discussions';

/** Runs a call repeatedly with limited concurrency. */
const repeated = (times, atOnce, call) => async () => {
  let left = times;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (left-- > 0) await call();
  }));
};

const clients = (url) => {
  const dispatcher = new Agent();
  const client = createClient({ url, token: 'token' });
  /** Without its rate limiter, which would limit the result. */
  const gitbeaker = new Gitlab({ host: url, token: 'token', rateLimits: { '**': 1_000_000_000 } });
  const json = { 'content-type': 'application/json', 'private-token': 'token' };
  const bare = async (method, target, body) => {
    const answer = await dispatcher.request({ origin: url, path: target, method, headers: json, body });
    return answer.body.json();
  };
  return {
    posts: (times, atOnce) => ({
      'undici, bare': repeated(times, atOnce, () => bare('POST', path, '{"body":"A note."}')),
      colloquy: repeated(times, atOnce, () => client.discussions.merge_request.create({ ...place, body: 'A note.' })),
      '@gitbeaker/rest': repeated(times, atOnce, () => gitbeaker.MergeRequestDiscussions.create(1, 12, 'A note.')),
    }),
    list: {
      'undici, bare': async () => {
        const items = [];
        for (let page = 1; page <= 50; page++) items.push(...await bare('GET', `${path}?per_page=100&page=${page}`));
        return complete(items);
      },
      colloquy: async () => complete(await client.discussions.merge_request.list(place).all()),
      '@gitbeaker/rest': async () => complete(await gitbeaker.MergeRequestDiscussions.all(1, 12, { perPage: 100 })),
    },
  };
};

const complete = (items) => {
  if (items.length !== 5_000) throw new Error(`${items.length} threads arrived`);
};

for (const delay of [0, 20]) {
  const service = await started(stub, String(delay));
  const { posts, list } = clients(service.line);
  const with_ = delay === 0 ? 'loopback' : `${delay} ms before each answer`;
  const rounds = delay === 0 ? 7 : 3;
  if (delay === 0) report(`1,000 posts, one at a time, ${with_}`, await interleaved(posts(1_000, 1), rounds));
  report(`1,000 posts, eight at a time, ${with_}`, await interleaved(posts(1_000, 8), rounds));
  report(`a list of 5,000 threads, ${with_}`, await interleaved(list, rounds));
  await service.stop();
}
process.exit(0);
