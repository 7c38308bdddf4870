import * as Type from '@sinclair/typebox';
import { versions } from '../conventions.js';
import { endpoint, optional, required } from '../endpoint.js';
import { project } from '../paging.js';
import { Suggestion } from '../shapes/note.js';
import { markUntil, oneOf } from '../shapes/scalars.js';
import { Approvals, MergeRequest } from './shapes.js';

const one = '/projects/:id/merge_requests/:iid';

const path = { ...project, iid: required(Type.Integer(), 'internal id of the merge request') };

const userIds = Type.Array(Type.Integer());

/** behavior: changes.labels, changes.new-labels */
export const labelChanges = {
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
  assignee_ids: optional(userIds, 'ids of all assignees; empty or 0 for none'),
  reviewer_ids: optional(userIds, 'ids of all reviewers; empty or 0 for none'),
  ...labelChanges,
};

/** Bots change and approve what they review (behavior: changes.right, changes.approve-right). */
export const mergeRequests = {
  modify: endpoint({
    method: 'PUT', paths: [one], summary: 'modify a merge request', companion: true,
    params: { ...path, ...mergeRequestChanges }, returns: MergeRequest, status: 200,
  }),
  approve: endpoint({
    method: 'POST', paths: [`${one}/approve`], summary: 'approve a merge request', companion: true,
    params: { ...path, sha: optional(Type.String(), 'SHA of the head that you reviewed') },
    returns: Approvals, status: 201,
  }),
  unapprove: endpoint({
    method: 'POST', paths: [`${one}/unapprove`], summary: 'remove your approval of a merge request', companion: true,
    params: path, returns: Approvals, status: 201,
  }),
};

/** behavior: suggestions.id-number, suggestions.id-text */
const suggestionId = Type.Union([Type.Integer(), markUntil(Type.String(), versions.recent)]);

const message = optional(Type.String(), 'message of the commit; by default it counts suggestions and files');

const added = { status: 200, since: versions.suggestions, companion: true } as const;

/** Applied suggestions become a commit on the source branch (behavior: suggestions.apply). */
export const suggestions = {
  apply: endpoint({
    method: 'PUT', paths: ['/suggestions/:id/apply'], summary: 'apply a suggestion to the merge request',
    params: { id: required(suggestionId, 'id of the suggestion'), commit_message: message },
    returns: Suggestion, ...added,
  }),
  applyAll: endpoint({
    method: 'PUT', paths: ['/suggestions/batch_apply'], summary: 'apply suggestions to a merge request as one commit',
    params: {
      ids: required(Type.Array(Type.Integer()), 'ids of suggestions on the same branch'), commit_message: message,
    },
    returns: Type.Array(Suggestion), ...added,
  }),
};
