import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupStore } from '../../../src/server/store/backup.js';
import { StoreError } from '../../../src/server/store/errors.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { loadEngine } from '../../../src/server/store/sqlite/engine.js';
import { engines } from './engines.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-backup-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });
const at = (name: string) => join(folder, name);

const refusal = async (file: string, target: string): Promise<StoreError> => {
  const outcome = await backupStore({ file, target }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreError);
  return outcome as StoreError;
};

const newStore = async (name: string) => (await openDatabase({ file: at(name) })).close();

describe.each(engines)('%s', (engine) => {
  test('a copy made during writes contains everything stored before, and can be served', async () => {
    const live = await openDatabase({ engine, file: at('live.db') });
    const add = (n: number) => live.write((queries) =>
      queries.run('INSERT INTO appearance (name, value) VALUES (?, ?)', `name ${n}`, 'x'.repeat(500)));
    const addFrom = async (first: number, count: number) => {
      for (let n = first; n < first + count; n++) await add(n);
    };
    await addFrom(0, 300);
    await Promise.all([addFrom(300, 300), backupStore({ engine, file: at('live.db'), target: at('copy.db') })]);
    await live.close();

    const copy = await openDatabase({ engine, file: at('copy.db') });
    const rows = await copy.read((queries) => queries.all<{ name: string }>('SELECT name FROM appearance ORDER BY rowid'));
    expect(await copy.read((queries) => queries.get('PRAGMA integrity_check'))).toEqual({ integrity_check: 'ok' });
    await copy.close();
    expect(rows.length).toBeGreaterThanOrEqual(300);
    expect(rows.map(({ name }) => name)).toEqual(rows.map((_, n) => `name ${n}`));
  });

  test('a copy is for its owner alone, and nothing else is left beside it', async () => {
    await (await openDatabase({ engine, file: at('live.db') })).close();
    await backupStore({ engine, file: at('live.db'), target: at('copy.db') });
    expect(statSync(at('copy.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
  });
});

test('a file that is there is not replaced', async () => {
  await newStore('live.db');
  writeFileSync(at('copy.db'), 'mine');
  expect((await refusal(at('live.db'), at('copy.db'))).message).toContain('already exists');
  expect(readFileSync(at('copy.db'), 'utf8')).toBe('mine');
});

test('what a killed backup left is removed by the next one; what others work on, or name alike, is left', async () => {
  await newStore('live.db');
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const abandoned = `monday.db.${ended}-0123456789abcdef.colloquy-part`;
  const kept = [
    `grows-elsewhere.db.${ended}-0123456789abcdef.colloquy-part`,
    `running.db.${process.pid}-0123456789abcdef.colloquy-part`,
    `download.${ended}.part`,
  ];
  for (const name of [abandoned, ...kept]) writeFileSync(at(name), 'half');
  const longAgo = new Date(Date.now() - 120_000);
  for (const name of [abandoned, kept[1]!, kept[2]!]) utimesSync(at(name), longAgo, longAgo);
  await backupStore({ file: at('live.db'), target: at('tuesday.db') });
  const left = readdirSync(folder).filter((name) => !name.startsWith('live.db'));
  expect(left.sort()).toEqual([...kept, 'tuesday.db'].sort());
});

test('a file that is not a store is rejected, and no copy is left', async () => {
  writeFileSync(at('letter'), 'Dear all, this is not a database at all. '.repeat(100));
  const other = (await loadEngine('libsql'))(at('other.db'));
  other.exec('CREATE TABLE invoices (total INTEGER)');
  other.close();
  expect((await refusal(at('none.db'), at('copy.db'))).message).toContain(`${at('none.db')} does not exist`);
  expect((await refusal(at('letter'), at('copy.db'))).message).toContain('is not a SQLite file');
  expect((await refusal(at('other.db'), at('copy.db'))).message).toContain('contains no data of Colloquy');
  expect((await refusal(at('other.db'), at('none/copy.db'))).message).toContain('there is no folder');
  expect(readdirSync(folder).sort()).toEqual(['letter', 'other.db']);
});

test('for PostgreSQL its own tool is named', async () => {
  expect((await refusal('postgres://localhost/colloquy', at('copy.db'))).hint).toContain('pg_dump');
});
