import { copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../src/server/store/database.js';
import { reasons, StoreFault } from '../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { loadEngine, type EngineName } from '../../../../src/server/store/sqlite/engine.js';
import { ownFolder } from '../../../support/disks.js';
import { testService } from '../../../support/service.js';
import { engines } from '../engines.js';

const add = (database: Database, name: string) =>
  database.write((queries) => queries.run(`INSERT INTO appearance (name, value) VALUES (?, ?)`, name, 'x'.repeat(500)));
const namesIn = async (database: Database) =>
  (await database.all<{ name: string }>('SELECT name FROM appearance ORDER BY name')).map(({ name }) => name);

const fault = async (unit: Promise<unknown>): Promise<StoreFault> => {
  const outcome = await unit.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreFault);
  return outcome as StoreFault;
};

/** The names in a copy of the file, without its journal. */
const namesInFileAlone = async (name: EngineName, file: string): Promise<string[]> => {
  const copy = join(ownFolder(), 'copy.db');
  copyFileSync(file, copy);
  const database = await openDatabase({ engine: name, file: copy });
  const names = await namesIn(database);
  await database.close();
  return names;
};

const replace = (path: string): void => {
  writeFileSync(`${path}.new`, '');
  renameSync(`${path}.new`, path);
};

describe.each(engines)('a running store on %s', (name) => {
  let file: string;
  let database: Database;
  beforeEach(async () => {
    file = join(ownFolder(), 'a.db');
    database = await openDatabase({ engine: name, file });
    await add(database, 'before');
  });
  afterEach(() => database.close());

  describe.each([
    ['-wal', 'removed', rmSync], ['-wal', 'replaced', replace], ['-shm', 'removed', rmSync], ['-shm', 'replaced', replace],
  ] as const)('whose %s is %s', (end, _how, change) => {
    test('rejects writes, and everything acknowledged before is in the file', async () => {
      change(file + end);
      const { problem, hint, status, reason } = await fault(add(database, 'after'));
      expect(problem).toBe(`${file}${end} was removed or replaced while it was open`);
      expect(hint).toBe(`restart the server; all acknowledged changes are in ${file}`);
      expect([status, reason]).toEqual([503, reasons.removed]);
      await fault(database.writeExclusively((queries) => queries.run('DELETE FROM appearance')));
      expect(await namesInFileAlone(name, file)).toEqual(['before']);
    });
  });

  test('reads on while its journal is missing, but not once another process has made a new one', async () => {
    rmSync(`${file}-wal`);
    await fault(add(database, 'after'));
    expect(await namesIn(database)).toEqual(['before']);
    writeFileSync(`${file}-wal`, '');
    await fault(namesIn(database));
    await fault(database.read((queries) => queries.get('SELECT name FROM appearance')));
  });

  test('writes again when its journal is back', async () => {
    renameSync(`${file}-wal`, `${file}-wal.moved`);
    await fault(add(database, 'between'));
    renameSync(`${file}-wal.moved`, `${file}-wal`);
    await add(database, 'later');
    expect(await namesIn(database)).toEqual(['before', 'later']);
  });

  test('saves acknowledged changes when its journal is removed and nobody writes', async () => {
    rmSync(`${file}-wal`);
    while (!(await namesInFileAlone(name, file)).includes('before')) await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect(await namesIn(database)).toEqual(['before']);
  });

  test('acknowledges a change whose journal was removed in between only because it is in the file', async () => {
    await database.writeExclusively(async (queries) => {
      await queries.run(`INSERT INTO appearance (name, value) VALUES ('between', '')`);
      rmSync(`${file}-wal`);
    });
    expect(await namesInFileAlone(name, file)).toEqual(['before', 'between']);
    await fault(add(database, 'after'));
  });

  test('does not acknowledge a change when the file was removed in between', async () => {
    const changing = database.writeExclusively(async (queries) => {
      await queries.run(`INSERT INTO appearance (name, value) VALUES ('between', '')`);
      rmSync(file);
    });
    await expect(changing).rejects.toThrow(`${file} was removed while committing a change`);
  });

  describe('that is truncated', () => {
    const fill = () => Promise.all(Array.from({ length: 300 }, (_, i) => add(database, `name ${i}`)));
    const cuts = [['all of it', () => 0], ['a part of it', (size: number) => size / 2]] as const;

    test.each(cuts)('%s, rejects writes and reads', async (_what, left) => {
      await fill();
      const other = (await loadEngine(name))(file);
      other.prepare('PRAGMA wal_checkpoint(PASSIVE)').get([]);
      other.close();
      await add(database, 'last');
      truncateSync(file, left(statSync(file).size));
      const { problem, status, reason } = await fault(add(database, 'after'));
      expect([problem, status, reason]).toEqual([`${file} was truncated while it was open`, 503, reasons.truncated]);
      await fault(namesIn(database));
    });

    test.each(cuts)('in its journal, %s, rejects writes and reads', async (_what, left) => {
      await fill();
      truncateSync(`${file}-wal`, left(statSync(`${file}-wal`).size));
      expect((await fault(add(database, 'after'))).problem).toBe(`${file}-wal was truncated while it was open`);
      await fault(namesIn(database));
    });
  });

  describe('that another process makes smaller', () => {
    const inOther = async (sql: string): Promise<void> => {
      const other = (await loadEngine(name))(file);
      other.exec(sql);
      other.close();
    };

    test('by emptying its journal, still works', async () => {
      const { size } = statSync(`${file}-wal`);
      await inOther('PRAGMA wal_checkpoint(TRUNCATE)');
      expect(statSync(`${file}-wal`).size).toBeLessThan(size);
      await add(database, 'later');
      expect(await namesIn(database)).toEqual(['before', 'later']);
    });

    test('by deleting rows and VACUUM, still works', async () => {
      await Promise.all(Array.from({ length: 300 }, (_, i) => add(database, `name ${i}`)));
      await inOther('PRAGMA wal_checkpoint(TRUNCATE)');
      await add(database, 'later');
      const { size } = statSync(file);
      await inOther(`DELETE FROM appearance WHERE name LIKE 'name %'; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)`);
      expect(statSync(file).size).toBeLessThan(size);
      await add(database, 'latest');
      expect(await namesIn(database)).toEqual(['before', 'later', 'latest']);
    });
  });
});

test('an empty file beside a journal with changes is not taken for a new store', async () => {
  const file = join(ownFolder(), 'a.db');
  writeFileSync(file, '');
  writeFileSync(`${file}-wal`, 'changes');
  await expect(openDatabase({ file })).rejects.toThrow(`${file} is empty, but its journal ${file}-wal is not`);
  expect(readFileSync(`${file}-wal`, 'utf8')).toBe('changes');
});

test('a server whose journal was removed reports it with a hint, keeps running, and loses nothing', async () => {
  const file = join(ownFolder(), 'a.db');
  const faults: unknown[] = [];
  const issue = '/projects/20/issues/1/discussions';
  const service = await testService({ data: file, onFault: (error) => { faults.push(error); } });
  await service.post(issue, { json: { body: 'acknowledged' } });
  const { text } = await service.get(issue);
  rmSync(`${file}-wal`);
  const refused = await service.post(issue, { json: { body: 'too late' } });
  expect(refused).toMatchObject({
    status: 503, body: {
      message: '503 Service Unavailable - the data file or its journal was removed or replaced while the server was running; restart the server; '
        + 'nothing was stored',
    },
  });
  expect(faults).toMatchObject([{ problem: `${file}-wal was removed or replaced while it was open` }]);
  expect((await service.get('/-/health')).status).toBe(200);
  expect((await service.get(issue)).text).toBe(text);
  await service.close();
  const again = await testService({ data: file });
  expect((await again.get(issue)).text).toBe(text);
  await again.close();
});
