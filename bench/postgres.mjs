/**
 * What one server process and two hold on one PostgreSQL, and what a request costs in each place. PostgreSQL, the
 * servers and what makes the load share this machine. So the processor time that a request takes says more than the
 * rates; and where there are too few cores for all of them, the second table holds each server to a part of one.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { compare, rate } from './load.mjs';
import { loaded } from './typescript.mjs';
import { busyWorld, listOf, token } from './worlds.mjs';

const { startPostgres } = await loaded('test/support/postgres.ts');
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const issues = 1_000;
const connections = 32;
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const world = join(folder, 'world.json');
writeFileSync(world, JSON.stringify(busyWorld(issues)));
const postgres = await startPostgres();

const serve = async (data) => {
  const server = await started(bin, 'serve', '--world', world, '--data', data, '--json');
  return { ...server, url: JSON.parse(server.line).url };
};
const one = await serve(postgres.url);
const other = await serve(postgres.url);
const alone = await serve(join(folder, 'store.db'));

/** Processor time of processes, in microseconds; Linux tells it in hundredths of a second. */
const timeOf = (pids) => pids.reduce((sum, pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return sum + (Number(fields[11]) + Number(fields[12])) * 10_000;
}, 0);
const backends = () => readdirSync('/proc').filter((pid) => {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: tester');
  } catch {
    return false;
  }
});

/** Lets processes run for a part of the time only, in turns of a twentieth of a second. */
const holdTo = (share, pids) => {
  const turns = pids.map((pid, i) => setTimeout(() => {
    const turn = () => {
      process.kill(pid, 'SIGCONT');
      turns[i] = setTimeout(() => {
        process.kill(pid, 'SIGSTOP');
        turns[i] = setTimeout(turn, 50 * (1 - share));
      }, 50 * share);
    };
    turn();
  }, 25 * i));
  return () => {
    for (const turn of turns) clearTimeout(turn);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
};

const costs = async (target) => {
  const [servers, bases] = [[one.pid, other.pid], backends()];
  const before = [timeOf(servers), timeOf(bases)];
  const seconds = 5;
  const requests = await rate(target, { seconds, connections }) * seconds;
  const spent = [timeOf(servers) - before[0], timeOf(bases) - before[1]];
  const [server, base] = spent.map((time) => (time / requests).toFixed(0));
  return `${server} µs in a server and ${base} µs in PostgreSQL`;
};

const list = (i) => listOf(1 + i % issues);
const post = {
  method: 'POST', headers: { ...token, 'content-type': 'application/json' },
  body: JSON.stringify({ body: 'A remark of the length that remarks have, which is about eighty characters.' }),
};
const workloads = {
  'a page of 20 threads that is kept (39 KB)': { path: list(0), headers: token },
  'a page of one thread that is kept (2 KB)': { path: `${list(0)}?per_page=1`, headers: token },
  'pages of 20 threads that are not kept': {
    path: Array.from({ length: 8_000 }, (_, i) => `${list(i)}?per_page=${20 + Math.floor(i / issues)}`), headers: token,
  },
  'threads started, on 1,000 issues in turn': { path: Array.from({ length: issues }, (_, i) => list(i)), ...post },
  'one note edited, by all at once': { path: '/api/v4/projects/1/issues/1/notes/1', ...post, method: 'PUT' },
};

/** What each process is held to, so that there is room for two, for PostgreSQL and for what makes the load. */
const share = Math.min(1, availableParallelism() / 10);

console.log(`Node ${process.version}, ${availableParallelism()} cores`);
for (const [title, workload] of Object.entries(workloads)) {
  const onPostgres = {
    'PostgreSQL, one process': { base: one.url, ...workload },
    'PostgreSQL, two processes': { base: [one.url, other.url], ...workload },
  };
  const how = { connections, seconds: 2 };
  await compare(title, { ...onPostgres, 'SQLite, one process': { base: alone.url, ...workload } }, how);
  for (const [name, target] of Object.entries(onPostgres)) {
    console.log(`  ${name}: a request takes ${await costs(target)}`);
  }
  const letGo = holdTo(share, [one.pid, other.pid]);
  await compare(`${title}, each process held to ${share * 100} % of a core`, onPostgres, how);
  letGo();
}

for (const server of [one, other, alone]) await server.stop();
await postgres.remove();
rmSync(folder, { recursive: true });
