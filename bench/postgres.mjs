/**
 * The throughput of one and two server processes on one PostgreSQL, and the cost of a request in each process.
 * PostgreSQL, the servers and the load generator share this machine, so the processor time per request is more
 * meaningful than the rates. With too few cores, each server is limited to a share of a core to compare one with two.
 * Ends with the tables of docs/performance.md.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import pg from 'pg';
import { started } from './child.mjs';
import { compare, rate } from './load.mjs';
import { holdTo, memoryOf, postgresOn, timeOf } from './postgres-use.mjs';
import { median } from './rounds.mjs';
import { costTable, needTable } from './sizing.mjs';
import { loadTypeScript } from '../scripts/load-typescript.mjs';
import { busyWorld, listOf, token } from './worlds.mjs';

const { startPostgres } = await loadTypeScript('test/support/postgres.ts');
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const issues = 1_000;
const connections = 32;
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const world = join(folder, 'world.json');
const file = join(folder, 'store.db');
writeFileSync(world, JSON.stringify(busyWorld(issues)));
const postgres = await startPostgres();
const processes = postgresOn(new URL(postgres.url).port);
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
const told = async (sql) => Number(Object.values((await client.query(sql)).rows[0])[0]);
const logged = () => told(`SELECT pg_current_wal_lsn() - '0/0'`);

const serve = async (data) => {
  const server = await started(bin, 'serve', '--world', world, '--data', data, '--json');
  return { ...server, url: JSON.parse(server.line).url };
};
const one = await serve(postgres.url);
const other = await serve(postgres.url);
const alone = await serve(file);

/** The cost of one request: microseconds of processor time in the process and in PostgreSQL, and bytes of its log. */
const costs = async (workload) => {
  const now = async () => ({ server: timeOf([one.pid]), base: timeOf(processes.all()), log: await logged() });
  const before = await now();
  const seconds = 5;
  const requests = await rate({ base: one.url, ...workload }, { seconds, connections }) * seconds;
  const after = await now();
  const each = (kind, unit) => (after[kind] - before[kind]) * unit / requests;
  return { server: each('server', 1000), base: each('base', 1000), log: each('log', 1) };
};

const list = (i) => listOf(1 + i % issues);
const post = {
  method: 'POST', headers: { ...token, 'content-type': 'application/json' },
  body: JSON.stringify({ body: 'A remark of the length that remarks have, which is about eighty characters.' }),
};
const workloads = {
  'a page of 20 threads, cached (39 KB)': { path: list(0), headers: token },
  'a page of one thread, cached (2 KB)': { path: `${list(0)}?per_page=1`, headers: token },
  'a page of 20 threads, not cached': {
    path: Array.from({ length: 8_000 }, (_, i) => `${list(i)}?per_page=${20 + Math.floor(i / issues)}`), headers: token,
  },
  'create a thread, on 1,000 issues in turn': { path: Array.from({ length: issues }, (_, i) => list(i)), ...post },
  'edit one note, from all connections': { path: '/api/v4/projects/1/issues/1/notes/1', ...post, method: 'PUT' },
};

/** The share of a core per process, which leaves room for two processes, PostgreSQL and the load generator. */
const share = Math.min(1, availableParallelism() / 10);

console.log(`Node ${process.version}, ${availableParallelism()} cores`);
const rows = [];
for (const [title, workload] of Object.entries(workloads)) {
  const onPostgres = {
    'PostgreSQL, one process': { base: one.url, ...workload },
    'PostgreSQL, two processes': { base: [one.url, other.url], ...workload },
  };
  const how = { connections, seconds: 2 };
  const rates = await compare(title, { ...onPostgres, 'SQLite, one process': { base: alone.url, ...workload } }, how);
  const { server, base, log } = await costs(workload);
  const letGo = holdTo(share, [one.pid, other.pid]);
  const [single, double] = Object.values(
    await compare(`${title}, each process limited to ${share * 100} % of a core`, onPostgres, how));
  letGo();
  const [onOne, , onFile] = Object.values(rates).map(median);
  const ratio = median(double.map((value, round) => value / single[round]));
  rows.push({ title, onFile, onOne, ratio, server: Math.round(server), base: Math.round(base), log });
}
console.log(`\n${costTable(rows)}\n\n${needTable(rows)}\n`);

const held = await told(`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'colloquy'`);
const eachOf = await told('SELECT pg_database_size(current_database()) / count(*) FROM notes');
const [inAll, first] = [processes.all(), [processes.first]].map(memoryOf);
const [inOne, inAlone] = [[one.pid], [alone.pid]].map(memoryOf);
for (const server of [one, other, alone]) await server.stop();
const [{ count }] = new Database(file).prepare('SELECT count(*) AS count FROM notes').all();
const [size, per] = [statSync(file).size, ((inAll - first) / held).toFixed(1)];
console.log([
  `A server process holds ${held / 2} connections and ${inOne.toFixed(0)} MB, on SQLite ${inAlone.toFixed(0)} MB;`,
  `PostgreSQL holds ${inAll.toFixed(0)} MB, ${per} MB for each connection.`,
  `A note takes ${eachOf} bytes in PostgreSQL and ${(size / count).toFixed(0)} in a SQLite file.`,
].join('\n'));

await client.end();
await postgres.remove();
rmSync(folder, { recursive: true });
