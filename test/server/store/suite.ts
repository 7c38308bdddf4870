import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database, Queries, Value } from '../../../src/server/store/database.js';

const put = (queries: Queries, name: string, value: Value) =>
  queries.run('INSERT INTO meta (name, value) VALUES (?, ?)', name, value);

const valueOf = async (queries: Queries, name: string) =>
  (await queries.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', name))?.value;

const addIssue = (queries: Queries, title: Value, cells: { readonly iid?: number | null; readonly id?: number } = {}) => {
  const given = Object.entries({ ...cells, title });
  return queries.insert(
    `INSERT INTO noteables (kind, state, author_id, confidential, locked, created_at, updated_at, ${given.map(([name]) => name).join()})
     VALUES ('issue', 'opened', 1, 0, 0, '', '', ${given.map(() => '?').join()})`, ...given.map(([, value]) => value));
};

const turn = () => new Promise<void>((resolve) => { setImmediate(resolve); });

/** What every store must do, whatever runs below it. */
export const storeSuite = (name: string, open: () => Promise<Database>) => describe(name, () => {
  let database: Database;
  beforeEach(async () => { database = await open(); });
  afterEach(() => database.close());

  describe('units of work', () => {
    test('what a unit wrote is there for the next one', async () => {
      await database.write((queries) => put(queries, 'a', '1'));
      expect(await database.read((queries) => valueOf(queries, 'a'))).toBe('1');
    });

    test.each([
      ['at once', (error: Error) => { throw error; }],
      ['later', async (error: Error) => { await turn(); throw error; }],
    ])('a unit that fails %s leaves nothing behind, and its error comes out as it is', async (_when, fail) => {
      const error = new Error('no');
      const unit = database.write(async (queries) => {
        await put(queries, 'a', '1');
        await fail(error);
      });
      await expect(unit).rejects.toBe(error);
      expect(await database.read((queries) => valueOf(queries, 'a'))).toBeUndefined();
    });

    test('a unit whose signal is aborted while it waits leaves nothing behind, and the others are stored', async () => {
      const stop = new AbortController();
      const units = ['a', 'b', 'c'].map((key) =>
        database.write((queries) => put(queries, key, '1'), key === 'b' ? stop.signal : undefined));
      stop.abort();
      expect((await Promise.allSettled(units)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      await expect(units[1]).rejects.toMatchObject({ name: 'RequestAborted' });
      expect(await database.read(async (queries) => [await valueOf(queries, 'a'), await valueOf(queries, 'b')])).toEqual(['1', undefined]);
    });

    test('a failed statement rolls back its transaction, and the store still works', async () => {
      const unit = database.write(async (queries) => {
        await put(queries, 'a', '1');
        await put(queries, 'a', '2');
      });
      await expect(unit).rejects.toThrow(/unique/i);
      await database.write((queries) => put(queries, 'a', '3'));
      expect(await database.read((queries) => valueOf(queries, 'a'))).toBe('3');
    });

    test('units that hold a lock while they wait inside do not interleave', async () => {
      await database.write((queries) => put(queries, 'count', '0'));
      await Promise.all(Array.from({ length: 50 }, () => database.write(async (queries) => {
        await queries.lock('count');
        const count = Number(await valueOf(queries, 'count'));
        await turn();
        await queries.run(`UPDATE meta SET value = ? WHERE name = 'count'`, String(count + 1));
      })));
      expect(await database.read((queries) => valueOf(queries, 'count'))).toBe('50');
    });

    test('a unit that has the store to itself meets no other, and none meets it', async () => {
      const counts: number[] = [];
      let inside = 0;
      const unit = (alone: boolean) => async (queries: Queries) => {
        await queries.run(`UPDATE meta SET value = value || '1' WHERE name = ?`, alone ? 'alone' : 'beside');
        inside++;
        await turn();
        if (alone) counts.push(inside);
        inside--;
      };
      await database.write((queries) => put(queries, 'alone', '0'));
      await Promise.all(Array.from({ length: 20 }, (_, i) => i % 2 ? database.writeExclusively(unit(true)) : database.write(unit(false))));
      expect(counts).toEqual(Array.from({ length: 10 }, () => 1));
      expect(await database.read((queries) => valueOf(queries, 'alone'))).toBe('01111111111');
    });

    test('a reading unit sees one state from beginning to end', async () => {
      await database.write((queries) => put(queries, 'a', 'before'));
      const seen: unknown[] = [];
      const reading = database.read(async (queries) => {
        seen.push(await valueOf(queries, 'a'));
        await turn();
        seen.push(await valueOf(queries, 'a'));
      });
      const writing = database.write((queries) => queries.run(`UPDATE meta SET value = 'after' WHERE name = 'a'`));
      await Promise.all([reading, writing]);
      expect(seen[0]).toBe(seen[1]);
      expect(await database.read((queries) => valueOf(queries, 'a'))).toBe('after');
    });

    test('the revision, if there is one, changes with every committed write and only then', async () => {
      const stamps = [database.revision()];
      for (const value of ['1', '2', '3']) {
        await database.write((queries) => put(queries, value, value));
        stamps.push(database.revision());
      }
      expect(new Set(stamps).size).toBe(stamps[0] === null ? 1 : 4);
      await database.read((queries) => valueOf(queries, '1'));
      await database.write((queries) => put(queries, '1', 'again')).catch(() => undefined);
      expect(database.revision()).toBe(stamps.at(-1));
    });

    test('a closed store lets the running transaction finish and then reports that it is closed', async () => {
      const running = database.write(async (queries) => { await turn(); return put(queries, 'a', '1'); });
      const closing = database.close();
      expect(await running).toBe(1);
      await closing;
      await expect(database.read((queries) => valueOf(queries, 'a'))).rejects.toThrow('the store is closed');
      await database.close();
    });
  });

  describe('rows', () => {
    test('a row has the selected columns and nothing else', async () => {
      await database.write((queries) => put(queries, 'a', '1'));
      const query = `SELECT name, value AS text FROM meta WHERE name = 'a'`;
      const one = await database.read((queries) => queries.get(query));
      const all = await database.read((queries) => queries.all(query));
      expect(Object.entries(one!)).toEqual([['name', 'a'], ['text', '1']]);
      expect(all.map((row) => Object.entries(row))).toEqual([[['name', 'a'], ['text', '1']]]);
    });

    test('no row is undefined or an empty list, and a change returns the number of rows', async () => {
      expect(await database.read((queries) => queries.get(`SELECT * FROM users`))).toBeUndefined();
      expect(await database.read((queries) => queries.all(`SELECT * FROM users`))).toEqual([]);
      await database.write(async (queries) => {
        expect(await put(queries, 'a', '1')).toBe(1);
        expect(await queries.run(`UPDATE meta SET value = '2' WHERE name = 'none'`)).toBe(0);
        expect(await put(queries, 'b', '1')).toBe(1);
        expect(await queries.run(`UPDATE meta SET value = '2' WHERE name IN ('a', 'b')`)).toBe(2);
      });
    });

    test('more statements than are cached still work', async () => {
      for (let i = 0; i < 600; i++) {
        expect(await database.read((queries) => queries.get(`SELECT ? + ${i} AS sum`, 1))).toEqual({ sum: i + 1 });
      }
    });
  });

  test('a script runs completely, and a failing one rolls back its transaction', async () => {
    await database.write((queries) => queries.script([`INSERT INTO meta VALUES ('a', '1')`, `INSERT INTO meta VALUES ('b', '2')`]));
    const failing = database.write(async (queries) => {
      await queries.script([`UPDATE meta SET value = '3' WHERE name = 'a'`, 'NONSENSE']);
    });
    await expect(failing).rejects.toThrow(/syntax/);
    expect(await database.read(async (queries) => [await valueOf(queries, 'a'), await valueOf(queries, 'b')])).toEqual(['1', '2']);
  });

  describe('values', () => {
    test('numbers come back as they went, to the last that is exact', async () => {
      for (const iid of [0, 1, -1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]) {
        const id = await database.write((queries) => addIssue(queries, 'a', { iid }));
        expect(await database.read((queries) => queries.get('SELECT iid FROM noteables WHERE id = ?', id))).toEqual({ iid });
      }
    });

    test('text comes back as it went: every character there is, quotes and emoji among them', async () => {
      const plane = Array.from({ length: 0xffff }, (_, i) => i + 1).filter((code) => code < 0xd800 || code > 0xdfff);
      const texts = [String.fromCharCode(...plane), '😀👩‍👩‍👧‍👦', `'"\`;--\\`, '', '\r\n\t', '\ufeffa', 'e\u0301'];
      for (const [i, text] of texts.entries()) {
        await database.write((queries) => put(queries, `text ${i}`, text));
        expect(await database.read((queries) => valueOf(queries, `text ${i}`)) === text).toBe(true);
      }
    });

    test('any text that a store can hold comes back, and is found by itself', async () => {
      const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'));
      await fc.assert(fc.asyncProperty(text, async (one) => {
        const id = await database.write((queries) => addIssue(queries, one));
        expect(await database.read((queries) =>
          queries.get('SELECT title FROM noteables WHERE id = ? AND title = ?', id, one))).toEqual({ title: one });
      }), { numRuns: 50 });
    });

    test('bytes come back as they went, alone and in lists', async () => {
      const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i);
      await database.write(async (queries) => {
        const sql = 'INSERT INTO uploads (mount, file_name, media_type, content) VALUES (?, ?, ?, ?)';
        await queries.run(sql, 'full', 'a', 'b', everyByte);
        await queries.run(sql, 'part', 'a', 'b', everyByte.subarray(10, 12));
        await queries.run(sql, 'none', 'a', 'b', new Uint8Array(0));
      });
      const query = 'SELECT content FROM uploads ORDER BY mount';
      const contents = (await database.read((queries) => queries.all<{ content: Uint8Array }>(query)))
        .map(({ content }) => content);
      expect(contents).toEqual([everyByte, new Uint8Array(0), Uint8Array.of(10, 11)]);
      expect(await database.read((queries) => queries.get(query))).toEqual({ content: everyByte });
    });
  });

  describe('ids', () => {
    test('an id is never given twice, even after its row is gone', async () => {
      const first = await database.write((queries) => addIssue(queries, 'a'));
      await database.write((queries) => queries.run('DELETE FROM noteables'));
      expect(await database.write((queries) => addIssue(queries, 'b'))).toBe(first + 1);
    });

    test('a table continues from its largest id after resetIds', async () => {
      await database.write(async (queries) => {
        await addIssue(queries, 'a', { id: 700 });
        await queries.resetIds('noteables');
        expect(await addIssue(queries, 'b')).toBe(701);
        await queries.run('DELETE FROM noteables WHERE id > 5');
        await queries.resetIds('noteables');
        expect(await addIssue(queries, 'c')).toBe(1);
      });
    });
  });
});
