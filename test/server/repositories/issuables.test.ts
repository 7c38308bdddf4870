import { expect, test } from 'vitest';
import { insertPerson, issuableDetails } from '../../../src/server/repositories/issuables.js';
import { noteableIn } from '../../../src/server/repositories/noteables.js';
import { storeWith } from '../../support/own-store.js';
import { acme } from '../../support/worlds.js';

test('a merge request has each person once in each role, by user id', async () => {
  const database = await storeWith(acme);
  const { id } = (await database.read((queries) => noteableIn(queries, 'merge_request', 20, 1)))!;
  await database.write(async (queries) => {
    for (const user of [5, 4, 5]) await insertPerson(queries, id, 'reviewer', user);
    await insertPerson(queries, id, 'approver', 5);
  });
  const { people } = (await database.read((queries) => issuableDetails(queries, [id]))).get(id)!;
  const names = Object.values(people).map((users) => users.map(({ username }) => username));
  expect(names).toEqual([[], ['developer', 'reporter'], ['reporter']]);
  expect(await database.read((queries) => issuableDetails(queries, []))).toEqual(new Map());
});
