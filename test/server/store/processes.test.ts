import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/server/store/open.js';
import type { EngineName } from '../../../src/server/store/sqlite/engine.js';
import { engines } from './engines.js';

/** Inside the project, so that the bundle finds the packages. */
const bundles = join(import.meta.dirname, '../../../node_modules/.cache');
let folder: string;
let writer: string;

beforeAll(async () => {
  mkdirSync(bundles, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), 'colloquy-store-'));
  writer = join(mkdtempSync(join(bundles, 'colloquy-writer-')), 'writer.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'writer.ts')], outfile: writer, bundle: true, platform: 'node',
    format: 'esm', packages: 'external', logLevel: 'error',
  });
});
afterAll(() => {
  for (const path of [folder, join(writer, '..')]) rmSync(path, { recursive: true, force: true });
});

/** Runs a writer to its end, or kills it once it has told of so many notes. Gives the ids it told of. */
const write = async (engine: EngineName, file: string, name: string, count: number, until = Infinity) => {
  const child = spawn(process.execPath, [writer, engine, file, name, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<string>((resolve) => {
    child.on('close', (code, signal) => { resolve(signal ?? String(code)); });
  });
  const ids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (ids.push(Number(line)) === until) child.kill('SIGKILL');
  }
  return { ids, ended: await ended };
};

/** The ids in a store and SQLite's own verdict on it. */
const stored = async (engine: EngineName, file: string) => {
  const database = await openDatabase({ engine, file });
  const rows = await database.read((queries) => queries.all<{ id: number }>('SELECT id FROM notes ORDER BY id'));
  const verdict = await database.read((queries) => queries.get('PRAGMA integrity_check'));
  await database.close();
  return { ids: rows.map(({ id }) => id), verdict };
};

const whole = { integrity_check: 'ok' };

describe.each(engines)('%s', (engine) => {
  test('processes that open and write one new file at the same time lose nothing acknowledged', async () => {
    const file = join(folder, `${engine.replace(':', '-')}-shared.db`);
    const writers = await Promise.all(['a', 'b', 'c'].map((name) => write(engine, file, name, 200)));
    expect(writers.map(({ ended }) => ended)).toEqual(['0', '0', '0']);
    const told = writers.flatMap(({ ids }) => ids).sort((a, b) => a - b);
    expect(told).toHaveLength(600);
    expect(await stored(engine, file)).toEqual({ ids: told, verdict: whole });
  });

  test('a process killed while it writes loses nothing acknowledged', async () => {
    const file = join(folder, `${engine.replace(':', '-')}-killed.db`);
    const told: number[] = [];
    for (const until of [1, 57, 200]) {
      const { ids, ended } = await write(engine, file, `until ${until}`, 1_000_000, until);
      expect(ended).toBe('SIGKILL');
      told.push(...ids);
      const { ids: kept, verdict } = await stored(engine, file);
      expect(verdict).toEqual(whole);
      expect(kept).toEqual(expect.arrayContaining(told));
    }
    expect(told.length).toBeGreaterThanOrEqual(258);
  });
});
