/**
 * 1,000 comments against @gitbeaker/rest, with the same number of requests at once: one and eight on loopback, and
 * eight where each response takes 20 ms. Colloquy sends markers, so that each comment exists exactly once.
 *
 *   node bench/comments.mjs [rounds]
 */
import { fileURLToPath } from 'node:url';
import { Gitlab } from '@gitbeaker/rest';
import { createClient } from '../dist/lib/index.js';
import { started } from './child.mjs';
import { interleaved, repeated, report } from './rounds.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const rounds = Number(process.argv[2] ?? 7);
const token = 'root-token';
const comments = 1_000;

/** Runs the calls in an isolated world and returns a check that all comments are stored. */
const inNewWorld = (server, calls) => {
  let worlds = 0;
  return async () => {
    const url = `${server}/w/${calls.name}-${worlds++}`;
    await calls(url);
    return async () => {
      const notes = await createClient({ url, token }).notes.issue.list({ id: 'acme/app', noteable_id: 8 }).all();
      if (notes.length < comments) throw new Error(`only ${notes.length} of ${comments} comments are stored`);
    };
  };
};

const cases = (server, atOnce) => {
  const gitbeaker = async (url) => {
    /** Without its rate limiter, which would limit the result. */
    const api = new Gitlab({ host: url, token, rateLimits: { '**': 1_000_000_000 } });
    await repeated(comments, atOnce, (index) => api.IssueNotes.create('acme/app', 8, `Comment ${index}.`));
  };
  const colloquy = async (url) => {
    const client = createClient({ url, token, once: 'marker' });
    const place = { id: 'acme/app', noteable_id: 8 };
    await repeated(comments, atOnce, (index) => client.notes.issue.create({ ...place, body: `Comment ${index}.` }));
  };
  return { '@gitbeaker/rest': inNewWorld(server, gitbeaker), colloquy: inNewWorld(server, colloquy) };
};

for (const [delay, atOnce] of [[0, 1], [0, 8], [20, 8]]) {
  const child = await started(bin, 'serve', '--json', '--latency', String(delay));
  const { url } = JSON.parse(child.line);
  const place = delay === 0 ? 'on loopback' : `${delay} ms before each response`;
  const times = await interleaved(cases(url, atOnce), delay === 0 ? rounds : Math.min(rounds, 3));
  report(`1,000 comments, ${atOnce} at a time, ${place}`, times);
  await child.stop();
}
