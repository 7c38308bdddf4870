import type { Queries, Row } from '../store/database.js';
import type { NoteableRow } from './noteables.js';

/** Without the diff, which can be long. */
export interface DiffVersionRow extends Row {
  readonly id: number;
  readonly noteable: number;
  /** From 1. */
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

/** Null if it is not known. */
export const diffOfVersion = async (queries: Queries, { noteable, number }: DiffVersionRow): Promise<string | null> => {
  const row = await queries.get<DiffRow>(
    'SELECT diff FROM diff_versions WHERE noteable = ? AND number = ?', noteable, number)
    ?? await queries.get<DiffRow>('SELECT diff FROM noteables WHERE id = ?', noteable);
  return row?.diff ?? null;
};

export const insertDiffVersion = (queries: Queries, version: DiffVersionRow, diff: string | null) => queries.run(
  `INSERT INTO diff_versions (${columns}, diff) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  version.id, version.noteable, version.number, version.base_sha, version.start_sha, version.head_sha,
  version.created_at, diff);

interface IdRow extends Row { readonly id: number | null }

/** A first version has the id of its merge request. */
export const nextDiffVersionId = async (queries: Queries): Promise<number> => {
  const last = await queries.get<IdRow>(`SELECT max(id) AS id FROM (
    SELECT max(id) AS id FROM diff_versions UNION ALL
    SELECT max(global_id) AS id FROM noteables WHERE kind = 'merge_request') AS ids`);
  return (last?.id ?? 0) + 1;
};

export const hasDiffVersion = async (queries: Queries, id: number): Promise<boolean> =>
  await queries.get<IdRow>('SELECT id FROM diff_versions WHERE id = ?', id) !== undefined;

export const hasDiffVersions = async (queries: Queries, { id }: NoteableRow): Promise<boolean> =>
  await queries.get<IdRow>('SELECT id FROM diff_versions WHERE noteable = ? LIMIT 1', id) !== undefined;
