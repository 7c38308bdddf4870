/**
 * The time from the start of a server to its first response, compared with an empty Node.js program. Argument: rounds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started, startedIn } from './child.mjs';
import { interleaved, report } from './rounds.mjs';
import { busyWorld } from './worlds.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const rounds = Number(process.argv[2] ?? 11);
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const data = join(folder, 'store.db');
writeFileSync(join(folder, 'world.json'), JSON.stringify(busyWorld(1_667)));
const filling = await started(bin, 'serve', '--world', join(folder, 'world.json'), '--data', data, '--json');
await filling.stop();

const answered = (url) => new Promise((resolve, reject) => {
  get(url, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
});

const firstAnswer = (env, path, ...args) => async () => {
  const server = await startedIn(env, bin, 'serve', '--json', ...args);
  await answered(`${JSON.parse(server.line).url}${path}?private_token=root-token`);
  void server.kill();
};

const health = '/-/health';

const casesIn = (env) => ({
  'node -e 0': async () => { await once(spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' }), 'exit'); },
  'serve, the demo world in memory': firstAnswer(env, health),
  'serve, a file of 100,000 notes': firstAnswer(env, health, '--data', data),
  'serve, the demo world in memory, the API': firstAnswer(env, '/api/v4/projects/acme%2Fapp/issues'),
});

const own = { PATH: process.env.PATH };
const title = 'From the start of a process to its first response';
report(`${title}, empty environment`, await interleaved(casesIn(own), rounds));
/** Every Node.js process loads NODE_EXTRA_CA_CERTS at start, which slows both sides. */
const { NODE_EXTRA_CA_CERTS } = process.env;
if (NODE_EXTRA_CA_CERTS) {
  report(`${title}, NODE_EXTRA_CA_CERTS`, await interleaved(casesIn({ ...own, NODE_EXTRA_CA_CERTS }), rounds));
}
await new Promise((resolve) => { setTimeout(resolve, 500); });
rmSync(folder, { recursive: true });
