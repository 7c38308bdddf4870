import { expect, onTestFinished, test } from 'vitest';
import { diffOfVersion, diffVersionsOf, hasDiffVersion, nextDiffVersionId } from '../../../../src/server/repositories/diffs.js';
import { noteableIn } from '../../../../src/server/repositories/noteables.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { seedDatabase } from '../../../../src/server/world-file/seed.js';
import { hexInOrder } from '../../world-file/hex.js';

test('versions come newest first, and a merge request that was never pushed to has one', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.close());
  const refs = { base_sha: 'a', start_sha: 'a', head_sha: 'b' };
  const versions = [{ ...refs, diff: '' }, { ...refs, head_sha: 'c' }];
  await seedDatabase(database, { projects: [{ id: 1, path: 'a/b', merge_requests: [{ id: 7, ...refs, diff: '' }, { versions }, {}] }] },
    { now: new Date('2024-06-01T00:00:00Z'), hex: hexInOrder(), dialect: 'document' });
  const shown = (iid: number) => database.read(async (queries) => {
    const rows = await diffVersionsOf(queries, (await noteableIn(queries, 'merge_request', 1, iid))!);
    return Promise.all(rows.map(async (row) => [row.id, row.number, row.head_sha, await diffOfVersion(queries, row)]));
  });
  expect(await shown(1)).toEqual([[7, 1, 'b', '']]);
  expect(await shown(2)).toEqual([[1, 2, 'c', null], [8, 1, 'b', '']]);
  expect(await shown(3)).toEqual([]);
  expect(await database.read(async (queries) => [await nextDiffVersionId(queries), await hasDiffVersion(queries, 8), await hasDiffVersion(queries, 7)]))
    .toEqual([10, true, false]);
});
