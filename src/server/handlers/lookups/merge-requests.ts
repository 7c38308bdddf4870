import type { Contract } from '../../../contract/operations.js';
import type { Approvals, DiffRefs, MergeRequest } from '../../../contract/lookups/shapes.js';
import {
  canApprove, readableNoteable, visibleGroup, visibleOf, visibleProject, type Place, type Target,
} from '../../api/access/access.js';
import type { Call, OperationHandler, PageOf } from '../../api/context.js';
import { json, jsonArray, jsonObject, type Json } from '../../http/json.js';
import { mergeRequestDetails, type MergeRequestDetails } from '../../repositories/merge-requests.js';
import { countNoteables, diffOf, noteablesOf, type NoteableRow } from '../../repositories/noteables.js';
import { filesOfDiff } from '../../repositories/parsed-diffs.js';
import { allProjects, projectsBelow, type ProjectRow, type UserRow } from '../../repositories/world.js';
import { isDraftTitle, mergeStatus } from '../../serializers/merge-request.js';
import { userJson } from '../../serializers/note.js';
import { issuableFields, type Shown } from './issuables.js';
import { mergeRequestFilter, type MergeRequestParams } from './merge-request-filters.js';

type Lookups = Contract['lookups'];

/** behavior: lookups.changes-count */
export const getMergeRequest: OperationHandler<Lookups['mergeRequest']> = async ({ id, iid }, call) =>
  mergeRequestJson(call, await readableNoteable(call, 'merge_request', { id, noteable_id: iid }));

export const mergeRequestJson = async (call: Call, shown: Shown): Promise<Json<MergeRequest>> => {
  const diff = await diffOf(call.queries, shown.noteable.id);
  return jsonObject<MergeRequest>({
    ...await mergeRequestFields(call, shown),
    changes_count: json(diff === null ? null : String(filesOfDiff(diff).length)),
  });
};

export const mergeRequestFields = async (call: Call, shown: Shown): Promise<MergeRequestFields> => {
  const { id } = shown.noteable;
  return fieldsOf(call, shown, (await mergeRequestDetails(call.queries, [id])).get(id)!);
};

type MergeRequestFields = {
  readonly [K in keyof Omit<MergeRequest, 'changes_count'>]: Json<MergeRequest[K]>
};

/** The diff refs are null unless all three SHAs are known. */
const fieldsOf = async (call: Call, shown: Shown, details: MergeRequestDetails): Promise<MergeRequestFields> => {
  const { title, source_branch, target_branch, source_project_id, head_sha, state, changed_at } = shown.noteable;
  const { people: { assignee, reviewer }, comments, hasUnresolved } = details;
  const assignees = usersJson(call, assignee);
  const isDraft = isDraftTitle(title);
  return {
    ...await issuableFields(call, shown, { collection: 'merge_requests', sign: '!' }),
    assignees: jsonArray(assignees),
    assignee: assignees[0] ?? json(null),
    reviewers: jsonArray(usersJson(call, reviewer)),
    source_branch: json(source_branch ?? ''),
    target_branch: json(target_branch ?? ''),
    source_project_id: json(source_project_id ?? shown.container.id),
    target_project_id: json(shown.container.id),
    draft: json(isDraft),
    work_in_progress: json(isDraft),
    merged_at: json(state === 'merged' ? changed_at : null),
    merge_commit_sha: json(null),
    sha: json(head_sha),
    diff_refs: json(diffRefsOf(shown.noteable)),
    user_notes_count: json(comments),
    blocking_discussions_resolved: json(!hasUnresolved),
    merge_status: json('can_be_merged'),
    detailed_merge_status: json(mergeStatus(state, isDraft, hasUnresolved)),
  };
};

const usersJson = ({ edition }: Call, users: readonly UserRow[]) => users.map((user) => userJson(user, edition));

/** Null unless all three SHAs are known. */
const diffRefsOf = ({ base_sha, head_sha, start_sha }: NoteableRow): DiffRefs | null =>
  base_sha !== null && head_sha !== null && start_sha !== null ? { base_sha, head_sha, start_sha } : null;

export const listMergeRequests: OperationHandler<Lookups['mergeRequests']> = async (params, call) =>
  pageIn(call, [await visibleProject(call, params.id)], params, 'all');

/** behavior: lookups.scope */
export const listAllMergeRequests: OperationHandler<Lookups['allMergeRequests']> = async (params, call) =>
  pageIn(call, await visibleOf(call, await allProjects(call.queries)), params, 'created_by_me');

export const listGroupMergeRequests: OperationHandler<Lookups['groupMergeRequests']> = async (params, call) => {
  const { container } = await visibleGroup(call, params.id);
  return pageIn(call, await visibleOf(call, await projectsBelow(call.queries, container.path)), params, 'all');
};

const pageIn = async (
  call: Call, places: readonly Place<ProjectRow>[], params: MergeRequestParams, scope: 'all' | 'created_by_me',
): Promise<PageOf<MergeRequest>> => {
  const filter = mergeRequestFilter(call, places, params, scope);
  const { limit, offset } = call.page;
  const noteables = await noteablesOf(call.queries, filter, limit, offset);
  const details = await mergeRequestDetails(call.queries, noteables.map(({ id }) => id));
  const projects = new Map(places.map(({ container }) => [container.id, container]));
  const items: Json<MergeRequest>[] = [];
  for (const noteable of noteables) {
    const shown = { noteable, container: projects.get(noteable.project_id!)! };
    items.push(jsonObject<MergeRequest>(await fieldsOf(call, shown, details.get(noteable.id)!)));
  }
  return { items, rows: await countNoteables(call.queries, filter) };
};

/** This server requires no approvals (behavior: lookups.approvals). */
export const getApprovals: OperationHandler<Lookups['approvals']> = async ({ id, iid }, call) => {
  return approvalsJson(call, await readableNoteable(call, 'merge_request', { id, noteable_id: iid }));
};

export const approvalsJson = async (call: Call, target: Target): Promise<Json<Approvals>> => {
  const { noteable, container } = target;
  const details = (await mergeRequestDetails(call.queries, [noteable.id])).get(noteable.id)!;
  const users = usersJson(call, details.people.approver);
  const isApprover = details.people.approver.some(({ id }) => id === call.caller.id);
  return jsonObject<Approvals>({
    id: json(noteable.global_id),
    iid: json(noteable.iid!),
    project_id: json(container.id),
    title: json(noteable.title),
    state: json(noteable.state),
    approvals_required: json(0),
    approvals_left: json(0),
    approved: json(true),
    approved_by: jsonArray(users.map((user) => jsonObject<Approvals['approved_by'][number]>({ user }))),
    user_has_approved: json(isApprover),
    user_can_approve: json(!isApprover && canApprove(target)),
  });
};
