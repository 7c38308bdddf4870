import { Type, type Static } from '@sinclair/typebox';
import { nullable, Timestamp } from '../shapes/scalars.js';

export const DiffRefs = Type.Object({
  base_sha: Type.String(), head_sha: Type.String(), start_sha: Type.String(),
}, { $id: 'DiffRefs' });
export type DiffRefs = Static<typeof DiffRefs>;

export const FileDiff = Type.Object({
  old_path: Type.String(), new_path: Type.String(), a_mode: Type.String(), b_mode: Type.String(), diff: Type.String(),
  new_file: Type.Boolean(), renamed_file: Type.Boolean(), deleted_file: Type.Boolean(),
}, { $id: 'FileDiff' });
export type FileDiff = Static<typeof FileDiff>;

export const CommitDetails = Type.Object({
  id: Type.String(), short_id: Type.String(), title: Type.String(), message: Type.String(),
  parent_ids: Type.Array(Type.String()), author_name: Type.String(), author_email: Type.String(),
  authored_date: Timestamp, committer_name: Type.String(), committer_email: Type.String(), committed_date: Timestamp,
  created_at: Timestamp, web_url: Type.String(),
}, { $id: 'CommitDetails' });
export type CommitDetails = Static<typeof CommitDetails>;

export const DiffVersion = Type.Object({
  id: Type.Integer(), head_commit_sha: Type.String(), base_commit_sha: Type.String(), start_commit_sha: Type.String(),
  created_at: Timestamp, merge_request_id: Type.Integer(), state: Type.String(), real_size: Type.String(),
}, { $id: 'DiffVersion' });
export type DiffVersion = Static<typeof DiffVersion>;

export const DiffVersionDetails = Type.Object({
  ...DiffVersion.properties, commits: Type.Array(CommitDetails), diffs: Type.Array(FileDiff),
}, { $id: 'DiffVersionDetails' });
export type DiffVersionDetails = Static<typeof DiffVersionDetails>;

export const Comparison = Type.Object({
  commit: nullable(CommitDetails), commits: Type.Array(CommitDetails), diffs: Type.Array(FileDiff),
  compare_timeout: Type.Boolean(), compare_same_ref: Type.Boolean(),
}, { $id: 'Comparison' });
export type Comparison = Static<typeof Comparison>;
