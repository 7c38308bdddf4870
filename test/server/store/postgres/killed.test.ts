import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { worldOfRounds, countFaults, startWriters, type Outcomes } from '../../../support/note-writers.js';
import { startPostgres, type Postgres } from '../../../support/postgres.js';

const rounds = 3;
const clients = 4;

/** Inside the project, so that the bundle finds the packages. */
const bundles = join(import.meta.dirname, '../../../../node_modules/.cache');
let folder: string;
let postgres: Postgres;

beforeAll(async () => {
  mkdirSync(bundles, { recursive: true });
  folder = mkdtempSync(join(bundles, 'colloquy-serving-'));
  writeFileSync(join(folder, 'world.json'), JSON.stringify(worldOfRounds(rounds)));
  await build({
    entryPoints: [join(import.meta.dirname, '../serving.ts')], outfile: join(folder, 'serving.mjs'), bundle: true, platform: 'node',
    format: 'esm', packages: 'external', logLevel: 'error',
  });
  postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const name of ['one', 'other']) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}, 60_000);
afterAll(async () => {
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Server { readonly url: string; readonly child: ChildProcess }

const serve = async (database: string): Promise<Server> => {
  const url = new URL(postgres.url);
  url.pathname = database;
  const child = spawn(process.execPath, [join(folder, 'serving.mjs'), url.href, join(folder, 'world.json')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line') as [string];
  return { url: line, child };
};

const killServer = async ({ child }: Server): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

const waitForNotes = async ({ kept }: Outcomes, count: number): Promise<void> => { while (kept.length < count) await pause(5); };

const nothing = { lost: 0, doubled: 0 };

describe('what was acknowledged is stored', () => {
  test('is there once after the server was killed while it wrote', async () => {
    const outcomes: Outcomes[] = [];
    for (let round = 1; round <= rounds; round++) {
      const server = await serve('one');
      const writers = startWriters([server.url], round, clients);
      outcomes.push(writers.outcomes);
      await waitForNotes(writers.outcomes, 20 * round);
      await killServer(server);
      await writers.stop();
    }
    const server = await serve('one');
    expect(await countFaults(server.url, outcomes)).toEqual(nothing);
    await killServer(server);
  }, 120_000);

  test('is there once after PostgreSQL was killed while two servers wrote, and clients who insist are all served', async () => {
    const servers = [await serve('other'), await serve('other')];
    const outcomes: Outcomes[] = [];
    for (let round = 1; round <= rounds; round++) {
      const writers = startWriters(servers.map(({ url }) => url), round, clients);
      outcomes.push(writers.outcomes);
      await waitForNotes(writers.outcomes, 20 * round);
      await postgres.kill();
      await pause(50);
      await postgres.start();
      await waitForNotes(writers.outcomes, writers.outcomes.kept.length + 20);
      await writers.stop();
    }
    expect(await countFaults(servers[0]!.url, outcomes)).toEqual(nothing);
    for (const { unknown, odd } of outcomes) expect([unknown, odd]).toEqual([[], []]);
    expect(outcomes.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(0);
    for (const server of servers) await killServer(server);
  }, 120_000);
});
