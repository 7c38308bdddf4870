import type { Contract } from '../../../contract/operations.js';
import type { HandlersOf } from '../../api/context.js';
import { getCommit, listMergeRequestCommits } from './commits.js';
import { getEpic, getGroup, getMetadata, getProject, getUser, getVersion } from './containers.js';
import { compare, getChanges, getDiffVersion, listCommitDiff, listDiffs, listVersions } from './diffs.js';
import { getApprovals, getIssue, getMergeRequest, getSnippet } from './issuables.js';
import { listCommits, listEpics, listIssues, listMergeRequests, listSnippets, listUsers } from './list-filters.js';

/** Objects are as visible as their discussions. */
export const lookupHandlers: HandlersOf<Contract['lookups']> = {
  version: getVersion,
  metadata: getMetadata,
  user: getUser,
  users: listUsers,
  project: getProject,
  group: getGroup,
  epics: listEpics,
  epic: getEpic,
  issues: listIssues,
  issue: getIssue,
  snippets: listSnippets,
  snippet: getSnippet,
  mergeRequests: listMergeRequests,
  mergeRequest: getMergeRequest,
  versions: listVersions,
  diffVersion: getDiffVersion,
  diffs: listDiffs,
  changes: getChanges,
  mergeRequestCommits: listMergeRequestCommits,
  approvals: getApprovals,
  commits: listCommits,
  commit: getCommit,
  commitDiff: listCommitDiff,
  comparison: compare,
};
