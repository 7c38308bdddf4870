import { Type, type Static } from '@sinclair/typebox';
import { nullable, Timestamp } from '../shapes/scalars.js';
import { User } from '../shapes/user.js';
import { DiffRefs, FileDiff } from './change-shapes.js';

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
