import { expect, onTestFinished, test } from 'vitest';
import { filesOfBase, insertFiles, ownFiles, storedFiles } from '../../../../src/server/repositories/diffs.js';
import { openDatabase } from '../../../../src/server/store/open.js';

test('a base without files of its own has those of the project', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.close());
  await database.write(async (queries) => {
    await insertFiles(queries, 1, ownFiles, [['x', 'X'], ['a', 'A']]);
    await insertFiles(queries, 1, 'base', [['b', 'B']]);
  });
  const files = (base: string) => database.read(async (queries) => [...await filesOfBase(queries, 1, base)]);
  expect([await files('base'), await files('other')]).toEqual([[['b', 'B']], [['a', 'A'], ['x', 'X']]]);
  expect(await database.read(async (queries) => (await storedFiles(queries, 1, 'other')).size)).toBe(0);
});
