import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/server/store/open.js';
import { newStore } from '../../support/stores.js';
import { storeSuite } from './suite.js';

storeSuite('PostgreSQL', async () => openDatabase({ file: await newStore() }));

test('stores in one database do not wait for each other', async () => {
  const [one, other] = await Promise.all([openDatabase({ file: await newStore() }), openDatabase({ file: await newStore() })]);
  const seen = await one.writeAlone(async (queries) => {
    await queries.lock('noteable 1');
    return other.writeAlone(async (others) => { await others.lock('noteable 1'); return 'both'; });
  });
  expect(seen).toBe('both');
  await Promise.all([one.close(), other.close()]);
});
