import type { NoteableKind } from '../../contract/noteables.js';
import type { Queries, Row } from '../store/database.js';

/** A row of `noteables`. */
export interface NoteableRow extends Row {
  readonly id: number;
  readonly kind: NoteableKind;
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly iid: number | null;
  readonly global_id: number;
  readonly sha: string | null;
  readonly parent_sha: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly author_id: number;
  readonly confidential: number;
  readonly locked: number;
  readonly base_sha: string | null;
  readonly start_sha: string | null;
  readonly head_sha: string | null;
  readonly source_branch: string | null;
  readonly target_branch: string | null;
  readonly diff: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** By which column a path names a noteable (wire-facts 4.1). */
const column: Record<NoteableKind, string> = {
  issue: 'iid', merge_request: 'iid', snippet: 'global_id', epic: 'global_id', commit: 'sha',
};

/** The noteable that a path names within its project or group. */
export const noteableIn = (queries: Queries, kind: NoteableKind, container: number, name: number | string) =>
  queries.get<NoteableRow>(
    `SELECT * FROM noteables
     WHERE kind = ? AND ${kind === 'epic' ? 'group_id' : 'project_id'} = ? AND ${column[kind]} = ?`,
    kind, container, kind === 'commit' ? String(name).toLowerCase() : name);

/** Counts a change of what a noteable's threads show. */
export const touchNoteable = (queries: Queries, id: number) =>
  queries.run('UPDATE noteables SET version = version + 1 WHERE id = ?', id);
