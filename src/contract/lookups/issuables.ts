import * as Type from '@sinclair/typebox';
import { companion, project } from '../builders.js';
import { versions } from '../conventions.js';
import { optional, required } from '../endpoint.js';
import { Suggestion } from '../shapes/note.js';
import { markUntil, oneOf } from '../shapes/scalars.js';
import { Approvals, Issue, MergeRequest } from './shapes.js';

const one = '/projects/:id/merge_requests/:iid';

const path = { ...project, iid: required(Type.Integer(), 'internal id of the merge request') };

const assignees = {
  assignee_ids: optional(Type.Array(Type.Integer()), 'ids of all assignees; empty or 0 for none'),
  assignee_id: optional(Type.Integer(), 'id of the only assignee; 0 for none'),
};

/** behavior: changes.labels, changes.new-labels */
const labelChanges = {
  labels: optional(Type.Array(Type.String()), 'titles of all labels; empty for none'),
  add_labels: optional(Type.Array(Type.String()), 'titles of labels to add'),
  remove_labels: optional(Type.Array(Type.String()), 'titles of labels to remove'),
};

/** Needs at least one of them (behavior: changes.missing). */
export const mergeRequestChanges = {
  title: optional(Type.String(), 'new title; `Draft:` in front makes it a draft', { notBlank: true }),
  description: optional(Type.String(), 'new description, Markdown'),
  state_event: optional(oneOf('close', 'reopen'), 'close or reopen'),
  target_branch: optional(Type.String(), 'new target branch', { notBlank: true }),
  ...assignees,
  reviewer_ids: optional(Type.Array(Type.Integer()), 'ids of all reviewers; empty or 0 for none'),
  ...labelChanges,
};

/** Bots change and approve what they review (behavior: changes.right, changes.approve-right). */
export const mergeRequests = {
  modify: companion('PUT', one, 'modify a merge request', { ...path, ...mergeRequestChanges }, MergeRequest),
  approve: companion('POST', `${one}/approve`, 'approve a merge request',
    { ...path, sha: optional(Type.String(), 'SHA of the head that you reviewed') }, Approvals),
  unapprove: companion('POST', `${one}/unapprove`, 'remove your approval of a merge request', path, Approvals),
};

const issuePath = { ...project, iid: required(Type.Integer(), 'internal id of the issue') };

const issueContent = {
  description: optional(Type.String(), 'description, Markdown'),
  ...assignees,
  confidential: optional(Type.Boolean(), 'whether only reporters and above, and the author, see it'),
  ...labelChanges,
};

/** Needs at least one of them (behavior: changes.missing). */
export const issueChanges = {
  title: optional(Type.String(), 'new title'),
  state_event: optional(oneOf('close', 'reopen'), 'close or reopen'),
  ...issueContent,
};

/** Bots file and close what they find (behavior: changes.issue-right, changes.issue-create). */
export const issues = {
  create: companion('POST', '/projects/:id/issues', 'create an issue',
    { ...project, title: required(Type.String(), 'title'), ...issueContent }, Issue),
  modify: companion('PUT', '/projects/:id/issues/:iid', 'modify an issue', { ...issuePath, ...issueChanges }, Issue),
};

/** behavior: suggestions.id-number, suggestions.id-text */
const suggestionId = Type.Union([Type.Integer(), markUntil(Type.String(), versions.recent)]);

const message = optional(Type.String(), 'message of the commit; by default it counts suggestions and files');

const added = { since: versions.suggestions };

/** Applied suggestions become a commit on the source branch (behavior: suggestions.apply). */
export const suggestions = {
  apply: companion('PUT', '/suggestions/:id/apply', 'apply a suggestion to the merge request',
    { id: required(suggestionId, 'id of the suggestion'), commit_message: message }, Suggestion, added),
  applyAll: companion('PUT', '/suggestions/batch_apply', 'apply suggestions to a merge request as one commit', {
    ids: required(Type.Array(Type.Integer()), 'ids of suggestions on the same branch'), commit_message: message,
  }, Type.Array(Suggestion), added),
};
