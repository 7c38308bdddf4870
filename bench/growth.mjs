/**
 * The cost of each operation as the store grows: with 1,000, 30,000 and 1,000,000 notes. Every run visits the same
 * number of merge requests and epics, spread evenly over the store, so that the caches of the server and the file are
 * alike and only the size differs. First visits are measured last and separately. Each server has its own file; the
 * servers alternate.
 *
 *   node bench/growth.mjs [sizes] [rounds]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { started } from './child.mjs';
import { operations, placesOf } from './growth-operations.mjs';
import { processorTime } from './processor.mjs';
import { median } from './rounds.mjs';
import { reviewWorld, token } from './worlds.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const sizes = (process.argv[2] ?? '1000,30000,1000000').split(',').map(Number);
const rounds = Number(process.argv[3] ?? 9);
const visited = 16;
const times = 48;
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const agent = new Agent({ connections: 1 });
const headers = { ...token, 'content-type': 'application/json' };

const serve = async (data, ...more) => {
  const server = await started(bin, 'serve', '--data', data, '--json', ...more);
  const { url } = JSON.parse(server.line);
  const call = async (method, path, body) => {
    const sent = body && JSON.stringify(body);
    const answer = await agent.request({ origin: url, path: `/api/v4${path}`, method, headers, body: sent });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return { ...server, call };
};

const stores = [];
for (const size of sizes) {
  const count = Math.ceil(size / 60);
  const [world, data] = ['json', 'db'].map((kind) => join(folder, `${size}.${kind}`));
  writeFileSync(world, JSON.stringify(reviewWorld(count)));
  const server = await serve(data, '--world', world);
  rmSync(world);
  const evenly = Array.from({ length: visited }, (_, i) => 1 + Math.floor(i * count / visited));
  const places = await placesOf(server.call, evenly);
  stores.push({ data, server, places });
}

/** The time and processor time of one operation in milliseconds, over all places. */
const measured = async (server, calls) => {
  const [start, spent] = [performance.now(), processorTime(server.pid)];
  for (const call of calls) await call();
  const all = [performance.now() - start, processorTime(server.pid) - spent];
  const [wall, cpu] = all.map((sum) => sum / calls.length);
  return { wall, cpu };
};

const inRounds = async (measure) => {
  const taken = stores.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < stores.length; i++) {
      const turn = (i + round) % stores.length;
      taken[turn].push(await measure(stores[turn], round));
    }
  }
  return taken;
};

const show = (name, taken) => {
  const middle = (kind) => median(taken[0].map((one) => one[kind])).toFixed(2);
  const ratio = (kind, one) => median(one.map((value, round) => value[kind] / taken[0][round][kind])).toFixed(2);
  const others = taken.slice(1).map((one) => `${ratio('cpu', one).padStart(10)} ${ratio('wall', one).padStart(8)}`);
  console.log(`  ${name.padEnd(34)} ${middle('cpu').padStart(6)} ${middle('wall').padStart(6)} ms ${others.join('')}`);
};

console.log(`\nAmong ${sizes.join(', ')} notes: processor time of the server and time, milliseconds among the first,`
  + `\nthen ratios to it (Node ${process.version}, ${rounds} rounds of ${times}, ${visited} places in turn)`);
for (const [name, operation] of Object.entries(operations)) {
  const once = async ({ server, places }, round) => {
    const calls = [];
    for (let i = 0; i < times; i++) calls.push(await operation(server.call, places[i % visited], round * times + i));
    return measured(server, calls);
  };
  for (let turn = 0; turn < 5; turn++) for (const store of stores) await once(store, rounds + turn);
  show(name, await inRounds(once));
}

/** A new server has nothing cached; one place warms up its code, and every other is visited once. */
const firstVisits = (operation) => async ({ data, places }) => {
  const server = await serve(data);
  for (let i = 0; i < 200; i++) await (await operation(server.call, places[0], i))();
  const calls = [];
  for (const place of places.slice(1)) calls.push(await operation(server.call, place, 0));
  const taken = await measured(server, calls);
  await server.stop();
  return taken;
};
for (const { server } of stores) await server.stop();
for (const name of ['an uncached list', 'a thread started']) {
  show(`first visit: ${name}`, await inRounds(firstVisits(operations[name])));
}
await agent.close();
rmSync(folder, { recursive: true });
