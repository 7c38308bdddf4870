import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database, RowCopy } from '../../../../../src/server/store/database.js';
import { openDatabase } from '../../../../../src/server/store/open.js';
import { dumpWorld } from '../../../../../src/server/world-file/dump.js';
import { seedDatabase } from '../../../../../src/server/world-file/seed.js';
import { acme } from '../../../../support/worlds.js';
import { engines } from '../../engines.js';
import { backToVersion1 } from '../../version-1.js';

const folder = mkdtempSync(join(tmpdir(), 'colloquy-copies-'));
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

let files = 0;
const newFile = () => join(folder, `${++files}.db`);
const enough = 1_000_000;
const nothing = () => undefined;

const opened = async (options: Parameters<typeof openDatabase>[0]): Promise<Database> => {
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  return database;
};
const seeded = async (options: Parameters<typeof openDatabase>[0]): Promise<Database> => {
  const database = await opened(options);
  let count = 0;
  const hex = (length: number) => (++count).toString(16).padStart(length, '0');
  await seedDatabase(database, acme, { now: new Date(0), hex, dialect: 'document' });
  return database;
};
const saved = async (database: Database): Promise<RowCopy> => {
  const copy = (await database.copies!.save(enough))!;
  onTestFinished(() => { copy.close(); });
  return copy;
};
const addUser = (database: Database, username: string) => database.write((queries) => queries.insert(
  `INSERT INTO users (username, name, state, admin) VALUES (?, '', 'active', 0)`, username));
const versionOf = (database: Database) => database.all(`SELECT value FROM meta WHERE name = 'schemaVersion'`);

for (const engine of engines) {
  describe.each([['in memory', () => undefined], ['on a file', newFile]])(`${engine} %s: a copy of the rows`, (_where, place) => {
    test('brings back every row, and the ids that follow', async () => {
      const database = await seeded({ engine, file: place() });
      const before = await dumpWorld(database);
      const copy = await saved(database);
      const first = await addUser(database, 'new');
      await database.write((queries) => queries.script(['DELETE FROM notes', 'DELETE FROM projects']));
      await database.copies!.restore(copy, nothing);
      expect(await dumpWorld(database)).toEqual(before);
      expect(await addUser(database, 'other')).toBe(first);
    });

    test('can be restored again, and changes the revision', async () => {
      const database = await seeded({ engine, file: place() });
      const copy = await saved(database);
      for (const name of ['one', 'two']) {
        await addUser(database, name);
        const revision = database.revision();
        await database.copies!.restore(copy, nothing);
        expect(database.revision()).not.toBe(revision);
        expect(await database.all('SELECT id FROM users WHERE username = ?', name)).toEqual([]);
      }
    });

    test('is restored together with the work that follows, or not at all', async () => {
      const database = await seeded({ engine, file: place() });
      const copy = await saved(database);
      await addUser(database, 'new');
      await expect(database.copies!.restore(copy, () => { throw new Error('no'); })).rejects.toThrow('no');
      expect(await database.all(`SELECT username FROM users WHERE username = 'new'`)).toHaveLength(1);
      await database.copies!.restore(copy, (queries) => queries.script([`UPDATE users SET name = 'same'`]));
      expect(await database.all('SELECT DISTINCT name FROM users')).toEqual([{ name: 'same' }]);
    });

    test('is not made if it is too large', async () => {
      const database = await seeded({ engine, file: place() });
      expect(await database.copies!.save(10_000)).toBeNull();
    });

    test('is made and restored between the transactions of others', async () => {
      const database = await seeded({ engine, file: place() });
      const copy = await saved(database);
      await Promise.all([addUser(database, 'one'), database.copies!.restore(copy, nothing), addUser(database, 'two'), saved(database)]);
      expect(await database.all(`SELECT count(*) AS count FROM users WHERE username IN ('one', 'two')`)).not.toEqual([{ count: 0 }]);
    });

    test('fills another store in memory, which then has a life of its own', async () => {
      const database = await seeded({ engine, file: place() });
      const other = await opened({ engine });
      await other.copies!.restore(await saved(database), nothing);
      expect(await dumpWorld(other)).toEqual(await dumpWorld(database));
      expect(await versionOf(other)).toEqual(await versionOf(database));
      await addUser(other, 'new');
      expect(await database.all(`SELECT id FROM users WHERE username = 'new'`)).toEqual([]);
    });
  });

  test(`${engine}: a migrated file is copied column by column`, async () => {
    const file = newFile();
    const old = await openDatabase({ engine, file });
    let count = 0;
    await seedDatabase(old, acme, { now: new Date(0), hex: (length) => (++count).toString(16).padStart(length, '0'), dialect: 'document' });
    await old.writeExclusively(backToVersion1);
    await old.close();
    const database = await opened({ engine, file });
    const before = await dumpWorld(database);
    const copy = await saved(database);
    await database.write((queries) => queries.script(['DELETE FROM notes', 'DELETE FROM activity']));
    await database.copies!.restore(copy, nothing);
    expect(await dumpWorld(database)).toEqual(before);
    expect(await database.all('SELECT comments FROM activity WHERE comments > 0')).not.toEqual([]);
    const other = await opened({ engine });
    await other.copies!.restore(copy, nothing);
    expect(await dumpWorld(other)).toEqual(before);
  });
}
