/**
 * Processes that write parts of one comment at once, while the server answers each request after 0 to 1,500 ms:
 * `notes upsert --section`, then `--mode append`. Exits with 1 if a part is lost or doubled, if there is not exactly
 * one comment, or if a process fails. Takes about half an hour.
 *
 *   node bench/sections.mjs [rounds] [writers] [section,append]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '../dist/lib/index.js';
import { started } from './child.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const token = 'root-token';
const rounds = Number(process.argv[2] ?? 20);
const writers = Number(process.argv[3] ?? 16);
const modes = (process.argv[4] ?? 'section,append').split(',');

const env = (url, job) => ({
  PATH: process.env.PATH, HOME: process.env.HOME, XDG_STATE_HOME: '/nonexistent', CI: 'true', CI_PIPELINE_IID: '7',
  CI_JOB_ID: String(100 + job), COLLOQUY_URL: url, COLLOQUY_TOKEN: token, COLLOQUY_PROJECT: 'acme/app',
});

const textOf = (job) => `Result of job ${job}.`;

const fixed = ['notes', 'upsert', 'issue/7', '--key', 'bench', '--quiet', '-o', 'id'];
const wordsFor = { section: (job) => ['--section', `job ${job}`], append: () => ['--mode', 'append'] };

/** The exit code and the seconds of one process. */
const run = async (url, mode, job) => {
  const start = performance.now();
  const words = [...fixed, '-m', textOf(job), ...wordsFor[mode](job)];
  const stdio = ['ignore', 'ignore', 'inherit'];
  const child = spawn(process.execPath, [bin, ...words], { env: env(url, job), stdio });
  const [code] = await once(child, 'close');
  return { code, seconds: (performance.now() - start) / 1_000 };
};

const commentsAt = async (url) => {
  const { discussions } = createClient({ url, token });
  const threads = await discussions.issue.list({ id: 'acme/app', noteable_id: 7 }).all();
  const bodies = threads.flatMap(({ notes }) => notes).map(({ body }) => body);
  return bodies.filter((body) => body.includes('colloquy:key=bench'));
};

const count = (text, part) => text.split(`${part}\n`).length - 1;

/** In an isolated world. */
const round = async (server, mode, seed) => {
  const url = `${server}/w/${mode}-${seed}`;
  const rules = [{ on: '*', do: 'latency 0..1500' }];
  await fetch(`${url}/-/faults`, { method: 'PUT', body: JSON.stringify({ seed, rules }) });
  const jobs = Array.from({ length: writers }, (_, job) => job + 1);
  const ended = await Promise.all(jobs.map((job) => run(url, mode, job)));
  await fetch(`${url}/-/faults`, { method: 'DELETE' });
  const comments = await commentsAt(url);
  const counts = jobs.map((job) => count(comments.join('\n'), textOf(job)));
  const seconds = ended.map((one) => one.seconds).toSorted((a, b) => a - b);
  return {
    comments: comments.length, lost: counts.filter((times) => times === 0).length,
    doubled: counts.filter((times) => times > 1).length, failed: ended.filter(({ code }) => code !== 0).length,
    median: seconds[seconds.length >> 1], slowest: seconds.at(-1),
  };
};

let problems = 0;

const report = (mode, seed, { comments, lost, doubled, failed, median, slowest }) => {
  problems += Math.abs(comments - 1) + lost + doubled + failed;
  const outcome = `${writers - lost} of ${writers} parts  ${comments} comment  ${doubled} doubled  ${failed} failed`;
  const times = `median ${median.toFixed(1)} s  slowest ${slowest.toFixed(1)} s`;
  console.log(`${mode.padEnd(8)} round ${String(seed).padStart(2)}  ${outcome}  ${times}`);
};

const child = await started(bin, 'serve', '--json');
try {
  const { url } = JSON.parse(child.line);
  for (const mode of modes) {
    for (let seed = 1; seed <= rounds; seed++) report(mode, seed, await round(url, mode, seed));
  }
} finally {
  await child.stop();
}
console.log(problems === 0 ? 'every part is there, in one comment' : `${problems} problems`);
process.exitCode = problems === 0 ? 0 : 1;
