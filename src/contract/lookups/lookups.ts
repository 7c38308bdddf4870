import { Type, type TSchema } from '@sinclair/typebox';
import { required, type Endpoint } from '../endpoint.js';
import { branchFilters, pagingParams, stateFilter } from '../paging.js';
import {
  Approvals, CommitDetails, Comparison, CurrentUser, DiffVersion, DiffVersionDetails, EpicDetails, FileDiff, Group,
  Issue, MergeRequest, MergeRequestChanges, Metadata, Project, Snippet, Version,
} from './shapes.js';

const Id = Type.Union([Type.Integer(), Type.String()]);
const project = { id: required(Id, 'id or path of the project') };
const group = { id: required(Id, 'id or path of the group') };
const iid = (noun: string) => ({ iid: required(Type.Integer(), `internal id of the ${noun}`) });
const mergeRequest = { ...project, ...iid('merge request') };
const commit = { ...project, sha: required(Type.String(), 'SHA of the commit') };

type Params = Endpoint['params'];

const lookup = <const P extends string, const Q extends Params, R extends TSchema>(
  path: P, summary: string, params: Q, returns: R,
) => ({ method: 'GET', paths: [path], summary, params, returns, status: 200, companion: true }) as const;

const list = <const P extends string, const Q extends Params, R extends TSchema>(
  path: P, summary: string, params: Q, item: R,
) => ({ ...lookup(path, summary, { ...params, ...pagingParams }, Type.Array(item)), paged: true }) as const;

/**
 * What real clients look up before they can use the interface: who they are, what an epic's global id is, which SHAs a
 * merge request has. None of it stands in interface.md; Colloquy's client goes on without where a service lacks it.
 */
export const lookups = {
  version: lookup('/version', 'get the version of the service', {}, Version),
  metadata: lookup('/metadata', 'get the version and edition of the service', {}, Metadata),
  user: lookup('/user', 'get the user the token belongs to', {}, CurrentUser),
  project: lookup('/projects/:id', 'get a project', project, Project),
  group: lookup('/groups/:id', 'get a group', group, Group),
  epics: list('/groups/:id/epics', 'list the epics of a group, newest first', { ...group, ...stateFilter },
    EpicDetails),
  epic: lookup('/groups/:id/epics/:iid', 'get an epic', { ...group, ...iid('epic') }, EpicDetails),
  issues: list('/projects/:id/issues', 'list the issues of a project, newest first', { ...project, ...stateFilter },
    Issue),
  issue: lookup('/projects/:id/issues/:iid', 'get an issue', { ...project, ...iid('issue') }, Issue),
  snippets: list('/projects/:id/snippets', 'list the snippets of a project, newest first', project, Snippet),
  snippet: lookup('/projects/:id/snippets/:snippet_id', 'get a snippet',
    { ...project, snippet_id: required(Type.Integer(), 'id of the snippet') }, Snippet),
  mergeRequests: list('/projects/:id/merge_requests', 'list the merge requests of a project, newest first',
    { ...project, ...stateFilter, ...branchFilters }, MergeRequest),
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
  approvals: lookup('/projects/:id/merge_requests/:iid/approvals', 'get the approvals of a merge request, none here',
    mergeRequest, Approvals),
  commits: list('/projects/:id/repository/commits', 'list the known commits of a project, newest first', project,
    CommitDetails),
  commit: lookup('/projects/:id/repository/commits/:sha', 'get a commit', commit, CommitDetails),
  commitDiff: list('/projects/:id/repository/commits/:sha/diff', 'list the changed files of a commit', commit,
    FileDiff),
  comparison: lookup('/projects/:id/repository/compare',
    'get the changes between the ends of a merge request, or from a commit to the one after it', {
      ...project, from: required(Type.String(), 'SHA of the base'), to: required(Type.String(), 'SHA of the head'),
    }, Comparison),
};
