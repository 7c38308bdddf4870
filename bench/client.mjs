/**
 * The client compared with @gitbeaker/rest and undici, with the same number of requests at once, on loopback and with
 * 20 ms of latency. Argument: rounds, default 7.
 */
import { fileURLToPath } from 'node:url';
import { Gitlab } from '@gitbeaker/rest';
import { Agent } from 'undici';
import { createClient } from '../dist/lib/index.js';
import { started } from './child.mjs';
import { interleaved, repeated, report } from './rounds.mjs';

const stub = fileURLToPath(new URL('./stub.mjs', import.meta.url));
const place = { id: 1, noteable_id: 12 };
const path = '/api/v4/projects/1/merge_requests/12/discussions';

const clients = (url) => {
  const dispatcher = new Agent();
  const clientOf = (pagesAtOnce) => createClient({ url, token: 'token', pagesAtOnce });
  const client = clientOf(1);
  /** Without its rate limiter, which would limit the result. */
  const gitbeaker = new Gitlab({ host: url, token: 'token', rateLimits: { '**': 1_000_000_000 } });
  const json = { 'content-type': 'application/json', 'private-token': 'token' };
  const bare = async (method, target, body) => {
    const answer = await dispatcher.request({ origin: url, path: target, method, headers: json, body });
    return answer.body.json();
  };
  return {
    posts: (times, atOnce) => ({
      'undici, bare': posting(times, atOnce, () => bare('POST', path, '{"body":"A note."}')),
      colloquy: posting(times, atOnce, () => client.discussions.merge_request.create({ ...place, body: 'A note.' })),
      '@gitbeaker/rest': posting(times, atOnce, () => gitbeaker.MergeRequestDiscussions.create(1, 12, 'A note.')),
    }),
    list: (atOnce) => ({
      'undici, bare': async () => complete(await repeated(pages, atOnce, (index) =>
        bare('GET', `${path}?per_page=100&page=${index + 1}`))),
      colloquy: async () => complete([await clientOf(atOnce).discussions.merge_request.list(place).all()]),
      '@gitbeaker/rest': async () => complete(await repeated(pages, atOnce, (index) =>
        gitbeaker.MergeRequestDiscussions.all(1, 12, { perPage: 100, page: index + 1, maxPages: 1 }))),
    }),
  };
};

const posting = (times, atOnce, post) => async () => { await repeated(times, atOnce, post); };

const pages = 50;

const complete = (found) => {
  const { length } = found.flat();
  if (length !== 5_000) throw new Error(`${length} threads arrived`);
};

const most = Number(process.argv[2] ?? 7);
for (const delay of [0, 20]) {
  const service = await started(stub, String(delay));
  const { posts, list } = clients(service.line);
  const where = delay === 0 ? 'loopback' : `${delay} ms before each answer`;
  const rounds = delay === 0 ? most : Math.min(most, 3);
  for (const atOnce of delay === 0 ? [1, 8] : [8]) {
    report(`1,000 posts, ${atOnce} at a time, ${where}`, await interleaved(posts(1_000, atOnce), rounds));
  }
  for (const atOnce of [1, 8]) {
    report(`a list of 5,000 threads, ${atOnce} pages at a time, ${where}`, await interleaved(list(atOnce), rounds));
  }
  await service.stop();
}
process.exit(0);
