import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/server/store/database.js';
import { reasons, StoreUnavailable } from '../../../src/server/store/errors.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { type Connection, type EngineName, loadEngine } from '../../../src/server/store/sqlite/engine.js';
import { ownFolder } from '../../support/disks.js';
import { testService } from '../../support/service.js';
import { engines } from './engines.js';
import { backToVersion1 } from './version-1.js';
import { schemaVersion } from '../../../src/server/store/schema.js';

const add = (database: Database, name: string) =>
  database.write((queries) => queries.run(`INSERT INTO appearance (name, value) VALUES (?, '')`, name));
const namesIn = async (database: Database) =>
  (await database.all<{ name: string }>('SELECT name FROM appearance ORDER BY name')).map(({ name }) => name);
const failures = async (units: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(units)).map((outcome) => outcome.status === 'rejected' ? outcome.reason as unknown : outcome.value);
const turns = async (count: number) => { for (let i = 0; i < count; i++) await new Promise((resolve) => { setTimeout(resolve, 5); }); };

/** No wait for a lock that a test ends comes to this, in milliseconds. */
const long = 60_000;

/** A connection of another process to the file, as far as SQLite's locks go. */
const other = async (name: EngineName, file: string): Promise<Connection> => {
  const connection = (await loadEngine(name))(file);
  onTestFinished(() => { connection.close(); });
  return connection;
};

describe.each(engines)('while another process holds the lock of a file on %s', (name) => {
  let file: string;
  beforeEach(() => { file = join(ownFolder(), 'a.db'); });

  describe('for writing', () => {
    let database: Database;
    let holder: Connection;
    let hasty: Database;
    beforeEach(async () => {
      database = await openDatabase({ engine: name, file, lockTimeout: long });
      await add(database, 'before');
      hasty = await openDatabase({ engine: name, file, lockTimeout: 200 });
      holder = await other(name, file);
      holder.exec('BEGIN IMMEDIATE');
    });
    afterEach(async () => { await Promise.all([database.close(), hasty.close()]); });

    test('reads work, and waiting writes are stored in order after the lock is released', async () => {
      const written: string[] = [];
      const names = Array.from({ length: 70 }, (_, i) => `write ${String(i).padStart(2, '0')}`);
      const writes = names.map((one) => add(database, one).then(() => { written.push(one); }));
      await turns(3);
      expect(await namesIn(database)).toEqual(['before']);
      expect(await database.read((queries) => queries.get('SELECT count(*) AS count FROM appearance'))).toEqual({ count: 1 });
      expect(database.revision()).not.toBeNull();
      expect(written).toEqual([]);
      holder.exec('ROLLBACK');
      await Promise.all(writes);
      expect(written).toEqual(names);
      expect(await namesIn(database)).toEqual(['before', ...names]);
    });

    test('every write that has waited long enough fails, nothing of it is stored, and the next one waits again', async () => {
      const early = [add(hasty, 'one'), add(hasty, 'two'), hasty.writeExclusively((queries) => queries.run('DELETE FROM appearance'))];
      for (const error of await failures(early)) {
        expect(error).toBeInstanceOf(StoreUnavailable);
        expect((error as StoreUnavailable).reason).toBe(reasons.locked);
      }
      const late = add(hasty, 'late');
      holder.exec('ROLLBACK');
      await late;
      expect(await namesIn(database)).toEqual(['before', 'late']);
    });

    test('the store closes when the writes that wait are done', async () => {
      const [writing, closing] = [add(database, 'last'), database.close()];
      await turns(3);
      holder.exec('ROLLBACK');
      await Promise.all([writing, closing]);
      const again = await openDatabase({ engine: name, file });
      expect(await namesIn(again)).toEqual(['before', 'last']);
      await again.close();
    });

    test('another server starts after the lock is released, or reports the lock', async () => {
      const opening = openDatabase({ engine: name, file, lockTimeout: long });
      await expect(openDatabase({ engine: name, file, lockTimeout: 50 })).rejects.toThrow(`${file} is locked by another process`);
      holder.exec('ROLLBACK');
      const second = await opening;
      expect(await namesIn(second)).toEqual(['before']);
      await second.close();
    });
  });

  test('for itself alone, a server starts as soon as it lets go', async () => {
    await (await openDatabase({ engine: name, file })).close();
    const holder = (await loadEngine(name))(file);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
    const opening = openDatabase({ engine: name, file, lockTimeout: long });
    await expect(openDatabase({ engine: name, file, lockTimeout: 50 })).rejects.toThrow(`${file} is locked by another process`);
    holder.close();
    const database = await opening;
    expect(await namesIn(database)).toEqual([]);
    await database.close();
  });

  test('a store of an older version is migrated as soon as it lets go', async () => {
    const before = await openDatabase({ engine: name, file });
    await before.writeExclusively(backToVersion1);
    await before.close();
    const holder = await other(name, file);
    holder.exec('BEGIN EXCLUSIVE');
    const opening = openDatabase({ engine: name, file, lockTimeout: long });
    await turns(3);
    holder.exec('ROLLBACK');
    const database = await opening;
    expect(await database.all(`SELECT value FROM meta WHERE name = 'schemaVersion'`)).toEqual([{ value: String(schemaVersion) }]);
    await database.close();
  });

  test('to read an old state, writes go on and the store closes', async () => {
    const database = await openDatabase({ engine: name, file });
    const reader = await other(name, file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) AS count FROM appearance').get([]);
    for (let i = 0; i < 5; i++) await add(database, `name ${i}`);
    expect(await namesIn(database)).toHaveLength(5);
    await database.close();
    expect(reader.prepare('SELECT count(*) AS count FROM appearance').get([])).toEqual({ count: 0 });
    reader.exec('COMMIT');
    const again = await openDatabase({ engine: name, file });
    expect(await namesIn(again)).toHaveLength(5);
    await again.close();
  });
});

test('a server whose file is locked serves reads and health, and rejects a change with 503 and Retry-After', async () => {
  const file = join(ownFolder(), 'a.db');
  const service = await testService({ data: file });
  const holder = await other(engines.at(-1)!, file);
  holder.exec('BEGIN IMMEDIATE');
  const changing = service.post('/projects/20/issues/1/discussions', { json: { body: 'late' } });
  const before = await service.get<unknown[]>('/projects/20/issues/1/discussions');
  expect(before.status).toBe(200);
  expect((await service.get('/-/health')).status).toBe(200);
  expect(await changing).toMatchObject({
    status: 503, headers: { 'retry-after': '1' },
    body: { message: '503 Service Unavailable - the database is locked by another process; nothing was stored' },
  });
  holder.exec('ROLLBACK');
  expect((await service.get('/projects/20/issues/1/discussions')).text).toBe(before.text);
  expect((await service.post('/projects/20/issues/1/discussions', { json: { body: 'in time' } })).status).toBe(201);
  await service.close();
});
