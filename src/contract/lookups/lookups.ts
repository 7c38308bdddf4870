import * as Type from '@sinclair/typebox';
import { companion, group, list, orderBy, project } from '../builders.js';
import { versions } from '../conventions.js';
import { type Endpoint, optional, required } from '../endpoint.js';
import { oneOf, Timestamp, User } from '../shapes/scalars.js';
import {
  Approvals, CommitDetails, Comparison, CurrentUser, DiffVersion, DiffVersionDetails, EpicDetails, FileDiff, Group,
  Issue, Member, MergeRequest, MergeRequestChanges, Metadata, Project, RepositoryFile, Reviewer, Snippet,
  Version,
} from './shapes.js';

const iid = (noun: string) => ({ iid: required(Type.Integer(), `internal id of the ${noun}`) });
const mergeRequest = { ...project, ...iid('merge request') };
const member = { user_id: required(Type.Integer(), 'id of the user') };
const file = { ...project, file_path: required(Type.String(), 'path of the file') };
const commit = { ...project, sha: required(Type.String(), 'SHA of the commit, its beginning, a branch or HEAD') };

const issuableFields = [
  'created_at', 'updated_at', 'title', 'priority', 'label_priority', 'milestone_due', 'popularity',
] as const;

const epicOrder = orderBy(['created_at', 'updated_at', 'title'], 'created_at', 'desc');

const projectOrder = orderBy([
  'id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', 'similarity', 'star_count', 'repository_size',
  'storage_size', 'packages_size', 'wiki_size',
], 'created_at', 'desc');

const stateText = 'state to filter by; default all';

/** For issues and epics (behavior: parameters.states). */
const stateFilter = {
  state: optional(oneOf('opened', 'closed', 'all'), stateText),
  confidential: optional(Type.Boolean(), 'only confidential ones, or only others'),
};

const branchFilters = {
  source_branch: optional(Type.String(), 'source branch to filter by'),
  target_branch: optional(Type.String(), 'target branch to filter by'),
  source_project_id: optional(Type.Integer(), 'id of the project of the source branch'),
};

const UserIdFilter = Type.Union([Type.Integer(), Type.Literal('None'), Type.Literal('Any')]);

const commonFilters = {
  labels: optional(Type.Array(Type.String()), 'labels that they must have, all of them; None or Any'),
  iids: optional(Type.Array(Type.Integer()), 'internal ids'),
  author_id: optional(Type.Integer(), 'id of the author'),
  author_username: optional(Type.String(), 'username of the author'),
  search: optional(Type.String(), 'text in the title or description'),
  created_after: optional(Timestamp, 'earliest time of creation'),
  created_before: optional(Timestamp, 'latest time of creation'),
  updated_after: optional(Timestamp, 'earliest time of the last change'),
  updated_before: optional(Timestamp, 'latest time of the last change'),
};

const assigneeFilters = {
  assignee_id: optional(UserIdFilter, 'id of an assignee, None or Any'),
  assignee_username: optional(Type.Array(Type.String()), 'usernames of assignees, all of them'),
  in: optional(Type.String(), 'where to search: title, description or both, separated by a comma'),
};

/** Those with hyphens are older. */
const scopes = ['all', 'created_by_me', 'assigned_to_me', 'created-by-me', 'assigned-to-me'] as const;

const issueFilters = {
  ...stateFilter, ...commonFilters, ...assigneeFilters,
  scope: optional(oneOf(...scopes), 'whose issues; default all'),
  ...orderBy([...issuableFields, 'due_date', 'relative_position', 'weight'], 'created_at', 'desc'),
};

/** @param scope the default one */
export const mergeRequestFilters = (scope: 'all' | 'created_by_me') => ({
  state: optional(oneOf('opened', 'closed', 'locked', 'merged', 'all'), stateText),
  scope: optional(oneOf(...scopes, 'reviews_for_me'), `whose merge requests; default ${scope}`),
  ...commonFilters, ...assigneeFilters, ...branchFilters,
  reviewer_id: optional(UserIdFilter, 'id of a reviewer, None or Any'),
  reviewer_username: optional(Type.String(), 'username of a reviewer'),
  wip: optional(oneOf('yes', 'no'), 'only drafts, or only others'),
  ...orderBy([...issuableFields, 'merged_at'], 'created_at', 'desc'),
});

/** behavior: parameters.exclusive-people */
const exclusivePeople = {
  epics: [['author_id', 'author_username']],
  issues: [['author_id', 'author_username'], ['assignee_id', 'assignee_username']],
  mergeRequests: [
    ['author_id', 'author_username'], ['assignee_id', 'assignee_username'], ['reviewer_id', 'reviewer_username'],
  ],
} as const;

const unservedFilters = {
  users: [
    'external', 'admins', 'created_after', 'created_before', 'two_factor', 'without_projects', 'extern_uid', 'provider',
    'exclude_active', 'exclude_external', 'exclude_humans', 'auditors', 'saml_provider_id', 'skip_ldap', 'public_email',
  ],
  projects: [
    'topic', 'topic_id', 'starred', 'imported', 'id_after', 'id_before', 'last_activity_after', 'last_activity_before',
    'updated_after', 'updated_before', 'with_programming_language', 'repository_storage', 'active',
    'marked_for_deletion_on', 'custom_attributes', 'repository_checksum_failed', 'wiki_checksum_failed',
  ],
  groups: [
    'top_level_only', 'skip_groups', 'repository_storage', 'active', 'archived', 'marked_for_deletion_on',
    'custom_attributes',
  ],
  members: ['user_ids', 'skip_users', 'state', 'with_saml_identity'],
  commits: ['since', 'until', 'path', 'author', 'first_parent'],
  epics: ['my_reaction_emoji', 'not'],
  issues: [
    'my_reaction_emoji', 'not', 'milestone', 'milestone_id', 'due_date', 'issue_type', 'weight', 'epic_id',
    'iteration_id', 'iteration_title', 'health_status',
  ],
  mergeRequests: [
    'my_reaction_emoji', 'not', 'milestone', 'approved', 'approved_by_ids', 'approved_by_usernames', 'approver_ids',
    'merge_user_id', 'merge_user_username', 'deployed_after', 'deployed_before', 'environment',
  ],
} as const;

const ofMergeRequests = { exclusive: exclusivePeople.mergeRequests, unservedFilters: unservedFilters.mergeRequests };

const nameFilter = { query: optional(Type.String(), 'text in the name or username') };

const ofMembers = { unservedFilters: unservedFilters.members };

const containerFilters = {
  search: optional(Type.String(), 'text in the name or path'),
  owned: optional(Type.Boolean(), 'only those you own'),
  visibility: optional(oneOf('public', 'internal', 'private'), 'visibility to filter by'),
  min_access_level: optional(Type.Integer(), 'your lowest access level in them, such as 30 for developers'),
};

const lookup = <const P extends Endpoint['params'], R extends Type.TSchema>(
  path: string, summary: string, params: P, returns: R,
) => companion('GET', path, summary, params, returns);

/** Clients need these before they can use the API. They are not in the documentation; Colloquy works without them. */
export const lookups = {
  version: lookup('/version', 'get the version of the service', {}, Version),
  metadata: lookup('/metadata', 'get the version and edition of the service', {}, Metadata),
  user: lookup('/user', 'get the user the token belongs to', {}, CurrentUser),
  users: list('/users', 'list the users, newest first', {
    username: optional(Type.String(), 'user name to filter by, compared without case'),
    search: optional(Type.String(), 'text in the name or user name'),
    active: optional(Type.Boolean(), 'true for active users only'),
    blocked: optional(Type.Boolean(), 'true for blocked users only'),
    ...orderBy(['id', 'name', 'username', 'created_at', 'updated_at'], 'id', 'desc'),
  }, User, { unservedFilters: unservedFilters.users }),
  userById: lookup('/users/:user_id', 'get a user', member, User),
  projects: list('/projects', 'list the projects you can see, newest first', {
    ...containerFilters, membership: optional(Type.Boolean(), 'only projects you are a member of'),
    archived: optional(Type.Boolean(), 'only archived projects, or only others'), ...projectOrder,
  }, Project, { unservedFilters: unservedFilters.projects }),
  project: lookup('/projects/:id', 'get a project', project, Project),
  projectMembers: list('/projects/:id/members', 'list the direct members of a project', { ...project, ...nameFilter },
    Member, ofMembers),
  projectMember: lookup('/projects/:id/members/:user_id', 'get a direct member of a project',
    { ...project, ...member }, Member),
  allProjectMembers: list('/projects/:id/members/all', 'list the members of a project, with inherited ones',
    { ...project, ...nameFilter }, Member, ofMembers),
  anyProjectMember: lookup('/projects/:id/members/all/:user_id', 'get a member of a project, direct or inherited',
    { ...project, ...member }, Member),
  file: lookup('/projects/:id/repository/files/:file_path', 'get a text file of a project, from any branch', {
    ...file, ref: required(Type.String(), 'branch, tag or commit', { notBlank: true }),
  }, RepositoryFile),
  rawFile: companion('GET', '/projects/:id/repository/files/:file_path/raw', 'get the text of a file of a project', {
    ...file, ref: optional(Type.String(), 'branch, tag or commit; default: the default branch', { notBlank: true }),
  }, Type.String(), { raw: true }),
  groups: list('/groups', 'list the groups you can see, by name',
    { ...containerFilters, ...orderBy(['name', 'path', 'id', 'similarity'], 'name', 'asc') }, Group,
    { unservedFilters: unservedFilters.groups }),
  group: lookup('/groups/:id', 'get a group', group, Group),
  groupMembers: list('/groups/:id/members', 'list the direct members of a group', { ...group, ...nameFilter }, Member,
    ofMembers),
  groupMember: lookup('/groups/:id/members/:user_id', 'get a direct member of a group',
    { ...group, ...member }, Member),
  allGroupMembers: list('/groups/:id/members/all', 'list the members of a group, with inherited ones',
    { ...group, ...nameFilter }, Member, ofMembers),
  anyGroupMember: lookup('/groups/:id/members/all/:user_id', 'get a member of a group, direct or inherited',
    { ...group, ...member }, Member),
  epics: list('/groups/:id/epics', 'list the epics of a group and its subgroups, newest first', {
    ...group, ...stateFilter, ...commonFilters, ...epicOrder,
    include_descendant_groups: optional(Type.Boolean(), 'include the epics of subgroups; default true'),
  }, EpicDetails, { exclusive: exclusivePeople.epics, unservedFilters: unservedFilters.epics }),
  epic: lookup('/groups/:id/epics/:iid', 'get an epic', { ...group, ...iid('epic') }, EpicDetails),
  issues: list('/projects/:id/issues', 'list the issues of a project, newest first', { ...project, ...issueFilters },
    Issue, { exclusive: exclusivePeople.issues, unservedFilters: unservedFilters.issues }),
  issue: lookup('/projects/:id/issues/:iid', 'get an issue', { ...project, ...iid('issue') }, Issue),
  snippets: list('/projects/:id/snippets', 'list the snippets of a project, newest first', project, Snippet),
  snippet: lookup('/projects/:id/snippets/:snippet_id', 'get a snippet',
    { ...project, snippet_id: required(Type.Integer(), 'id of the snippet') }, Snippet),
  mergeRequests: list('/projects/:id/merge_requests', 'list the merge requests of a project, newest first',
    { ...project, ...mergeRequestFilters('all') }, MergeRequest, ofMergeRequests),
  allMergeRequests: list('/merge_requests', 'list the merge requests you created, or others with a scope',
    mergeRequestFilters('created_by_me'), MergeRequest, ofMergeRequests),
  groupMergeRequests: list('/groups/:id/merge_requests',
    'list the merge requests of the projects of a group and its subgroups, newest first',
    { ...group, ...mergeRequestFilters('all') }, MergeRequest, ofMergeRequests),
  mergeRequest: lookup('/projects/:id/merge_requests/:iid', 'get a merge request with its diff refs', mergeRequest,
    MergeRequest),
  versions: list('/projects/:id/merge_requests/:iid/versions',
    'list the diff versions of a merge request, newest first', mergeRequest, DiffVersion),
  diffVersion: lookup('/projects/:id/merge_requests/:iid/versions/:version_id',
    'get one diff version of a merge request with its commits and changed files',
    { ...mergeRequest, version_id: required(Type.Integer(), 'id of the diff version') }, DiffVersionDetails),
  diffs: list('/projects/:id/merge_requests/:iid/diffs', 'list the changed files of a merge request', mergeRequest,
    FileDiff),
  changes: lookup('/projects/:id/merge_requests/:iid/changes', 'get a merge request with its changed files',
    mergeRequest, MergeRequestChanges),
  mergeRequestCommits: list('/projects/:id/merge_requests/:iid/commits', 'list the known commits of a merge request',
    mergeRequest, CommitDetails),
  approvals: lookup('/projects/:id/merge_requests/:iid/approvals', 'get the approvals of a merge request',
    mergeRequest, Approvals),
  reviewers: list('/projects/:id/merge_requests/:iid/reviewers',
    'list the reviewers of a merge request, each with the state of the review', mergeRequest, Reviewer,
    { since: versions.unknown }),
  commits: list('/projects/:id/repository/commits', 'list the known commits of a project, newest first', project,
    CommitDetails, { unservedFilters: unservedFilters.commits }),
  commit: lookup('/projects/:id/repository/commits/:sha', 'get a commit', commit, CommitDetails),
  commitDiff: list('/projects/:id/repository/commits/:sha/diff', 'list the changed files of a commit', commit,
    FileDiff),
  comparison: lookup('/projects/:id/repository/compare',
    'compare the base and head of a merge request, or a commit and the one after it', {
      ...project, from: required(Type.String(), 'SHA of the base'), to: required(Type.String(), 'SHA of the head'),
    }, Comparison),
};
