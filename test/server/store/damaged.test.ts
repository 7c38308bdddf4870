import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { openService } from '../../../src/server/index.js';
import type { Database } from '../../../src/server/store/database.js';
import { reasons, StoreError, StoreFault } from '../../../src/server/store/errors.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { loadEngine, type EngineName } from '../../../src/server/store/sqlite/engine.js';
import { ownFolder } from '../../support/disks.js';
import { runsOf } from '../../support/extent.js';
import { testService } from '../../support/service.js';
import { acme, threads } from '../../support/worlds.js';
import { engines } from './engines.js';

/** Changes a closed store past the server. */
const change = async (file: string, sql: string): Promise<void> => {
  const connection = (await loadEngine())(file);
  connection.exec(sql);
  connection.close();
};

const everything = ['SELECT * FROM notes ORDER BY id', 'SELECT * FROM noteables', 'SELECT * FROM users', 'SELECT * FROM tokens',
  'SELECT * FROM projects', 'SELECT name, value FROM meta', 'SELECT count(*) AS count, max(body) AS last FROM notes', 'SELECT * FROM uploads'];

const readAll = async (database: Database): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (const sql of everything) {
    found.push(await database.all(sql), await database.read((queries) => queries.get(sql)));
  }
  return found;
};

/** What comes of reading a store, or the error that says that it is damaged. */
const outcome = async (name: EngineName, file: string): Promise<unknown> => {
  let database: Database | undefined;
  try {
    database = await openDatabase({ engine: name, file });
    return await readAll(database);
  } catch (error) {
    return error;
  } finally {
    await database?.close();
  }
};

describe.each(engines)('a damaged store on %s', (name) => {
  let file: string;
  beforeEach(async () => {
    file = join(ownFolder(), 'a.db');
    await (await openService({ data: file, world: acme })).close();
  });

  const faultOf = async (sql: string, read: (database: Database) => Promise<unknown>): Promise<StoreFault> => {
    await change(file, sql);
    const database = await openDatabase({ engine: name, file });
    const error = await read(database).catch((thrown: unknown) => thrown);
    await database.close();
    expect(error).toBeInstanceOf(StoreFault);
    return error as StoreFault;
  };
  const body = (id: number) => (database: Database) => database.all('SELECT body FROM notes WHERE id = ?', id);

  test.each([
    ['a byte that is not UTF-8', `UPDATE notes SET body = CAST(x'61ff62' AS TEXT) WHERE id = 120`, 'a text is not UTF-8'],
    ['half a character', `UPDATE notes SET body = CAST(x'61e282' AS TEXT) WHERE id = 120`, 'a text is not UTF-8'],
  ])('with %s in a text fails where that is read, and nowhere else', async (_what, sql, words) => {
    for (const read of [body(120), (database: Database) => database.read((queries) => queries.get('SELECT body FROM notes WHERE id = 120'))]) {
      const { problem, status, reason } = await faultOf(sql, read);
      expect([problem, status, reason]).toEqual([`${file} is damaged: ${words}`, 500, reasons.damaged]);
    }
    const database = await openDatabase({ engine: name, file });
    expect(await body(121)(database)).toHaveLength(1);
    await database.close();
  });

  test('with letters in a number fails', async () => {
    expect((await faultOf(`UPDATE notes SET author_id = 'x' WHERE id = 120`, (database) => database.all('SELECT author_id FROM notes'))).message)
      .toContain('is damaged: a value is not a number');
  });

  test('is distinguished from a stored replacement character', async () => {
    await change(file, `UPDATE notes SET body = char(65533) || ' \u00fc' WHERE id = 120`);
    const database = await openDatabase({ engine: name, file });
    expect(await body(120)(database)).toEqual([{ body: '\ufffd \u00fc' }]);
    expect(await database.read((queries) => queries.get('SELECT id, body FROM notes WHERE id = 120'))).toEqual({ id: 120, body: '\ufffd \u00fc' });
    await database.close();
  });

  test.each(['notes', 'resolved_at', 'CREATE'])('with a definition of tables that is not UTF-8 at "%s" does not open', async (word) => {
    const bytes = readFileSync(file);
    // A page also has bytes of rows that have moved to another one.
    for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at)) bytes[at]! |= 0x80;
    writeFileSync(file, bytes);
    const error = await outcome(name, file);
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).message).toContain(`${file} is damaged`);
  });

  test('with any flipped bit reports damage, or reads rows of the declared types; it never aborts the process', async () => {
    const damaged = `${file}.damaged`;
    const { size } = statSync(file);
    await fc.assert(fc.asyncProperty(fc.nat(size - 1), fc.nat(7), async (at, bit) => {
      copyFileSync(file, damaged);
      const bytes = readFileSync(damaged);
      bytes[at]! ^= 1 << bit;
      writeFileSync(damaged, bytes);
      const found = await outcome(name, damaged);
      for (const end of ['', '-wal', '-shm']) rmSync(damaged + end, { force: true });
      if (found instanceof Error) expect(found).toBeInstanceOf(StoreError);
      else expect(JSON.stringify(found)).not.toContain('\ufffd');
    }), { numRuns: runsOf(150) });
  }, 60_000);
});

test('a server with a damaged note responds to requests for it with 500, logs the reason, and serves all others', async () => {
  const file = join(ownFolder(), 'a.db');
  await (await openService({ data: file, world: acme })).close();
  await change(file, `UPDATE notes SET fragment = CAST(x'ff' AS TEXT), body = CAST(x'ff' AS TEXT) WHERE id = 120`);
  const faults: unknown[] = [];
  const service = await testService({ data: file, onFault: (error) => { faults.push(error); } });
  expect(await service.get('/projects/20/merge_requests/1/discussions')).toMatchObject({
    status: 500, body: { message: '500 Internal Server Error - the database is damaged' },
  });
  expect(await service.put('/projects/20/merge_requests/1/notes/120', { json: { body: 'better' } })).toMatchObject({
    status: 500, body: { message: '500 Internal Server Error - the database is damaged; nothing was stored' },
  });
  expect(faults).toMatchObject([{ problem: `${file} is damaged: a text is not UTF-8` }, { problem: `${file} is damaged: a text is not UTF-8` }]);
  expect((await service.get('/projects/20/issues/1/discussions')).status).toBe(200);
  expect((await service.post('/projects/20/issues/1/discussions', { json: { body: 'new' } })).status).toBe(201);
  await service.close();
});

test('a list of threads fails where one bit of the id of a thread of one note is flipped, in the table or in an index', async () => {
  const folder = ownFolder();
  await (await openService({ data: join(folder, 'a.db'), world: acme })).close();
  const bytes = readFileSync(join(folder, 'a.db'));
  const places: number[] = [];
  for (let at = bytes.indexOf(threads.resolved); at >= 0; at = bytes.indexOf(threads.resolved, at + 1)) places.push(at);
  expect(places.length).toBeGreaterThan(1);
  for (const [i, at] of places.entries()) {
    const file = join(folder, `${i}.db`);
    writeFileSync(file, bytes.map((byte, j) => j === at ? byte ^ 1 : byte));
    const service = await testService({ data: file, onFault: () => undefined });
    expect(await service.get('/projects/20/merge_requests/1/discussions')).toMatchObject({
      status: 500, body: { message: '500 Internal Server Error - the database is damaged' },
    });
    await service.close();
  }
});

test('libsql fails on a text with a null character, which would end the text', async () => {
  const file = join(ownFolder(), 'a.db');
  const database = await openDatabase({ engine: 'libsql', file });
  await database.write((queries) => queries.run(`INSERT INTO appearance (name, value) VALUES ('title', 'a' || char(0) || 'b')`));
  await expect(database.all('SELECT value FROM appearance')).rejects.toThrow('is damaged: a text contains a null character');
  await database.close();
});
