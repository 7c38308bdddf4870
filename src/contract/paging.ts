import * as Type from '@sinclair/typebox';
import { perPage, versions } from './conventions.js';
import { optional, required } from './endpoint.js';
import { oneOf, Timestamp } from './shapes/scalars.js';

const ContainerId = Type.Union([Type.Integer(), Type.String()]);

export const project = { id: required(ContainerId, 'id or path of the project') };
export const group = { id: required(ContainerId, 'id or path of the group') };

/** behavior: pages.zero, pages.no-keyset */
export const pagingParams = {
  page: optional(Type.Integer(), 'page number, from 1'),
  per_page: optional(Type.Integer(), `results per page, at most ${perPage.max}; default ${perPage.default}`,
    { except: [0] }),
};

/** Fields that this server does not store are accepted too (behavior: parameters.list-order, lookups.order). */
const orderBy = <const F extends readonly string[]>(fields: F, field: F[number], sort: 'asc' | 'desc') => ({
  order_by: optional(oneOf<F[number]>(...fields), `sort field; default ${field}`),
  sort: optional(oneOf('asc', 'desc'), `sort direction; default ${sort}`),
});

const issuableFields = [
  'created_at', 'updated_at', 'title', 'priority', 'label_priority', 'milestone_due', 'popularity',
] as const;

export const issueOrder = orderBy([...issuableFields, 'due_date', 'relative_position', 'weight'], 'created_at', 'desc');

export const epicOrder = orderBy(['created_at', 'updated_at', 'title'], 'created_at', 'desc');

export const userOrder = orderBy(['id', 'name', 'username', 'created_at', 'updated_at'], 'id', 'desc');

export const groupOrder = orderBy(['name', 'path', 'id', 'similarity'], 'name', 'asc');

export const projectOrder = orderBy([
  'id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', 'similarity', 'star_count', 'repository_size',
  'storage_size', 'packages_size', 'wiki_size',
], 'created_at', 'desc');

const stateText = 'state to filter by; default all';

/** For issues and epics (behavior: parameters.states). */
export const stateFilter = {
  state: optional(oneOf('opened', 'closed', 'all'), stateText),
};

export const labelFilter = {
  labels: optional(Type.Array(Type.String()), 'labels that they must have, all of them; None or Any'),
};

export const branchFilters = {
  source_branch: optional(Type.String(), 'source branch to filter by'),
  target_branch: optional(Type.String(), 'target branch to filter by'),
};

const UserIdFilter = Type.Union([Type.Integer(), Type.Literal('None'), Type.Literal('Any')]);

export const noteOrder = orderBy(['created_at', 'updated_at'], 'created_at', 'desc');

/** behavior: notes.activity-filter */
export const activityFilter = {
  activity_filter: optional(oneOf('all_notes', 'only_comments', 'only_activity'),
    'notes to list: only_comments of users, only_activity of the service, or all_notes; default all_notes',
    { since: versions.unknown }),
};

/** The scope is one of the service's; its names with hyphens are older. @param scope the default one */
export const mergeRequestFilters = (scope: 'all' | 'created_by_me') => ({
  state: optional(oneOf('opened', 'closed', 'locked', 'merged', 'all'), stateText),
  scope: optional(
    oneOf('created_by_me', 'assigned_to_me', 'reviews_for_me', 'all', 'created-by-me', 'assigned-to-me'),
    `whose merge requests; default ${scope}`),
  iids: optional(Type.Array(Type.Integer()), 'internal ids of the merge requests'),
  author_id: optional(Type.Integer(), 'id of the author'),
  author_username: optional(Type.String(), 'username of the author'),
  assignee_id: optional(UserIdFilter, 'id of an assignee, None or Any'),
  assignee_username: optional(Type.String(), 'username of an assignee'),
  reviewer_id: optional(UserIdFilter, 'id of a reviewer, None or Any'),
  reviewer_username: optional(Type.String(), 'username of a reviewer'),
  search: optional(Type.String(), 'text in the title or description'),
  created_after: optional(Timestamp, 'earliest time of creation'),
  created_before: optional(Timestamp, 'latest time of creation'),
  updated_after: optional(Timestamp, 'earliest time of the last change'),
  updated_before: optional(Timestamp, 'latest time of the last change'),
  wip: optional(oneOf('yes', 'no'), 'only drafts, or only others'),
  ...orderBy([...issuableFields, 'merged_at'], 'created_at', 'desc'),
});

export const nameFilter = { query: optional(Type.String(), 'text in the name or username') };

export const containerFilters = {
  search: optional(Type.String(), 'text in the name or path'),
  owned: optional(Type.Boolean(), 'only those you own'),
  visibility: optional(oneOf('public', 'internal', 'private'), 'visibility to filter by'),
};
