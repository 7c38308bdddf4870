import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/server/store/database.js';
import { StoreError } from '../../../src/server/store/errors.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { migrate, plan, schemaVersion, type Plan } from '../../../src/server/store/schema.js';
import { sqliteTypes } from '../../../src/server/store/sqlite/engine.js';

let database: Database;
beforeEach(async () => { database = await openDatabase(); });
afterEach(() => database.close());

const versionOf = (store: Database) =>
  store.read((queries) => queries.get(`SELECT value FROM meta WHERE name = 'schemaVersion'`));

const third: Plan = {
  version: schemaVersion + 2,
  create: ['CREATE TABLE never (a TEXT)'],
  migrations: [
    ...plan(sqliteTypes).migrations,
    ['ALTER TABLE users ADD COLUMN bot TEXT', `UPDATE users SET bot = 'no'`],
    ['CREATE TABLE later (a TEXT)'],
  ],
};

test('there is a step from each version to the next', () => {
  expect(plan(sqliteTypes).migrations).toHaveLength(schemaVersion - 1);
});

test('an older store is migrated to the current schema and keeps its rows', async () => {
  await database.write(async (queries) => {
    await queries.run(`INSERT INTO users (username, name, state, admin) VALUES ('ada', 'Ada', 'active', 0)`);
    await migrate(queries, ['meta', 'users'], third);
  });
  expect(await database.read((queries) => queries.get('SELECT username, bot FROM users'))).toEqual({ username: 'ada', bot: 'no' });
  expect(await database.read((queries) => queries.all('SELECT * FROM later'))).toEqual([]);
  expect(await versionOf(database)).toEqual({ value: String(schemaVersion + 2) });
});

test('a failed migration leaves the store unchanged', async () => {
  const broken = { ...third, migrations: [...third.migrations.slice(0, -1), ['CREATE TABLE later (a TEXT)', 'NONSENSE']] };
  await expect(database.write((queries) => migrate(queries, ['meta', 'users'], broken))).rejects.toThrow();
  expect(await versionOf(database)).toEqual({ value: String(schemaVersion) });
  await expect(database.read((queries) => queries.all('SELECT * FROM later'))).rejects.toThrow('no such table');
});

test('a store of the present schema is left alone', async () => {
  await database.write((queries) => migrate(queries, ['meta'], { ...plan(sqliteTypes), create: ['NONSENSE'] }));
  expect(await versionOf(database)).toEqual({ value: String(schemaVersion) });
});

test('a store with tables of another program is rejected', async () => {
  const refused = (present: string[]) => database.write((queries) => migrate(queries, present, third));
  await expect(refused(['invoices'])).rejects.toThrow(StoreError);
  await database.write((queries) => queries.run(`UPDATE meta SET value = 'blue' WHERE name = 'schemaVersion'`));
  await expect(refused(['meta'])).rejects.toThrow(`tables of another program`);
});
