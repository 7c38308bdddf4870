import type { Contract } from '../../../contract/operations.js';
import type {
  Comparison, DiffVersion, DiffVersionDetails, FileDiff, MergeRequestChanges,
} from '../../../contract/lookups/shapes.js';
import { parsePatch } from '../../../diff/patch.js';
import { readableNoteable, visibleProject } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { recordNotFound } from '../../http/errors.js';
import { json, jsonArray, jsonObject } from '../../http/json.js';
import { changeBetween, diffOf, type NoteableRow } from '../../repositories/noteables.js';
import { commitJson, commitsOf, pageOf } from './commits.js';
import { diffRefsOf, mergeRequestFields } from './issuables.js';

type Lookups = Contract['lookups'];

/** One, or none if the SHAs of the merge request are not known. */
export const listVersions: OperationHandler<Lookups['versions']> = async ({ id, iid }, call) => {
  const { noteable } = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  return pageOf(call, versionsOf(noteable, await filesOf(call, noteable)).map((version) => json(version)));
};

export const getDiffVersion: OperationHandler<Lookups['diffVersion']> = async ({ id, iid, version_id }, call) => {
  const target = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  const files = await filesOf(call, target.noteable);
  const version = versionsOf(target.noteable, files).find((each) => each.id === version_id);
  if (!version) throw recordNotFound();
  const commits = jsonArray(await commitsOf(call, target));
  return `${json(version).slice(0, -1)},"commits":${commits},"diffs":${json(files)}}` as DetailsJson;
};

type DetailsJson = ReturnType<typeof json<DiffVersionDetails>>;

/** In diff order; none without a diff. */
export const listDiffs: OperationHandler<Lookups['diffs']> = async ({ id, iid }, call) => {
  const { noteable } = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  return pageOf(call, (await filesOf(call, noteable)).map((file) => json(file)));
};

export const listCommitDiff: OperationHandler<Lookups['commitDiff']> = async ({ id, sha }, call) => {
  const { noteable } = await readableNoteable(call, 'commit', { id, noteable_id: sha });
  return pageOf(call, (await filesOf(call, noteable)).map((file) => json(file)));
};

export const getChanges: OperationHandler<Lookups['changes']> = async ({ id, iid }, call) => {
  const target = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  const files = await filesOf(call, target.noteable);
  return jsonObject<MergeRequestChanges>({
    ...await mergeRequestFields(call, target),
    changes_count: json(String(files.length)),
    overflow: json(false),
    changes: json(files),
  });
};

const versionsOf = (noteable: NoteableRow, files: readonly FileDiff[]): DiffVersion[] => {
  const refs = diffRefsOf(noteable);
  return refs === null ? [] : [{
    id: noteable.global_id,
    head_commit_sha: refs.head_sha,
    base_commit_sha: refs.base_sha,
    start_commit_sha: refs.start_sha,
    created_at: noteable.created_at,
    merge_request_id: noteable.global_id,
    state: 'collected',
    real_size: String(files.length),
  }];
};

/** None without a diff. */
const filesOf = async (call: Call, { id }: NoteableRow): Promise<FileDiff[]> => {
  const diff = await diffOf(call.queries, id);
  return diff === null ? [] : parsePatch(diff).map((file) => ({ ...file, collapsed: false, too_large: false }));
};

/** Without a repository, only the SHAs of a merge request or of one commit can be compared. */
export const compare: OperationHandler<Contract['lookups']['comparison']> = async ({ id, from, to }, call) => {
  const { container } = await visibleProject(call, id);
  const change = await changeBetween(call.queries, container.id, String(from), String(to));
  if (!change) throw recordNotFound();
  const shown = { noteable: change, container };
  const commits = change.kind === 'commit' ? [await commitJson(call, shown)] : await commitsOf(call, shown);
  return jsonObject<Comparison>({
    commit: commits[0] ?? json(null),
    commits: jsonArray(commits),
    diffs: json(await filesOf(call, change)),
    compare_timeout: json(false),
    compare_same_ref: json(false),
  });
};
