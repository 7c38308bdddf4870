import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/server/store/open.js';
import { inPipeline } from '../../../src/server/store/database.js';
import { newStore } from '../../support/stores.js';

const insert = `INSERT INTO meta (name, value) VALUES (?, '')`;

test('pipelined rows are all stored, in order, and visible to later queries', async () => {
  const database = await openDatabase({ file: await newStore() });
  await database.write((queries) => inPipeline(queries, async (unwaited) => {
    for (let i = 0; i < 1_200; i++) await unwaited.run(insert, String(i));
    expect(await unwaited.get(`SELECT count(*) AS count FROM meta WHERE name <> 'schemaVersion'`)).toEqual({ count: 1_200 });
    await unwaited.run(`UPDATE meta SET value = 'last' WHERE name = '1199'`);
  }));
  expect(await database.all(`SELECT value FROM meta WHERE name = '1199'`)).toEqual([{ value: 'last' }]);
  await database.close();
});

test('the first failure rejects, and nothing is stored', async () => {
  const database = await openDatabase({ file: await newStore() });
  const filling = database.write((queries) => inPipeline(queries, async (unwaited) => {
    await unwaited.run(insert, 'twice');
    await unwaited.run(insert, 'twice');
    await unwaited.run(insert, 'once');
    await unwaited.get('SELECT name FROM meta');
  }));
  await expect(filling).rejects.toThrow(/unique/i);
  expect(await database.all(`SELECT name FROM meta WHERE name <> 'schemaVersion'`)).toEqual([]);
  await database.close();
});
