import { expect, test } from 'vitest';
import { openService } from '../../../../src/server/index.js';
import type { WorldDiffVersion, WorldMergeRequest } from '../../../../src/server/world-file/schema.js';

const version = (head_sha: string, more: Partial<WorldDiffVersion> = {}): WorldDiffVersion => ({ base_sha: 'a', head_sha, ...more });

const seeded = async (merge_requests: WorldMergeRequest[]) => {
  const service = await openService({ world: { projects: [{ path: 'acme/app', merge_requests }] } });
  const { projects } = await service.world();
  await service.close();
  return projects![0]!.merge_requests!.map(({ versions = [] }) => versions);
};

const idsOf = async (mergeRequests: WorldMergeRequest[]) =>
  (await seeded(mergeRequests)).map((versions) => versions.map(({ id }) => id));

test('the first version has the id of its merge request, and others the next free numbers', async () => {
  expect(await idsOf([{ id: 4, versions: [version('b'), version('c')] }, { id: 1 }, { id: 2, versions: [version('b'), version('c')] }]))
    .toEqual([[4, 3], [], [2, 5]]);
});

test('given ids are kept, and no other version has them', async () => {
  expect(await idsOf([{ id: 4, versions: [version('b'), version('c', { id: 1 })] }, { id: 1, versions: [version('d')] }]))
    .toEqual([[4, 1], [2]]);
});

test('a version without a time is as old as its merge request', async () => {
  const created_at = '2024-01-01T00:00:00.000Z';
  const later = '2024-01-02T00:00:00.000Z';
  expect(await seeded([{ created_at, versions: [version('b'), version('c', { created_at: later })] }]))
    .toMatchObject([[{ created_at }, { created_at: later }]]);
});

test('files of a base are those of all versions on it', async () => {
  const base_files = { 'a.ts': 'text' };
  expect(await seeded([{ versions: [version('b', { base_files }), version('c'), version('d', { base_sha: 'z' })] }]))
    .toMatchObject([[{ base_files }, { base_files }, { id: 3 }]]);
});

test('files of a base that several versions and merge requests name are kept once', async () => {
  const base_files = { 'a.ts': 'text' };
  expect(await seeded([{ versions: [version('b', { base_files }), version('c', { base_files })] }, { versions: [version('d', { base_files })] }]))
    .toMatchObject([[{ base_files }, { base_files }], [{ base_files }]]);
});
