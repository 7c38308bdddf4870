import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database, Queries } from '../../../src/server/store/database.js';
import { StoreError } from '../../../src/server/store/errors.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { loadEngine } from '../../../src/server/store/sqlite/engine.js';
import { engines } from './engines.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-store-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const refusal = async (file: string): Promise<StoreError> => {
  const outcome = await openDatabase({ file }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreError);
  return outcome as StoreError;
};

describe.each(engines)('a store in memory on %s', (engine) => {
  const open = () => openDatabase({ engine });
  const named = (store: Database) => store.read((queries) => queries.all('SELECT name FROM meta ORDER BY name'));
  const name = (store: Database, text: string) =>
    store.write((queries) => queries.run('INSERT INTO meta (name, value) VALUES (?, 1)', text));
  const group = (path: string) => (queries: Queries) =>
    queries.insert(`INSERT INTO groups (path, name, visibility) VALUES (?, 'A', 'public')`, path);

  test('needs no file and forgets everything when it closes', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const store = await open();
      expect(await named(store)).toEqual([{ name: 'schemaVersion' }]);
      await name(store, 'a');
      expect(await store.write(group('one'))).toBe(1);
      expect(await store.write(group('two'))).toBe(2);
      await store.close();
    }
  });

  test('shares nothing with others that are open, nor with what was closed before', async () => {
    const first = await open();
    await name(first, 'first');
    const [second, third] = await Promise.all([open(), open()]);
    await first.close();
    await name(second, 'second');
    await expect(name(first, 'late')).rejects.toThrow('the store is closed');
    expect(await named(third)).toEqual([{ name: 'schemaVersion' }]);
    expect(await named(second)).toEqual([{ name: 'schemaVersion' }, { name: 'second' }]);
    for (const store of [first, second, third]) await store.close();
    expect(await named(await open())).toEqual([{ name: 'schemaVersion' }]);
  });

  test('has the tables of this version, whatever was done to those of the one before', async () => {
    const odd = await open();
    await odd.write((queries) => queries.script(['DROP TABLE notes', 'CREATE TABLE more (id INTEGER)']));
    await odd.close();
    const store = await open();
    expect(await store.read((queries) => queries.all('SELECT id FROM notes'))).toEqual([]);
    await expect(store.read((queries) => queries.all('SELECT id FROM more'))).rejects.toThrow('no such table');
  });
});

describe.each(engines)('a store on a file with %s', (engine) => {
  const file = () => join(folder, 'a.db');
  const modes = () => ['', '-wal', '-shm'].map((end) => (statSync(file() + end).mode & 0o777).toString(8));

  test('is for its owner alone, and so is its journal', async () => {
    for (const path of [file(), join(folder, 'link.db')]) {
      if (path !== file()) symlinkSync(file(), path);
      const store = await openDatabase({ engine, file: path });
      await store.write((queries) => queries.run(`INSERT INTO meta (name, value) VALUES ('a', 1)`));
      expect(modes()).toEqual(['600', '600', '600']);
      await store.close();
      rmSync(file());
    }
  });

  test('that was there before keeps its rights', async () => {
    writeFileSync(file(), '');
    chmodSync(file(), 0o640);
    const store = await openDatabase({ engine, file: file() });
    await store.all('SELECT name FROM meta');
    expect(modes()).toEqual(['640', '640', '640']);
    await store.close();
    expect(statSync(file()).mode & 0o777).toBe(0o640);
  });
});

test('a missing folder, a folder in place of a file and a foreign file have different errors', async () => {
  writeFileSync(join(folder, 'letter'), 'Dear all, this is not a database at all. '.repeat(100));
  mkdirSync(join(folder, 'sub'));
  expect((await refusal(join(folder, 'none', 'a.db'))).message).toContain(`there is no folder ${join(folder, 'none')}`);
  expect((await refusal(join(folder, 'sub'))).message).toContain('is a folder');
  expect((await refusal(join(folder, 'letter'))).message).toContain('is not a SQLite file');
});

test('a missing engine is reported with both names; an existing one opens', async () => {
  const opening = openDatabase({ engine: 'node:sqlite' }).then((database) => database.close());
  const outcome = await opening.then(() => 'it opened', (error: Error) => error.message);
  expect(outcome).toMatch(engines.includes('node:sqlite') ? /^it opened$/ : /node:sqlite.*libsql/);
});

test('a store of a newer version is rejected', async () => {
  const file = join(folder, 'a.db');
  const store = await openDatabase({ file });
  await store.write((queries) => queries.run(`UPDATE meta SET value = '999' WHERE name = 'schemaVersion'`));
  await store.close();
  const { message, hint } = await refusal(file);
  expect(message).toContain('newer version of Colloquy (schema version 999;');
  expect(hint).toContain('upgrade Colloquy');
});

test('a database of another program is rejected and not changed', async () => {
  const file = join(folder, 'other.db');
  const connection = (await loadEngine('libsql'))(file);
  connection.exec('CREATE TABLE invoices (total INTEGER)');
  connection.close();
  const before = readFileSync(file);
  expect((await refusal(file)).message).toContain(`tables of another program`);
  expect(readFileSync(file).equals(before)).toBe(true);
});
