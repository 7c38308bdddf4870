import { Type, type TSchema } from '@sinclair/typebox';
import { endpoint, required } from '../endpoint.js';
import { pagingParams } from '../paging.js';
import {
  CommitDetails, CurrentUser, DiffVersion, EpicDetails, FileDiff, Group, Issue, MergeRequest, Metadata, Project,
  Version,
} from './shapes.js';

const Id = Type.Union([Type.Integer(), Type.String()]);
const project = { id: required(Id, 'id or path of the project') };
const group = { id: required(Id, 'id or path of the group') };
const iid = (noun: string) => ({ iid: required(Type.Integer(), `internal id of the ${noun}`) });

const lookup = <const P extends string, const Q, R extends TSchema>(path: P, summary: string, params: Q, returns: R) =>
  ({ method: 'GET', paths: [path], summary, params, returns, status: 200, companion: true }) as const;

/**
 * What real clients look up before they can use the interface: who they are, what an epic's global id is, which SHAs a
 * merge request has. None of it stands in interface.md; Colloquy's client goes on without where a service lacks it.
 */
export const lookups = {
  version: endpoint(lookup('/version', 'get the version of the service', {}, Version)),
  metadata: endpoint(lookup('/metadata', 'get the version and edition of the service', {}, Metadata)),
  user: endpoint(lookup('/user', 'get the user the token belongs to', {}, CurrentUser)),
  project: endpoint(lookup('/projects/:id', 'get a project', project, Project)),
  group: endpoint(lookup('/groups/:id', 'get a group', group, Group)),
  epic: endpoint(lookup('/groups/:id/epics/:iid', 'get an epic', { ...group, ...iid('epic') }, EpicDetails)),
  issue: endpoint(lookup('/projects/:id/issues/:iid', 'get an issue', { ...project, ...iid('issue') }, Issue)),
  mergeRequest: endpoint(lookup('/projects/:id/merge_requests/:iid', 'get a merge request with its diff refs',
    { ...project, ...iid('merge request') }, MergeRequest)),
  versions: endpoint({
    ...lookup('/projects/:id/merge_requests/:iid/versions', 'list the diff versions of a merge request, newest first',
      { ...project, ...iid('merge request'), ...pagingParams }, Type.Array(DiffVersion)), paged: true,
  }),
  diffs: endpoint({
    ...lookup('/projects/:id/merge_requests/:iid/diffs', 'list the changed files of a merge request',
      { ...project, ...iid('merge request'), ...pagingParams }, Type.Array(FileDiff)), paged: true,
  }),
  commit: endpoint(lookup('/projects/:id/repository/commits/:sha', 'get a commit',
    { ...project, sha: required(Type.String(), 'SHA of the commit') }, CommitDetails)),
};
