/**
 * A hierarchy of epics: `epics tree` with the list of the group and without it, compared with a walk that requests the
 * children of one epic after the other. The service delays each response by 20 ms. Arguments: number of epics, default
 * 1,000, and rounds, default 1. A walk over 5,000 epics takes about two minutes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../dist/lib/index.js';
import { started } from './child.mjs';
import { median } from './rounds.mjs';

const [count, rounds] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 1)];
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));

/** Six levels below one epic, each epic with the same number of children; the last ones have none. */
const epics = () => {
  const sizeFor = (children) => [1, 2, 3, 4, 5, 6].reduce((sum, level) => sum + children ** level, 1);
  const width = [2, 3, 4, 5, 6, 7, 8].find((children) => sizeFor(children) >= count);
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1, iid: i + 1, title: `Epic ${i + 1}`, ...(i > 0 && { parent: Math.floor((i - 1) / width) + 1 }),
  }));
};

const world = join(folder, 'world.json');
writeFileSync(world, JSON.stringify({
  users: [{ id: 1, username: 'root', admin: true, token: 'token' }], groups: [{ path: 'acme', epics: epics() }],
}));

const treeOf = (url) => () => {
  const env = {
    PATH: process.env.PATH, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token',
    COLLOQUY_CONFIG_DIR: folder, XDG_STATE_HOME: folder,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath,
    [bin, 'epics', 'tree', '&1', '-g', 'acme', '-o', 'id'], { env, maxBuffer: 2 ** 26 });
  return complete(stdout.toString().trim().split('\n').map(Number), `status ${status}: ${stderr}`);
};

/** The same order as the program: an epic, then what is below each of its children. */
const walk = (url) => async () => {
  const client = createClient({ url, token: 'token' });
  const below = async ({ id, iid }) => {
    const found = [id];
    for (const child of await client.epics.list({ id: 'acme', epic_iid: iid }).all()) found.push(...await below(child));
    return found;
  };
  return complete(await below({ id: 1, iid: 1 }), '');
};

const complete = (ids, reason) => {
  if (ids.length !== count) throw new Error(`${ids.length} epics; ${reason}`);
  return ids.join();
};

const served = (...flags) => started(bin, 'serve', '--latency', '20', '--world', world, '--dialect', 'live', ...flags);
const whole = await served();
const listless = await served('--fault', 'lookups.epics => respond {"status":404,"body":{"error":"404 Not Found"}}');
const times = { 'one after the other': [], 'epics tree': [], 'epics tree without the list': [] };
const cases = [walk(whole.line), treeOf(whole.line), treeOf(listless.line)];
for (let round = 0; round < rounds; round++) {
  const results = [];
  for (const [at, name] of Object.keys(times).entries()) {
    const start = performance.now();
    results.push(await cases[at]());
    times[name].push(performance.now() - start);
  }
  if (new Set(results).size > 1) throw new Error('the trees differ');
}
console.log(`\n${count} epics, 20 ms before each response (Node ${process.version}, ${rounds} rounds)`);
for (const [name, values] of Object.entries(times)) {
  const ratio = median(values.map((value, round) => value / times['one after the other'][round]));
  console.log(`  ${name.padEnd(28)}  ${(median(values) / 1000).toFixed(2).padStart(8)} s  ${ratio.toFixed(3)}`);
}
for (const service of [whole, listless]) await service.stop();
rmSync(folder, { recursive: true });
