import type { Contract } from '../../contract/contract.js';
import type { BehavioursOf } from '../call.js';
import { getCommit, listMergeRequestCommits } from './commit.js';
import { compare } from './compare.js';
import { getGroup, getProject } from './containers.js';
import { getChanges, getDiffVersion, listCommitDiff, listDiffs, listVersions } from './diffs.js';
import { getEpic } from './epic.js';
import { getMetadata, getUser, getVersion } from './instance.js';
import { getApprovals, getIssue, getMergeRequest } from './issuables.js';
import { listCommits, listEpics, listIssues, listMergeRequests, listSnippets } from './lists.js';
import { getSnippet } from './snippet.js';

/** What the server does for the companion lookups: everything is as visible as its discussions are. */
export const lookupBehaviours: BehavioursOf<Contract['lookups']> = {
  version: getVersion,
  metadata: getMetadata,
  user: getUser,
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
