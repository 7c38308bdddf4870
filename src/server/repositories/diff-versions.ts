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
 * Newest first. Before its first push a merge request has one version, with its own id; none if its SHAs are not known.
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
