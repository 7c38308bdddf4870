import { parsePatch, type FileChange } from '../../diff/patch.js';
import { type Queries, type Row, updateRow } from '../store/database.js';
import type { NoteableRow } from './noteables.js';

/** The diff is left out because it can be long. */
export interface DiffVersionRow extends Row {
  readonly id: number;
  readonly noteable: number;
  readonly number: number;
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
  readonly created_at: string;
}

const columns = 'id, noteable, number, base_sha, start_sha, head_sha, created_at';

/**
 * Newest first (behavior: pushes.versions). Before its first push a merge request has one version, with its own id
 * (behavior: pushes.version-ids); none if its SHAs are not known.
 */
export const diffVersionsOf = async (queries: Queries, mergeRequest: NoteableRow): Promise<DiffVersionRow[]> => {
  const rows = await queries.all<DiffVersionRow>(
    `SELECT ${columns} FROM diff_versions WHERE noteable = ? ORDER BY number DESC`, mergeRequest.id);
  if (rows.length > 0) return rows;
  const { global_id, id, base_sha, start_sha, head_sha, created_at } = mergeRequest;
  return base_sha === null || start_sha === null || head_sha === null ? []
    : [{ id: global_id, noteable: id, number: 1, base_sha, start_sha, head_sha, created_at }];
};

interface DiffRow extends Row { readonly diff: string | null }

export const storedDiff = async (queries: Queries, noteable: number): Promise<string | null> =>
  (await queries.get<DiffRow>('SELECT diff FROM noteables WHERE id = ?', noteable))?.diff ?? null;

export const diffOfVersion = async (queries: Queries, { noteable, number }: DiffVersionRow): Promise<string | null> => {
  const row = await queries.get<DiffRow>(
    'SELECT diff FROM diff_versions WHERE noteable = ? AND number = ?', noteable, number);
  return row ? row.diff : storedDiff(queries, noteable);
};

export const insertDiffVersion = (queries: Queries, version: DiffVersionRow, diff: string | null) => queries.run(
  `INSERT INTO diff_versions (${columns}, diff) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  version.id, version.noteable, version.number, version.base_sha, version.start_sha, version.head_sha,
  version.created_at, diff);

export const updateDiff = (
  queries: Queries, id: number, diff: Pick<NoteableRow, 'base_sha' | 'start_sha' | 'head_sha' | 'updated_at'> & DiffRow,
) => updateRow(queries, 'noteables', id, diff);

/** A first version has the id of its merge request. */
export const nextDiffVersionId = async (queries: Queries): Promise<number> => {
  const last = await queries.get<{ id: number | null }>(`SELECT max(id) AS id FROM (
    SELECT max(id) AS id FROM diff_versions UNION ALL
    SELECT max(global_id) AS id FROM noteables WHERE kind = 'merge_request') AS ids`);
  return (last?.id ?? 0) + 1;
};

export const hasDiffVersion = async (queries: Queries, id: number): Promise<boolean> =>
  await queries.get('SELECT id FROM diff_versions WHERE id = ?', id) !== undefined;

export const hasDiffVersions = async (queries: Queries, { id }: NoteableRow): Promise<boolean> =>
  await queries.get('SELECT id FROM diff_versions WHERE noteable = ? LIMIT 1', id) !== undefined;

const mostKept = 8_000_000;

const kept = new Map<string, readonly FileChange[]>();
let characters = 0;

/**
 * The files of a stored diff. Those read last are kept, because clients ask for a merge request, its versions and its
 * diffs one after the other, and each comment on a line needs the diff too.
 */
export const filesOfDiff = (diff: string): readonly FileChange[] => {
  const files = kept.get(diff) ?? parsePatch(diff);
  if (kept.delete(diff)) characters -= diff.length;
  kept.set(diff, files);
  characters += diff.length;
  for (const oldest of kept.keys()) {
    if (characters <= mostKept) break;
    kept.delete(oldest);
    characters -= oldest.length;
  }
  return files;
};

/** The path must be relative, without `.` and `..`, and short enough for an index of PostgreSQL. */
export const isFilePath = (path: string): boolean => path.length <= 500 && !/[\0-\x1f\x7f\\]/.test(path)
  && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

export const ownFiles = '';

export const storedFiles = async (
  queries: Queries, project: number, base_sha = ownFiles,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await queries.all<{ path: string; content: string }>(
    'SELECT path, content FROM files WHERE project_id = ? AND base_sha = ? ORDER BY path', project, base_sha);
  return new Map(rows.map(({ path, content }) => [path, content]));
};

/** A base without files of its own has those of the project. */
export const filesOfBase = async (
  queries: Queries, project: number, base_sha: string,
): Promise<ReadonlyMap<string, string>> => {
  const files = await storedFiles(queries, project, base_sha);
  return files.size > 0 ? files : storedFiles(queries, project);
};

export const fileText = async (queries: Queries, project: number, path: string): Promise<string | undefined> =>
  (await queries.get<{ content: string }>(
    'SELECT content FROM files WHERE project_id = ? AND base_sha = ? AND path = ?', project, ownFiles, path))?.content;

export const insertFiles = async (
  queries: Queries, project: number, base_sha: string, files: Iterable<readonly [path: string, content: string]>,
): Promise<void> => {
  for (const [path, content] of files) {
    await queries.run('INSERT INTO files (project_id, base_sha, path, content) VALUES (?, ?, ?, ?)',
      project, base_sha, path, content);
  }
};
