import type { Contract } from '../../contract/contract.js';
import type { BehavioursOf } from '../call.js';
import { getCommit } from './commit.js';
import { getGroup, getProject } from './containers.js';
import { listDiffs, listVersions } from './diffs.js';
import { getEpic } from './epic.js';
import { getMetadata, getUser, getVersion } from './instance.js';
import { getIssue, getMergeRequest } from './issuables.js';

/** What the server does for the companion lookups: everything is as visible as its discussions are. */
export const lookupBehaviours: BehavioursOf<Contract['lookups']> = {
  version: getVersion,
  metadata: getMetadata,
  user: getUser,
  project: getProject,
  group: getGroup,
  epic: getEpic,
  issue: getIssue,
  mergeRequest: getMergeRequest,
  versions: listVersions,
  diffs: listDiffs,
  commit: getCommit,
};
