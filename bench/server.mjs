/**
 * How many requests a second the server answers, for a page of 20 threads with 3 notes each, against bare node:http
 * that answers the same bytes. With wrk where it is installed, else with undici.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { started } from './child.mjs';
import { median } from './rounds.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const rounds = 5;
const seconds = 3;
const connections = 16;

const sha = (number) => number.toString(16).padStart(40, '0');
const notes = (thread) => [1, 2, 3].map((n) =>
  ({ author: 'root', body: `Note ${n} of thread ${thread}, of a length that notes have.` }));
const world = {
  users: [{ id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' }],
  groups: [{ path: 'bench', visibility: 'public' }],
  projects: [{
    path: 'bench/app', visibility: 'public',
    issues: [{
      iid: 1, title: 'Busy', discussions: Array.from({ length: 20 }, (_, i) => ({ id: sha(i), notes: notes(i) })),
    }],
  }],
};

const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const worldFile = join(folder, 'world.json');
writeFileSync(worldFile, JSON.stringify(world));
const served = await started(here('../bin/colloquy.cjs'), 'serve', '--world', worldFile, '--json');
const target = '/api/v4/projects/bench%2Fapp/issues/1/discussions';
const token = { 'private-token': 'root-token' };
const { url } = JSON.parse(served.line);

const answer = await fetch(url + target, { headers: token });
const body = Buffer.from(await answer.arrayBuffer());
if (answer.status !== 200 || JSON.parse(body).length !== 20) throw new Error(`answered ${answer.status}: ${body}`);
const file = join(folder, 'body.json');
writeFileSync(file, body);
const hop = ['connection', 'keep-alive', 'date', 'transfer-encoding'];
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !hop.includes(name)));
const raw = await started(here('./raw.mjs'), file, JSON.stringify(headers));

const withWrk = (base) => {
  const { stdout } = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-H', 'PRIVATE-TOKEN: root-token',
    base + target], { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)[1]);
};

const withUndici = async (base) => {
  const agent = new Agent({ connections });
  const end = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const asked = { origin: base, path: target, method: 'GET', headers: token };
      const { statusCode, body: stream } = await agent.request(asked);
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
      await stream.dump();
      count++;
    }
  }));
  await agent.close();
  return count / seconds;
};

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const measure = hasWrk ? withWrk : withUndici;
const bases = { 'node:http, same bytes': raw.line, colloquy: url };
const rates = { 'node:http, same bytes': [], colloquy: [] };
for (const base of Object.values(bases)) await measure(base);
for (let round = 0; round < rounds; round++) {
  const names = round % 2 ? Object.keys(bases) : Object.keys(bases).reverse();
  for (const name of names) rates[name].push(await measure(bases[name]));
}

const [bare, own] = Object.values(rates);
console.log(`\nA page of 20 threads with 3 notes, ${body.length} bytes, ${connections} connections, ` +
  `${hasWrk ? 'wrk' : 'undici'}, ${rounds} rounds of ${seconds} s (Node ${process.version})`);
for (const [name, values] of Object.entries(rates)) {
  console.log(`  ${name.padEnd(22)} ${median(values).toFixed(0).padStart(7)} req/s`);
}
console.log(`  bare / colloquy        ${median(bare.map((rate, i) => rate / own[i])).toFixed(2).padStart(7)}`);

await raw.stop();
await served.stop();
rmSync(folder, { recursive: true });
