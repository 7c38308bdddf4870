import type { DiffVersionRow } from '../repositories/diff-versions.js';
import { ownFiles } from '../repositories/files.js';
import type { NoteableRow } from '../repositories/noteables.js';
import type { Queries, Row } from '../store/database.js';
import type { WorldDiffVersion } from './schema.js';

interface FileRow extends Row {
  readonly project_id: number;
  readonly base_sha: string;
  readonly path: string;
  readonly content: string;
}

/** Undefined if there are none. */
export type FilesOfBase = (project: number, base_sha?: string) => Record<string, string> | undefined;

export const filesByBase = async (queries: Queries): Promise<FilesOfBase> => {
  const files = new Map<string, [path: string, content: string][]>();
  const rows = await queries.all<FileRow>('SELECT * FROM files ORDER BY project_id, base_sha, path');
  for (const { project_id, base_sha, path, content } of rows) {
    add(files, `${project_id} ${base_sha}`, [path, content]);
  }
  return (project, base_sha = ownFiles) => {
    const found = files.get(`${project} ${base_sha}`);
    return found && Object.fromEntries(found);
  };
};

interface FullVersionRow extends DiffVersionRow { readonly diff: string | null }

/** In place of the SHAs and the diff of a merge request, if it has versions. */
type VersionKeys = (row: Pick<NoteableRow, 'id' | 'project_id'>) => object;

export const versionsBy = async (queries: Queries, filesOf: FilesOfBase): Promise<VersionKeys> => {
  const versions = new Map<number, FullVersionRow[]>();
  const rows = await queries.all<FullVersionRow>('SELECT * FROM diff_versions ORDER BY noteable, number');
  for (const row of rows) add(versions, row.noteable, row);
  return ({ id, project_id }) => {
    const own = versions.get(id)?.map((row) => versionFrom(row, filesOf(project_id!, row.base_sha)));
    return own ? { base_sha: null, start_sha: null, head_sha: null, diff: null, versions: own } : {};
  };
};

const versionFrom = (
  { id, base_sha, start_sha, head_sha, diff, created_at }: FullVersionRow, base_files: WorldDiffVersion['base_files'],
): WorldDiffVersion => ({
  id, base_sha, start_sha, head_sha, ...(diff !== null && { diff }), created_at, ...(base_files && { base_files }),
});

const add = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const others = lists.get(key);
  if (others) others.push(value);
  else lists.set(key, [value]);
};
