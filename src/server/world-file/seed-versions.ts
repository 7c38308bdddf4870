import { readInstant } from '../../wire/instants.js';
import { insertFiles } from '../repositories/files.js';
import type { Queries } from '../store/database.js';
import { insert, numbering, type SeededMergeRequest } from './seed-context.js';

/** After all merge requests: each has its id for its first version. */
export const seedVersions = async (queries: Queries, mergeRequests: readonly SeededMergeRequest[]): Promise<void> => {
  const named = new Set(mergeRequests.flatMap(({ versions }) => versions.flatMap(({ id }) => id ?? [])));
  const ids = numbering([...named, ...mergeRequests.map(({ global_id }) => global_id)]);
  for (const { noteable, global_id, created_at, versions } of mergeRequests) {
    for (const [i, version] of versions.entries()) {
      const { base_sha, start_sha = base_sha, head_sha, diff } = version;
      await insert(queries, 'diff_versions', {
        id: version.id ?? (i === 0 && !named.has(global_id) ? global_id : ids()), noteable, number: i + 1,
        base_sha, start_sha, head_sha, diff,
        created_at: version.created_at === undefined ? created_at : readInstant(version.created_at)!.iso,
      });
    }
  }
  await seedBaseFiles(queries, mergeRequests);
};

/** Once for each base of a project: versions with the same base have the same files. */
const seedBaseFiles = async (queries: Queries, mergeRequests: readonly SeededMergeRequest[]): Promise<void> => {
  const seen = new Set<string>();
  for (const { project_id, versions } of mergeRequests) {
    for (const { base_sha, base_files } of versions) {
      const key = `${project_id} ${base_sha}`;
      if (base_files === undefined || seen.has(key)) continue;
      seen.add(key);
      await insertFiles(queries, project_id, base_sha!, Object.entries(base_files));
    }
  }
};
