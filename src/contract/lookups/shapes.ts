import { Type, type Static } from '@sinclair/typebox';
import { Epic } from '../shapes/epic.js';
import { nullable, Timestamp, User } from '../shapes/scalars.js';

export const Version = Type.Object({ version: Type.String(), revision: Type.String() }, { $id: 'Version' });
export type Version = Static<typeof Version>;

export const Metadata = Type.Object({
  version: Type.String(), revision: Type.String(), enterprise: Type.Boolean(),
}, { $id: 'Metadata' });
export type Metadata = Static<typeof Metadata>;

export const CurrentUser = Type.Composite([User, Type.Object({ is_admin: Type.Optional(Type.Boolean()) })],
  { $id: 'CurrentUser' });
export type CurrentUser = Static<typeof CurrentUser>;

const Access = nullable(Type.Object({ access_level: Type.Integer() }));

export const Project = Type.Object({
  id: Type.Integer(), name: Type.String(), path: Type.String(), name_with_namespace: Type.String(),
  path_with_namespace: Type.String(), description: nullable(Type.String()), default_branch: nullable(Type.String()),
  visibility: Type.String(), web_url: Type.String(), archived: Type.Boolean(),
  permissions: Type.Object({ project_access: Access, group_access: Access }),
}, { $id: 'Project' });
export type Project = Static<typeof Project>;

export const Group = Type.Object({
  id: Type.Integer(), name: Type.String(), path: Type.String(), full_path: Type.String(),
  visibility: Type.String(), web_url: Type.String(), parent_id: nullable(Type.Integer()),
}, { $id: 'Group' });
export type Group = Static<typeof Group>;

export const EpicDetails = Type.Object({
  ...Epic.properties, confidential: Type.Boolean(), state: Type.String(), web_url: Type.String(),
}, { $id: 'EpicDetails' });
export type EpicDetails = Static<typeof EpicDetails>;

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

const described = {
  id: Type.Integer(), project_id: Type.Integer(), title: Type.String(), description: nullable(Type.String()),
  author: User, web_url: Type.String(), created_at: Timestamp, updated_at: Timestamp,
};

const References = Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() });

const Issuable = {
  ...described, iid: Type.Integer(), state: Type.String(), closed_at: nullable(Timestamp),
  labels: Type.Array(Type.String()), assignees: Type.Array(User), milestone: Type.Null(), references: References,
  discussion_locked: nullable(Type.Boolean()),
};

export const Issue = Type.Object({ ...Issuable, confidential: Type.Boolean() }, { $id: 'Issue' });
export type Issue = Static<typeof Issue>;

export const MergeRequest = Type.Object({
  ...Issuable, source_branch: Type.String(), target_branch: Type.String(), source_project_id: Type.Integer(),
  target_project_id: Type.Integer(), draft: Type.Boolean(), reviewers: Type.Array(User),
  merged_at: nullable(Timestamp), merge_commit_sha: nullable(Type.String()), sha: nullable(Type.String()),
  diff_refs: nullable(DiffRefs),
}, { $id: 'MergeRequest' });
export type MergeRequest = Static<typeof MergeRequest>;

export const MergeRequestChanges = Type.Object({
  ...MergeRequest.properties, changes_count: Type.String(), overflow: Type.Boolean(), changes: Type.Array(FileDiff),
}, { $id: 'MergeRequestChanges' });
export type MergeRequestChanges = Static<typeof MergeRequestChanges>;

export const Approvals = Type.Object({
  id: Type.Integer(), iid: Type.Integer(), project_id: Type.Integer(), title: Type.String(), state: Type.String(),
  approvals_required: Type.Integer(), approvals_left: Type.Integer(), approved: Type.Boolean(),
  approved_by: Type.Array(Type.Object({ user: User })),
}, { $id: 'Approvals' });
export type Approvals = Static<typeof Approvals>;

export const Snippet = Type.Object({
  ...described, file_name: Type.String(), visibility: Type.String(),
}, { $id: 'Snippet' });
export type Snippet = Static<typeof Snippet>;
