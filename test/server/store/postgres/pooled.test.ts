import { expect, test } from 'vitest';
import type { Database } from '../../../../src/server/store/database.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { statementsOf } from '../../../../src/server/store/postgres/queries.js';
import { schemaVersion } from '../../../../src/server/store/schema.js';
import { newStore } from '../../../support/stores.js';

/** What a pooler between a server and PostgreSQL does that gives each transaction to whichever connection is free. */
const forget = (database: Database) => database.read((queries) => queries.script(['DEALLOCATE ALL']));

const ask = `SELECT value FROM meta WHERE name = ?`;
const add = `INSERT INTO meta (name, value) VALUES (?, '')`;
const version = [{ value: String(schemaVersion) }];

test('statements that a connection has lost run without names, in all transactions and outside', async () => {
  const database = await openDatabase({ file: await newStore() });
  const read = () => database.read((queries) => queries.all(ask, 'schemaVersion'));
  expect(await read()).toEqual(version);
  await forget(database);
  expect(await read()).toEqual(version);
  expect(await database.all(ask, 'schemaVersion')).toEqual(version);
  expect(await database.read((queries) => queries.all('SELECT name FROM pg_prepared_statements'))).toEqual([]);
  await database.close();
});

test('a change whose statements a connection has no more is made once', async () => {
  const database = await openDatabase({ file: await newStore() });
  await database.write((queries) => queries.run(add, 'first'));
  await database.write((queries) => queries.script(['DEALLOCATE ALL']));
  await database.write((queries) => queries.run(add, 'second'));
  expect(await database.all(`SELECT name FROM meta WHERE value = '' ORDER BY name`)).toEqual([{ name: 'first' }, { name: 'second' }]);
  await database.close();
});

test('statements that another process left on a connection cause no errors', async () => {
  const database = await openDatabase({ file: await newStore() });
  const name = statementsOf().of(ask).name!;
  await database.read((queries) => queries.script([`PREPARE ${name} AS SELECT 'wrong' AS value`]));
  expect(await database.read((queries) => queries.all(ask, 'schemaVersion'))).toEqual(version);
  await database.close();
});
