import type { Contract } from '../../../contract/operations.js';
import type { HandlersOf } from '../../api/context.js';
import {
  compare, getChanges, getCommit, getDiffVersion, listCommitDiff, listCommits, listDiffs, listMergeRequestCommits,
  listVersions,
} from './commits.js';
import { getGroup, getProject, listGroups, listProjects, memberHandlers } from './containers.js';
import { getFile, getRawFile } from './files.js';
import { getEpic, getIssue, getSnippet, listEpics, listIssues, listSnippets } from './issuables.js';
import {
  getApprovals, getMergeRequest, getReviewers, listAllMergeRequests, listGroupMergeRequests, listMergeRequests,
} from './merge-requests.js';
import { getMetadata, getUser, getUserById, getVersion, listUsers } from './users.js';

/** Objects are as visible as their discussions. */
export const lookupHandlers: HandlersOf<Contract['lookups']> = {
  version: getVersion,
  metadata: getMetadata,
  user: getUser,
  users: listUsers,
  userById: getUserById,
  projects: listProjects,
  groups: listGroups,
  ...memberHandlers,
  file: getFile,
  rawFile: getRawFile,
  project: getProject,
  group: getGroup,
  epics: listEpics,
  epic: getEpic,
  issues: listIssues,
  issue: getIssue,
  snippets: listSnippets,
  snippet: getSnippet,
  mergeRequests: listMergeRequests,
  allMergeRequests: listAllMergeRequests,
  groupMergeRequests: listGroupMergeRequests,
  mergeRequest: getMergeRequest,
  versions: listVersions,
  diffVersion: getDiffVersion,
  diffs: listDiffs,
  changes: getChanges,
  mergeRequestCommits: listMergeRequestCommits,
  approvals: getApprovals,
  reviewers: getReviewers,
  commits: listCommits,
  commit: getCommit,
  commitDiff: listCommitDiff,
  comparison: compare,
};
