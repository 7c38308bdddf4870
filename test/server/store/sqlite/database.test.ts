import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../src/server/store/database.js';
import { StoreUnavailable } from '../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import type { Connection } from '../../../../src/server/store/sqlite/engine.js';
import { statementsOf } from '../../../../src/server/store/sqlite/database.js';
import { engines } from '../engines.js';
import { fromVersion1 } from '../from-version-1.js';
import { storeSuite } from '../suite.js';

const folder = mkdtempSync(join(tmpdir(), 'colloquy-store-'));
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

let files = 0;
const newFile = () => join(folder, `${++files}.db`);

fromVersion1('a file', newFile);

for (const engine of engines) {
  storeSuite(`${engine} in memory`, () => openDatabase({ engine }));
  storeSuite(`${engine} on a file`, () => openDatabase({ engine, file: newFile() }));

  describe(`${engine}: a file`, () => {
    const put = (database: Database, value: string) => database.write((queries) => queries.run(
      `INSERT INTO meta (name, value) VALUES ('a', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, value));
    const get = (database: Database) => database.read((queries) => queries.get(`SELECT value FROM meta WHERE name = 'a'`));

    test('a store opened again has what was written', async () => {
      const file = newFile();
      for (const value of ['1', '2', '3']) {
        const database = await openDatabase({ engine, file });
        await put(database, value);
        await database.close();
      }
      const database = await openDatabase({ engine, file });
      expect(await get(database)).toEqual({ value: '3' });
      await database.close();
    });

    test('two connections see what the other has written, but not in the middle of a reading unit', async () => {
      const file = newFile();
      const [one, other] = [await openDatabase({ engine, file }), await openDatabase({ engine, file })];
      await put(one, 'before');
      expect(await get(other)).toEqual({ value: 'before' });
      const seen = await other.read(async (queries) => {
        const sql = `SELECT value FROM meta WHERE name = 'a'`;
        const first = await queries.get(sql);
        await put(one, 'after');
        return [first, await queries.get(sql)];
      });
      expect(seen).toEqual([{ value: 'before' }, { value: 'before' }]);
      expect(await get(other)).toEqual({ value: 'after' });
      await Promise.all([one.close(), other.close()]);
    });

    test('the revision of one connection changes after the other has written', async () => {
      const file = newFile();
      const [one, other] = [await openDatabase({ engine, file }), await openDatabase({ engine, file })];
      const before = one.revision();
      await put(other, '1');
      const between = one.revision();
      await put(other, '2');
      expect(new Set([before, between, one.revision()]).size).toBe(3);
      await Promise.all([one.close(), other.close()]);
    });

    test.each([['process', 1], ['power', 2]] as const)(
      'durability %s writes ahead, with synchronous at %i', async (durability, synchronous) => {
        const database = await openDatabase({ engine, file: newFile(), durability });
        expect(await database.read((queries) => queries.get('PRAGMA journal_mode'))).toEqual({ journal_mode: 'wal' });
        expect(await database.read((queries) => queries.get('PRAGMA synchronous'))).toEqual({ synchronous });
        await database.close();
      });

    test('a file that is locked for long is temporarily unavailable, which is not a fault', async () => {
      const file = newFile();
      const [one, other] = [await openDatabase({ engine, file }), await openDatabase({ engine, file, lockTimeout: 10 })];
      let release = () => undefined as void;
      const holding = one.write(async (queries) => {
        await queries.run(`INSERT INTO meta (name, value) VALUES ('a', '')`);
        await new Promise<void>((resolve) => { release = resolve; });
      });
      await expect(put(other, '1')).rejects.toThrow(StoreUnavailable);
      release();
      await holding;
      await put(other, '2');
      expect(await get(one)).toEqual({ value: '2' });
      await Promise.all([one.close(), other.close()]);
    });
  });
}

const counted = () => {
  const prepared: string[] = [];
  const connection: Connection = {
    exec: () => undefined,
    close: () => undefined,
    prepare: (sql) => {
      prepared.push(sql);
      return { get: () => undefined, all: () => [], run: () => ({ changes: 0, lastInsertRowid: 0 }) };
    },
  };
  return { connection, prepared };
};

test('a statement is prepared once', () => {
  const { connection, prepared } = counted();
  const statement = statementsOf(connection, 2);
  expect(statement('a')).toBe(statement('a'));
  statement('b');
  statement('a');
  expect(prepared).toEqual(['a', 'b']);
});

test('the least recently used statement is prepared again when the cache is full', () => {
  const { connection, prepared } = counted();
  const statement = statementsOf(connection, 2);
  for (const sql of ['a', 'b', 'a', 'c', 'a', 'c', 'b']) statement(sql);
  expect(prepared).toEqual(['a', 'b', 'c', 'b']);
});
