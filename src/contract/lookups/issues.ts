import * as Type from '@sinclair/typebox';
import { endpoint, optional, required } from '../endpoint.js';
import { project } from '../paging.js';
import { labelChanges } from './merge-requests.js';
import { oneOf } from '../shapes/scalars.js';
import { Issue } from './shapes.js';

const path = { ...project, iid: required(Type.Integer(), 'internal id of the issue') };

const content = {
  description: optional(Type.String(), 'description, Markdown'),
  assignee_ids: optional(Type.Array(Type.Integer()), 'ids of all assignees; empty or 0 for none'),
  confidential: optional(Type.Boolean(), 'whether only reporters and above, and the author, see it'),
  ...labelChanges,
};

/** Needs at least one of them (behavior: changes.missing). */
export const issueChanges = {
  title: optional(Type.String(), 'new title'),
  state_event: optional(oneOf('close', 'reopen'), 'close or reopen'),
  ...content,
};

/** Bots file and close what they find (behavior: changes.issue-right, changes.issue-create). */
export const issues = {
  create: endpoint({
    method: 'POST', paths: ['/projects/:id/issues'], summary: 'create an issue', companion: true,
    params: { ...project, title: required(Type.String(), 'title'), ...content }, returns: Issue, status: 201,
  }),
  modify: endpoint({
    method: 'PUT', paths: ['/projects/:id/issues/:iid'], summary: 'modify an issue', companion: true,
    params: { ...path, ...issueChanges }, returns: Issue, status: 200,
  }),
};
