/**
 * A list of 5,000 threads as lines of JSON, from process to process: the program compared with a script of
 * @gitbeaker/rest, on loopback and with 20 ms of latency. The script requests as many pages at once as the program may:
 * 25. The lower bound is a script that requests the pages with node:http and prints their bytes. Argument: rounds,
 * default 11.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';

const [bin, stub] = ['../bin/colloquy.cjs', './stub.mjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const settings = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));

const atOnce = 25;

/** Without its rate limiter, which would limit the result. */
const peer = `
  const { repeated } = await import(${JSON.stringify(import.meta.resolve('./rounds.mjs'))});
  const { Gitlab } = await import(${JSON.stringify(import.meta.resolve('@gitbeaker/rest'))});
  const service = new Gitlab({ host: process.env.COLLOQUY_URL, token: 'token', rateLimits: { '**': 1e9 } });
  const pages = await repeated(50, ${atOnce}, (index) =>
    service.MergeRequestDiscussions.all(1, 12, { perPage: 100, page: index + 1, maxPages: 1 }));
  for (const thread of pages.flat()) process.stdout.write(JSON.stringify(thread) + '\\n');`;

const bare = `
  const { Agent, get } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: ${atOnce} });
  const list = process.env.COLLOQUY_URL + '/api/v4/projects/1/merge_requests/12/discussions?per_page=100&page=';
  const page = (number) => new Promise((resolve) => {
    get(list + number, { agent }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece)).on('end', () => { resolve(Buffer.concat(pieces)); });
    });
  });
  process.stdout.write(await page(1));
  for (const body of Array.from({ length: 49 }, (_, index) => page(index + 2))) process.stdout.write(await body);
  agent.destroy();`;

const casesOf = (url) => {
  const env = {
    PATH: process.env.PATH, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token',
    COLLOQUY_CONFIG_DIR: settings, XDG_STATE_HOME: settings,
  };
  const threads = (...args) => () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, maxBuffer: 2 ** 26 });
    return () => {
      const count = stdout.toString('latin1').split('"individual_note"').length - 1;
      if (status !== 0 || count !== 5_000) throw new Error(`${count} threads, status ${status}: ${stderr}`);
    };
  };
  return {
    '@gitbeaker/rest': threads('--input-type=module', '-e', peer),
    'bare node:http': threads('--input-type=module', '-e', bare),
    colloquy: threads(bin, 'discussions', 'list', 'mr/12', '-p', '1', '--all', '-o', 'ndjson'),
    'node -e 0': () => { spawnSync(process.execPath, ['-e', '0'], { env }); },
  };
};

const rounds = Number(process.argv[2] ?? 11);
for (const delay of [0, 20]) {
  const service = await started(stub, String(delay));
  const where = delay === 0 ? 'loopback' : `${delay} ms before each answer`;
  const times = await interleaved(casesOf(service.line), delay === 0 ? rounds : Math.min(rounds, 3));
  report(`5,000 threads as ndjson, ${where}`, times);
  await service.stop();
}
rmSync(settings, { recursive: true });
