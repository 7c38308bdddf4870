import type { NoteableKind } from '../../contract/noteables.js';
import type { Queries, Row } from '../store/database.js';

/** A row of `noteables`, without its diff, which can be long and is seldom asked for. */
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
  readonly created_at: string;
  readonly updated_at: string;
  /** Raised by every change of what its threads show. */
  readonly version: number;
}

/** The columns of a row, for a query. */
export const noteableColumns = `id, kind, project_id, group_id, iid, global_id, sha, parent_sha, title, description,
  state, author_id, confidential, locked, base_sha, start_sha, head_sha, source_branch, target_branch, created_at,
  updated_at, (SELECT version FROM activity WHERE noteable = noteables.id) AS version`;

/** By which column a path names a noteable (wire-facts 4.1). */
const column: Record<NoteableKind, string> = {
  issue: 'iid', merge_request: 'iid', snippet: 'global_id', epic: 'global_id', commit: 'sha',
};

/** The noteable that a path names within its project or group. */
export const noteableIn = (queries: Queries, kind: NoteableKind, container: number, name: number | string) =>
  queries.get<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables
     WHERE kind = ? AND ${kind === 'epic' ? 'group_id' : 'project_id'} = ? AND ${column[kind]} = ?`,
    kind, container, kind === 'commit' ? String(name).toLowerCase() : name);

/** A commit by the number that a note shows as its `noteable_id` in the document. */
export const commitByNumber = (queries: Queries, project: number, id: number) => queries.get<NoteableRow>(
  `SELECT ${noteableColumns} FROM noteables WHERE kind = 'commit' AND project_id = ? AND global_id = ?`, project, id);

/** What in a project changes one SHA into another: a merge request, or a commit and its parent. */
export const changeBetween = (queries: Queries, project: number, from: string, to: string) =>
  queries.get<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables WHERE project_id = ?
     AND (kind = 'merge_request' AND ? IN (base_sha, start_sha) AND head_sha = ?
       OR kind = 'commit' AND parent_sha = ? AND sha = ?) ORDER BY kind DESC, id LIMIT 1`,
    project, from, to, from, to);

interface DiffRow extends Row { readonly diff: string | null }

/** The diff of a merge request or commit, where the world has one. */
export const diffOf = async (queries: Queries, id: number): Promise<string | null> =>
  (await queries.get<DiffRow>('SELECT diff FROM noteables WHERE id = ?', id))?.diff ?? null;
