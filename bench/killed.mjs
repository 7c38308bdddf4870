/**
 * Kills with `kill -9` while eight clients write, 20 times each: servers on a SQLite file, servers on PostgreSQL, and
 * PostgreSQL itself under two servers. Counts acknowledged changes that are missing or duplicated, and damaged stores.
 * Exits with 1 if there are any. Without PostgreSQL it tests files only.
 *
 *   node bench/killed.mjs [kills]
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import pg from 'pg';
import { started } from './child.mjs';
import { loadTypeScript } from '../scripts/load-typescript.mjs';

const { postgresPrograms, startPostgres } = await loadTypeScript('test/support/postgres.ts');
const { countFaults, listBodies, startWriters, worldOfRounds } = await loadTypeScript('test/support/note-writers.ts');
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const kills = Number(process.argv[2] ?? 20);
const clients = 8;
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const world = join(folder, 'world.json');
writeFileSync(world, JSON.stringify(worldOfRounds(kills)));

const serve = async (data) => {
  const server = await started(bin, 'serve', '--world', world, '--data', data, '--json');
  return { ...server, url: JSON.parse(server.line).url };
};
const someTime = () => pause(150 + Math.random() * 350);

let copies = 0;

/** Runs SQLite's integrity check on a copy of the file and journal that a killed server left. */
const isSound = (file) => {
  const copy = `${file}.${++copies}`;
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  const database = new Database(copy);
  const { integrity_check: verdict } = database.prepare('PRAGMA integrity_check').get();
  database.close();
  return verdict === 'ok';
};

/** Whether a server lists everything that was acknowledged in a round. */
const readsWhole = async (url, round, { kept }) => {
  const bodies = new Set(await listBodies(url, round).catch(() => []));
  return kept.every((body) => bodies.has(body));
};

const serversKilled = (data, isLeftSound) => async () => {
  const [outcomes, unreadable] = [[], []];
  let server = await serve(data);
  for (let round = 1; round <= kills; round++) {
    const writers = startWriters([server.url], round, clients);
    outcomes.push(writers.outcomes);
    await someTime();
    await server.kill();
    await writers.stop();
    const isSoundNow = isLeftSound();
    server = await serve(data);
    if (!(isSoundNow && await readsWhole(server.url, round, writers.outcomes))) unreadable.push(round);
  }
  const faults = await countFaults(server.url, outcomes);
  await server.stop();
  return { outcomes, ...faults, unreadable: unreadable.length };
};

const postgresKilled = (postgres, data) => async () => {
  const [outcomes, unreadable] = [[], []];
  const servers = [await serve(data), await serve(data)];
  for (let round = 1; round <= kills; round++) {
    const writers = startWriters(servers.map(({ url }) => url), round, clients);
    outcomes.push(writers.outcomes);
    await someTime();
    await postgres.kill();
    await someTime();
    await postgres.start();
    await someTime();
    await writers.stop();
    if (!await readsWhole(servers[round % 2].url, round, writers.outcomes)) unreadable.push(round);
  }
  const faults = await countFaults(servers[0].url, outcomes);
  for (const server of servers) await server.stop();
  return { outcomes, ...faults, unreadable: unreadable.length };
};

const show = async (what, run) => {
  const { outcomes, lost, doubled, unreadable } = await run();
  const sum = (count) => outcomes.reduce((all, one) => all + count(one), 0);
  const counts = {
    acknowledged: sum(({ kept }) => kept.length), lost, doubled, 'times unreadable': unreadable,
    'not answered': sum(({ unknown }) => unknown.length), 'left in the dark': sum(({ odd }) => odd.length),
    'sent away with 503': sum(({ refusals }) => refusals),
  };
  console.log(`${what} killed ${kills} times: `
    + Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', '));
  if (lost + doubled + unreadable > 0) process.exitCode = 1;
};

const file = join(folder, 'store.db');
await show('a server on a SQLite file', serversKilled(file, () => isSound(file)));
if (postgresPrograms() === undefined) {
  console.log('PostgreSQL is not installed: skipped');
} else {
  const postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const name of ['one', 'other']) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const [one, other] = ['/one', '/other'].map((path) => new URL(path, postgres.url).href);
  await show('a server on PostgreSQL', serversKilled(one, () => true));
  await show('PostgreSQL', postgresKilled(postgres, other));
  await postgres.remove();
}
rmSync(folder, { recursive: true });
