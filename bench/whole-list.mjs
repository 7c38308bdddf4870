/**
 * A list of 5,000 threads as lines of JSON, from process to process: the program against a script of @gitbeaker/rest
 * that does the same, over loopback and with 20 ms before each answer. Argument: rounds, 11 if left out.
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

/** Its own rate limit would only measure itself. */
const peer = `
  const { Gitlab } = await import(${JSON.stringify(import.meta.resolve('@gitbeaker/rest'))});
  const service = new Gitlab({ host: process.env.COLLOQUY_URL, token: 'token', rateLimits: { '**': 1e9 } });
  for (const thread of await service.MergeRequestDiscussions.all(1, 12, { perPage: 100 })) {
    process.stdout.write(JSON.stringify(thread) + '\\n');
  }`;

const casesOf = (url) => {
  const env = {
    PATH: process.env.PATH, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token',
    COLLOQUY_CONFIG_DIR: settings, XDG_STATE_HOME: settings,
  };
  const lines = (...args) => () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, maxBuffer: 2 ** 26 });
    const count = stdout.toString('latin1').split('\n').length - 1;
    if (status !== 0 || count !== 5_000) throw new Error(`${count} lines, status ${status}: ${stderr}`);
  };
  return {
    '@gitbeaker/rest': lines('--input-type=module', '-e', peer),
    colloquy: lines(bin, 'discussions', 'list', 'mr/12', '-p', '1', '--all', '-o', 'ndjson'),
    'node -e 0': () => { spawnSync(process.execPath, ['-e', '0'], { env }); },
  };
};

const rounds = Number(process.argv[2] ?? 11);
for (const delay of [0, 20]) {
  const service = await started(stub, String(delay));
  const where = delay === 0 ? 'loopback' : `${delay} ms before each answer`;
  report(`5,000 threads as ndjson, ${where}`, await interleaved(casesOf(service.line), delay === 0 ? rounds : 3));
  await service.stop();
}
rmSync(settings, { recursive: true });
