import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/server/store/open.js';
import { newStore } from '../../../support/stores.js';
import { fromVersion1 } from '../from-version-1.js';
import { storeSuite } from '../suite.js';

storeSuite('PostgreSQL', async () => openDatabase({ file: await newStore() }));
fromVersion1('PostgreSQL', newStore);

test('stores in one database do not wait for each other', async () => {
  const [one, other] = await Promise.all([openDatabase({ file: await newStore() }), openDatabase({ file: await newStore() })]);
  const seen = await one.writeExclusively(async (queries) => {
    await queries.lock('noteable 1');
    return other.writeExclusively(async (others) => { await others.lock('noteable 1'); return 'both'; });
  });
  expect(seen).toBe('both');
  await Promise.all([one.close(), other.close()]);
});

test('a transaction that continues after a failed statement is rolled back, and the store still works', async () => {
  const database = await openDatabase({ file: await newStore() });
  const put = (name: string) => database.write(async (queries) => {
    await queries.run(`INSERT INTO meta (name, value) VALUES (?, '')`, name);
    await Promise.resolve(queries.run(`INSERT INTO meta (name, value) VALUES (?, '')`, name)).catch(() => undefined);
  });
  await expect(Promise.all(Array.from({ length: 20 }, (_, i) => put(`name ${i}`)))).rejects.toThrow('continued after');
  expect(await database.all(`SELECT name FROM meta WHERE name LIKE 'name%'`)).toEqual([]);
  await database.write((queries) => queries.run(`INSERT INTO meta (name, value) VALUES ('name', '')`));
  await database.close();
});
