import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/server/store/database.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { engines } from './engines.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-store-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const at = (name: string) => join(folder, name);
const add = (database: Database, name: string) =>
  database.write((queries) => queries.run(`INSERT INTO appearance (name, value) VALUES (?, '')`, name));
const namesIn = async (database: Database) =>
  (await database.all<{ name: string }>('SELECT name FROM appearance ORDER BY name')).map(({ name }) => name);

describe.each(engines)('a store closed in a process that keeps running, with %s,', (engine) => {
  const open = (name: string) => openDatabase({ engine, file: at(name) });
  const filled = async (name: string, ...rows: readonly string[]): Promise<void> => {
    const store = await open(name);
    for (const row of rows) await add(store, row);
    await store.close();
  };

  test('is its file alone', async () => {
    await filled('a.db', 'kept');
    expect(readdirSync(folder)).toEqual(['a.db']);
  });

  test('can be copied, and the copy put in its place later on', async () => {
    await filled('seed.db', 'seed');
    for (const name of ['one', 'two', 'three']) {
      copyFileSync(at('seed.db'), at('a.db'));
      const store = await open('a.db');
      expect(await namesIn(store)).toEqual(['seed']);
      await add(store, name);
      await store.close();
    }
    expect(readdirSync(folder).sort()).toEqual(['a.db', 'seed.db']);
  });

  test('is intact and works while others have it open', async () => {
    const [one, other] = [await open('a.db'), await open('a.db')];
    await add(one, 'one');
    await one.close();
    await add(other, 'other');
    await other.close();
    copyFileSync(at('a.db'), at('copy.db'));
    for (const name of ['a.db', 'copy.db']) {
      const again = await open(name);
      expect(await namesIn(again)).toEqual(['one', 'other']);
      await again.close();
    }
  });
});
