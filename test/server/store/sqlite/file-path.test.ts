import { spawnSync } from 'node:child_process';
import {
  chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backupStore, openService } from '../../../../src/server/index.js';
import { StoreError } from '../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { canMount, makeReadOnly, ownDisk, ownFolder } from '../../../support/disks.js';
import { acme } from '../../../support/worlds.js';

const refused = async (trial: Promise<unknown>): Promise<StoreError> => {
  const outcome = await trial.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreError);
  expect((outcome as StoreError).message).not.toContain('\n');
  expect((outcome as StoreError).hint).not.toBe('');
  return outcome as StoreError;
};

const refusal = (file: string) => refused(openDatabase({ file }));
const filled = async (file: string): Promise<string> => {
  await (await openService({ data: file, world: acme })).close();
  return file;
};

describe('what can\'t be a store', () => {
  test('is reported, and nothing is created next to it', async () => {
    const folder = ownFolder();
    const at = (name: string) => join(folder, name);
    writeFileSync(at('file'), '');
    symlinkSync(at('loop'), at('loop'));
    spawnSync('mkfifo', [at('pipe')]);
    expect((await refusal('')).problem).toBe('the name of the store is empty');
    expect((await refusal(at('pipe'))).problem).toBe(`${at('pipe')} is not a regular file`);
    expect((await refusal(at('loop'))).problem).toBe(`${at('loop')} cannot be accessed: ELOOP: too many symbolic links encountered`);
    expect((await refusal(at('x'.repeat(300)))).problem).toContain('cannot be accessed: ENAMETOOLONG');
    expect((await refusal(at('file/a.db'))).problem).toContain(`there is no folder ${at('file')}`);
    expect(readdirSync(folder).sort()).toEqual(['file', 'loop', 'pipe']);
  });

  test.each(['mysql://ada:secret@host/db', 'http://ada:secret@host/a.db', 'libsql://ada:secret@host'])('for it is the URL of something else is not repeated: %s', async (url) => {
    for (const { problem, message, hint } of [await refusal(url), await refused(backupStore({ file: url, target: 'copy.db' }))]) {
      expect(problem).toBe(`unsupported store URL ${url.split('ada')[0]}`);
      expect(message + hint).not.toContain('secret');
    }
  });
});

test('an empty file is a new store', async () => {
  const file = join(ownFolder(), 'a.db');
  writeFileSync(file, '');
  await filled(file);
  expect(statSync(file).size).toBeGreaterThan(50_000);
});

/** As the system lets the tests have them: disks of their own, and rights that bind them. */
const disks = canMount() ? [{ room: '4m' }] : [];
const rights = process.getuid?.() === 0 ? [] : [{ mode: 0o444 }];

describe('a file that cannot be written', () => {
  test.each(disks)('because its disk is read-only is rejected at once, like a new store and a copy there', async ({ room }) => {
    const disk = ownDisk(room);
    const file = join(disk, 'a.db');
    copyFileSync(await filled(join(ownFolder(), 'a.db')), file);
    makeReadOnly(disk);
    for (const name of ['a.db', 'new.db']) {
      expect((await refusal(join(disk, name))).problem).toBe(`${join(disk, name)} cannot be written: EROFS: read-only file system`);
    }
    expect((await refused(backupStore({ file, target: join(disk, 'copy.db') }))).problem).toContain('EROFS');
    expect(readdirSync(disk)).toEqual(['a.db']);
  });

  test.each(rights)('because of its permissions is rejected at once', async ({ mode }) => {
    const file = await filled(join(ownFolder(), 'a.db'));
    chmodSync(file, mode);
    expect((await refusal(file)).problem).toContain(`${file} cannot be written: EACCES`);
  });

  test.each(disks)('because its disk is full is reported, and works once there is space', async ({ room }) => {
    const disk = ownDisk(room);
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(4_120_000));
    const file = join(disk, 'a.db');
    expect(await refused(openService({ data: file, world: acme }))).toMatchObject({ problem: `${file} cannot grow: the disk is full` });
    const [source, copy] = [await filled(join(ownFolder(), 'source.db')), join(disk, 'copy.db')];
    expect(await refused(backupStore({ file: source, target: copy }))).toMatchObject({ problem: `${copy} cannot grow: the disk is full` });
    rmSync(join(disk, 'ballast'));
    const service = await openService({ data: file, world: acme });
    expect(Object.keys(service.tokens)).toContain('developer');
    await service.close();
  });
});

test.each([[50], [3 * 4096], [5 * 4096 + 7]])('a store truncated after %d bytes is rejected as damaged and not changed', async (size) => {
  const file = await filled(join(ownFolder(), 'a.db'));
  truncateSync(file, size);
  const before = readFileSync(file);
  expect((await refused(openService({ data: file }))).problem).toMatch(/is damaged$|is not a SQLite file$/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

describe('a store whose file goes away while it is open', () => {
  const add = (store: Awaited<ReturnType<typeof openDatabase>>) =>
    store.write((queries) => queries.run(`INSERT INTO appearance (name, value) VALUES ('a', 'b')`));

  test.each(['removed', 'replaced'])('acknowledges nothing more once it is %s, and reads on', async (how) => {
    const folder = ownFolder();
    const file = join(folder, 'a.db');
    const other = await filled(join(folder, 'other.db'));
    const store = await openDatabase({ file });
    await add(store);
    if (how === 'removed') rmSync(file);
    else renameSync(other, file);
    const before = how === 'replaced' && readFileSync(file);
    expect((await refused(add(store))).problem).toBe(`${file} was removed or replaced while it was open`);
    await refused(store.writeExclusively((queries) => queries.run('DELETE FROM appearance')));
    expect(await store.all('SELECT name FROM appearance')).toEqual([{ name: 'a' }]);
    await store.close();
    if (before) expect(readFileSync(file).equals(before)).toBe(true);
    else expect(readdirSync(folder)).not.toContain('a.db');
  });

  test('is what it was where the name leads back to it', async () => {
    const folder = ownFolder();
    const file = join(folder, 'a.db');
    const store = await openDatabase({ file });
    renameSync(file, `${file}.moved`);
    await refused(add(store));
    renameSync(`${file}.moved`, file);
    await add(store);
    await store.close();
    copyFileSync(file, join(folder, 'copy.db'));
    const copy = await openDatabase({ file: join(folder, 'copy.db') });
    expect(await copy.all('SELECT name FROM appearance')).toEqual([{ name: 'a' }]);
    await copy.close();
  });
});
