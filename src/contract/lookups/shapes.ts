import * as Type from '@sinclair/typebox';
import { Epic } from '../epics.js';
import { nullable, Timestamp, User } from '../shapes/scalars.js';

export const Version = Type.Object({
  version: Type.String(), revision: Type.String(),
}, { $id: 'Version', description: 'version of the service' });
export interface Version extends Type.Static<typeof Version> {}

export const Metadata = Type.Object({
  version: Type.String(), revision: Type.String(), enterprise: Type.Boolean(),
}, { $id: 'Metadata', description: 'version and edition of the service' });
export interface Metadata extends Type.Static<typeof Metadata> {}

export const CurrentUser = Type.Composite([User, Type.Object({ is_admin: Type.Optional(Type.Boolean()) })],
  { $id: 'CurrentUser', description: 'user the token belongs to' });
export interface CurrentUser extends Type.Static<typeof CurrentUser> {}

const Access = nullable(Type.Object({ access_level: Type.Integer() }));

export const Project = Type.Object({
  id: Type.Integer(), name: Type.String(), path: Type.String(), name_with_namespace: Type.String(),
  path_with_namespace: Type.String(), description: nullable(Type.String()), default_branch: nullable(Type.String()),
  visibility: Type.String(), created_at: Timestamp, last_activity_at: Timestamp, ssh_url_to_repo: Type.String(),
  http_url_to_repo: Type.String(), web_url: Type.String(), archived: Type.Boolean(),
  permissions: Type.Object({ project_access: Access, group_access: Access }),
}, { $id: 'Project', description: 'project' });
export interface Project extends Type.Static<typeof Project> {}

export const Group = Type.Object({
  id: Type.Integer(), name: Type.String(), path: Type.String(), full_path: Type.String(),
  visibility: Type.String(), web_url: Type.String(), parent_id: nullable(Type.Integer()),
}, { $id: 'Group', description: 'group' });
export interface Group extends Type.Static<typeof Group> {}

/** behavior: lookups.members */
export const Member = Type.Composite([User, Type.Object({
  access_level: Type.Integer(), created_at: Timestamp, expires_at: Type.Null(), membership_state: Type.String(),
})], { $id: 'Member', description: 'member of a project or group' });
export interface Member extends Type.Static<typeof Member> {}

/** behavior: lookups.files */
export const RepositoryFile = Type.Object({
  file_name: Type.String(), file_path: Type.String(), size: Type.Integer(), encoding: Type.String(),
  content: Type.String(), content_sha256: Type.String(), ref: Type.String(),
  blob_id: Type.String(), commit_id: nullable(Type.String()), last_commit_id: nullable(Type.String()),
  execute_filemode: Type.Boolean(),
}, { $id: 'RepositoryFile', description: 'text file of a project' });
export interface RepositoryFile extends Type.Static<typeof RepositoryFile> {}

export const EpicDetails = Type.Object({
  ...Epic.properties, confidential: Type.Boolean(), state: Type.String(), web_url: Type.String(),
}, { $id: 'EpicDetails', description: 'epic of a group' });
export interface EpicDetails extends Type.Static<typeof EpicDetails> {}

export const DiffRefs = Type.Object({
  base_sha: Type.String(), head_sha: Type.String(), start_sha: Type.String(),
}, { $id: 'DiffRefs', description: 'SHAs that a position on a diff needs' });
export interface DiffRefs extends Type.Static<typeof DiffRefs> {}

export const FileDiff = Type.Object({
  old_path: Type.String(), new_path: Type.String(), a_mode: Type.String(), b_mode: Type.String(),
  diff: nullable(Type.String()),
  new_file: Type.Boolean(), renamed_file: Type.Boolean(), deleted_file: Type.Boolean(),
  collapsed: Type.Optional(Type.Boolean()),
  too_large: Type.Optional(Type.Boolean()),
}, { $id: 'FileDiff', description: 'changed file with its diff' });
export interface FileDiff extends Type.Static<typeof FileDiff> {}

export const CommitDetails = Type.Object({
  id: Type.String(), short_id: Type.String(), title: Type.String(), message: Type.String(),
  parent_ids: Type.Array(Type.String()), author_name: Type.String(), author_email: Type.String(),
  authored_date: Timestamp, committer_name: Type.String(), committer_email: Type.String(), committed_date: Timestamp,
  created_at: Timestamp, web_url: Type.String(),
}, { $id: 'CommitDetails', description: 'commit' });
export interface CommitDetails extends Type.Static<typeof CommitDetails> {}

export const DiffVersion = Type.Object({
  id: Type.Integer(), head_commit_sha: Type.String(), base_commit_sha: Type.String(), start_commit_sha: Type.String(),
  created_at: Timestamp, merge_request_id: Type.Integer(), state: Type.String(), real_size: Type.String(),
  patch_id_sha: Type.Optional(nullable(Type.String())),
}, { $id: 'DiffVersion', description: 'diff version of a merge request' });
export interface DiffVersion extends Type.Static<typeof DiffVersion> {}

export const DiffVersionDetails = Type.Object({
  ...DiffVersion.properties, commits: Type.Array(CommitDetails), diffs: Type.Array(FileDiff),
}, { $id: 'DiffVersionDetails', description: 'diff version with its commits and changed files' });
export interface DiffVersionDetails extends Type.Static<typeof DiffVersionDetails> {}

export const Comparison = Type.Object({
  commit: nullable(CommitDetails), commits: Type.Array(CommitDetails), diffs: Type.Array(FileDiff),
  compare_timeout: Type.Boolean(), compare_same_ref: Type.Boolean(),
}, { $id: 'Comparison', description: 'commits and changed files between two SHAs' });
export interface Comparison extends Type.Static<typeof Comparison> {}

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

export const Issue = Type.Object({ ...Issuable, confidential: Type.Boolean() }, { $id: 'Issue', description: 'issue' });
export interface Issue extends Type.Static<typeof Issue> {}

export const MergeRequest = Type.Object({
  ...Issuable, source_branch: Type.String(), target_branch: Type.String(), source_project_id: Type.Integer(),
  target_project_id: Type.Integer(), draft: Type.Boolean(), work_in_progress: Type.Boolean(),
  assignee: nullable(User), reviewers: Type.Array(User), user_notes_count: Type.Integer(),
  blocking_discussions_resolved: Type.Boolean(), merge_status: Type.String(), detailed_merge_status: Type.String(),
  changes_count: Type.Optional(nullable(Type.String())),
  merged_at: nullable(Timestamp), merge_commit_sha: nullable(Type.String()), sha: nullable(Type.String()),
  diff_refs: nullable(DiffRefs),
}, { $id: 'MergeRequest', description: 'merge request with its diff refs' });
export interface MergeRequest extends Type.Static<typeof MergeRequest> {}

export const MergeRequestChanges = Type.Object({
  ...MergeRequest.properties, overflow: Type.Boolean(), changes: Type.Array(FileDiff),
}, { $id: 'MergeRequestChanges', description: 'merge request with its changed files' });
export interface MergeRequestChanges extends Type.Static<typeof MergeRequestChanges> {}

export const Approvals = Type.Object({
  id: Type.Integer(), iid: Type.Integer(), project_id: Type.Integer(), title: Type.String(), state: Type.String(),
  approvals_required: Type.Integer(), approvals_left: Type.Integer(), approved: Type.Boolean(),
  approved_by: Type.Array(Type.Object({ user: User })), user_has_approved: Type.Boolean(),
  user_can_approve: Type.Boolean(),
}, { $id: 'Approvals', description: 'approvals of a merge request' });
export interface Approvals extends Type.Static<typeof Approvals> {}

export const Reviewer = Type.Object({
  user: User, state: Type.String(), created_at: Timestamp,
}, { $id: 'Reviewer', description: 'reviewer of a merge request, and the state of the review' });
export interface Reviewer extends Type.Static<typeof Reviewer> {}

export const Snippet = Type.Object({
  ...described, file_name: Type.String(), visibility: Type.String(),
}, { $id: 'Snippet', description: 'snippet' });
export interface Snippet extends Type.Static<typeof Snippet> {}
