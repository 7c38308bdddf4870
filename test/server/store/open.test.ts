import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/server/store/errors.js';
import { libsql } from '../../../src/server/store/libsql.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { engines } from './engines.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-store-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const refusal = async (file: string): Promise<StoreError> => {
  const outcome = await openDatabase({ file }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreError);
  return outcome as StoreError;
};

test('a store in memory needs no file and forgets everything when it closes', async () => {
  const first = await openDatabase();
  await first.write((queries) => queries.run(`INSERT INTO meta (name, value) VALUES ('a', 'b')`));
  await first.close();
  const second = await openDatabase();
  expect(await second.read((queries) => queries.all('SELECT name FROM meta'))).toEqual([{ name: 'schemaVersion' }]);
});

test('a missing folder, a folder in place of a file and a foreign file are told apart', async () => {
  writeFileSync(join(folder, 'letter'), 'Dear all, this is not a database at all. '.repeat(100));
  mkdirSync(join(folder, 'sub'));
  expect((await refusal(join(folder, 'none', 'a.db'))).message).toContain(`there is no folder ${join(folder, 'none')}`);
  expect((await refusal(join(folder, 'sub'))).message).toContain('is a folder');
  expect((await refusal(join(folder, 'letter'))).message).toContain('is not a SQLite file');
});

test('an engine that the running Node lacks is refused by naming both; one that it has opens', async () => {
  const opening = openDatabase({ engine: 'node:sqlite' }).then((database) => database.close());
  if (engines.includes('node:sqlite')) await opening;
  else await expect(opening).rejects.toThrow(/node:sqlite.*libsql/);
});

test('a store of a newer version is refused, and says so', async () => {
  const file = join(folder, 'a.db');
  const store = await openDatabase({ file });
  await store.write((queries) => queries.run(`UPDATE meta SET value = '999' WHERE name = 'schemaVersion'`));
  await store.close();
  const { message, hint } = await refusal(file);
  expect(message).toContain('newer version of Colloquy (schema 999;');
  expect(hint).toContain('Use that version');
});

test('a database of another program is refused and left as it is, byte by byte', async () => {
  const file = join(folder, 'other.db');
  const connection = (await libsql())(file);
  connection.exec('CREATE TABLE invoices (total INTEGER)');
  connection.close();
  const before = readFileSync(file);
  expect((await refusal(file)).message).toContain(`tables that are not Colloquy's`);
  expect(readFileSync(file).equals(before)).toBe(true);
});
