/**
 * Kills servers while callers write, 20 times, then PostgreSQL itself, 20 times, and counts what was acknowledged and
 * is not there, and what is there twice. Ends with 1 where either is not zero.
 *
 *   node bench/postgres-killed.mjs [kills]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { started } from './child.mjs';
import { loaded } from './typescript.mjs';

const { startPostgres } = await loaded('test/support/postgres.ts');
const { anvil, broken, hammer } = await loaded('test/support/hammer.ts');
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const kills = Number(process.argv[2] ?? 20);
const callers = 8;
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const world = join(folder, 'world.json');
writeFileSync(world, JSON.stringify(anvil(kills)));
const postgres = await startPostgres();
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
for (const name of ['one', 'other']) await client.query(`CREATE DATABASE ${name}`);
await client.end();

const serve = async (database) => {
  const data = new URL(postgres.url);
  data.pathname = database;
  const server = await started(bin, 'serve', '--world', world, '--data', data.href, '--json');
  return { ...server, url: JSON.parse(server.line).url };
};
const someTime = () => pause(150 + Math.random() * 350);

const serversKilled = async () => {
  const told = [];
  for (let round = 1; round <= kills; round++) {
    const server = await serve('one');
    const blows = hammer([server.url], round, callers);
    told.push(blows.told);
    await someTime();
    server.kill();
    await blows.stop();
  }
  const server = await serve('one');
  const outcome = await broken(server.url, told);
  await server.stop();
  return { told, outcome };
};

const postgresKilled = async () => {
  const told = [];
  const servers = [await serve('other'), await serve('other')];
  for (let round = 1; round <= kills; round++) {
    const blows = hammer(servers.map(({ url }) => url), round, callers);
    told.push(blows.told);
    await someTime();
    await postgres.kill();
    await someTime();
    await postgres.start();
    await someTime();
    await blows.stop();
  }
  const outcome = await broken(servers[0].url, told);
  for (const server of servers) await server.stop();
  return { told, outcome };
};

for (const [what, run] of Object.entries({ 'a server': serversKilled, PostgreSQL: postgresKilled })) {
  const { told, outcome: { lost, doubled } } = await run();
  const sum = (count) => told.reduce((all, one) => all + count(one), 0);
  const counts = {
    acknowledged: sum(({ kept }) => kept.length), lost, doubled, 'not answered': sum(({ unknown }) => unknown.length),
    'left in the dark': sum(({ odd }) => odd.length), 'sent away with 503': sum(({ refusals }) => refusals),
  };
  console.log(`${what} killed ${kills} times: `
    + Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', '));
  if (lost + doubled > 0) process.exitCode = 1;
}
await postgres.remove();
rmSync(folder, { recursive: true });
