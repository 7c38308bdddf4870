import type { Approvals, MergeRequest, Reviewer } from '../../../contract/lookups/shapes.js';
import type { Contract } from '../../../contract/operations.js';
import {
  canApprove, type ContainerAccess, type Target, visibleGroup, accessToAll, visibleProject,
} from '../../api/access.js';
import {
  type Call, type HandlerParams, type HandlersOf, mapInTurn, type PageOf, requestedPage,
} from '../../api/context.js';
import { json, type Json, jsonArray, jsonFields, jsonObject } from '../../http/response.js';
import { storedDiff, filesOfDiff } from '../../repositories/diffs.js';
import { detailsOf, issuableDetails, type IssuableDetails } from '../../repositories/issuables.js';
import {
  type Condition, type NoteableFilter, type NoteableRow, pageOfNoteables,
} from '../../repositories/noteables.js';
import { allProjects, type ProjectRow, projectsBelow, type UserRow } from '../../repositories/world.js';
import { isDraftTitle, mergeStatus } from '../../serializers/merge-request.js';
import { userJson } from '../../serializers/note.js';
import { filterConditions, personConditions, whenGiven } from './filters.js';
import { issuableFields, readableIssuable, type Shown } from './issuables.js';

type MergeRequestParams = HandlerParams<Contract['lookups']['allMergeRequests']>;

const mergeRequestFilter = (
  call: Call, accessible: readonly ContainerAccess[], params: MergeRequestParams, defaultScope: 'all' | 'created_by_me',
): NoteableFilter => ({
  kind: 'merge_request', caller: call.caller.id,
  containers: accessible.map(({ container }) => ({ id: container.id, showsConfidential: true })),
  more: [
    ...filterConditions(call, { ...params, scope: params.scope ?? defaultScope }),
    ...personConditions('reviewer', params.reviewer_id, [params.reviewer_username ?? []].flat()),
    ...whenGiven(params.source_project_id, (id) => ['coalesce(source_project_id, project_id) = ?', id]),
    ...whenGiven(params.source_branch, (branch) => ['source_branch = ?', branch]),
    ...whenGiven(params.target_branch, (branch) => ['target_branch = ?', branch]),
    ...whenGiven(params.wip, draftCondition),
  ],
  order: params,
});

const draftCondition = (wip: string): Condition => {
  const title = `lower(ltrim(title, ' \t\r\n'))`;
  const isDraft = `(${title} LIKE 'draft:%' OR ${title} LIKE '[draft]%' OR ${title} LIKE '(draft)%')`;
  return [wip === 'yes' ? isDraft : `NOT ${isDraft}`];
};

export const mergeRequestJson = async (call: Call, shown: Shown): Promise<Json<MergeRequest>> => {
  const diff = await storedDiff(call.queries, shown.noteable.id);
  return jsonObject<MergeRequest>({
    ...await mergeRequestFields(call, shown),
    changes_count: json(diff === null ? null : String(filesOfDiff(diff).length)),
  });
};

export const mergeRequestFields = async (call: Call, shown: Shown): Promise<MergeRequestFields> =>
  readFields(call, shown, await detailsOf(call.queries, shown.noteable.id));

type MergeRequestFields = {
  readonly [K in keyof Omit<MergeRequest, 'changes_count'>]: Json<MergeRequest[K]>
};

const readFields = async (call: Call, shown: Shown, details: IssuableDetails): Promise<MergeRequestFields> => {
  const { title, source_branch, target_branch, source_project_id, head_sha, state, changed_at } = shown.noteable;
  const { people: { assignee, reviewer }, comments, hasUnresolved } = details;
  const assignees = usersJson(call, assignee);
  const isDraft = isDraftTitle(title);
  return {
    ...await issuableFields(call, shown, 'merge_requests', '!'),
    assignees: jsonArray(assignees),
    assignee: assignees[0] ?? json(null),
    reviewers: jsonArray(usersJson(call, reviewer)),
    ...jsonFields({
      source_branch: source_branch ?? '', target_branch: target_branch ?? '',
      source_project_id: source_project_id ?? shown.container.id, target_project_id: shown.container.id,
      draft: isDraft, work_in_progress: isDraft, merged_at: state === 'merged' ? changed_at : null,
      merge_commit_sha: null, sha: head_sha, diff_refs: diffRefsOf(shown.noteable), user_notes_count: comments,
      blocking_discussions_resolved: !hasUnresolved, merge_status: 'can_be_merged',
      detailed_merge_status: mergeStatus(state, isDraft, hasUnresolved),
    }),
  };
};

const usersJson = ({ edition }: Call, users: readonly UserRow[]) => users.map((user) => userJson(user, edition));

const diffRefsOf = ({ base_sha, head_sha, start_sha }: NoteableRow) =>
  base_sha !== null && head_sha !== null && start_sha !== null ? { base_sha, head_sha, start_sha } : null;

const pageIn = async (
  call: Call, accessible: readonly ContainerAccess<ProjectRow>[], params: MergeRequestParams,
  scope: 'all' | 'created_by_me',
): Promise<PageOf<MergeRequest>> => {
  const filter = mergeRequestFilter(call, accessible, params, scope);
  const { rows, noteables } = await pageOfNoteables(call.queries, filter, call.page);
  const details = await issuableDetails(call.queries, noteables.map(({ id }) => id));
  const projects = new Map(accessible.map(({ container }) => [container.id, container]));
  const items = await mapInTurn(noteables, async (noteable) => {
    const shown = { noteable, container: projects.get(noteable.project_id!)! };
    return jsonObject<MergeRequest>(await readFields(call, shown, details.get(noteable.id)!));
  });
  return { items, rows };
};

export const approvalsJson = async (call: Call, target: Target): Promise<Json<Approvals>> => {
  const { noteable, container } = target;
  const { people: { approver } } = await detailsOf(call.queries, noteable.id);
  const users = usersJson(call, approver);
  const isApprover = approver.some(({ id }) => id === call.caller.id);
  const { global_id: id, iid, title, state } = noteable;
  return jsonObject<Approvals>({
    ...jsonFields({
      id, iid: iid!, project_id: container.id, title, state, approvals_required: 0, approvals_left: 0, approved: true,
    }),
    approved_by: jsonArray(users.map((user) => jsonObject<Approvals['approved_by'][number]>({ user }))),
    ...jsonFields({ user_has_approved: isApprover, user_can_approve: !isApprover && canApprove(target) }),
  });
};

export const mergeRequestLookups = {
  /** behavior: lookups.changes-count */
  mergeRequest: async (path, call) =>
    mergeRequestJson(call, await readableIssuable(call, 'merge_request', path)),
  mergeRequests: async (params, call) => pageIn(call, [await visibleProject(call, params.id)], params, 'all'),
  /** behavior: lookups.scope */
  allMergeRequests: async (params, call) =>
    pageIn(call, await accessToAll(call, await allProjects(call.queries)), params, 'created_by_me'),
  groupMergeRequests: async (params, call) => {
    const { container } = await visibleGroup(call, params.id);
    return pageIn(call, await accessToAll(call, await projectsBelow(call.queries, container.path)), params, 'all');
  },
  /** This server requires no approvals (behavior: lookups.approvals). */
  approvals: async (path, call) => approvalsJson(call, await readableIssuable(call, 'merge_request', path)),
  /** behavior: lookups.reviewers */
  reviewers: async (path, call) => {
    const { noteable } = await readableIssuable(call, 'merge_request', path);
    const { people } = await detailsOf(call.queries, noteable.id);
    return requestedPage(call, people.reviewer.map(({ review, asked_at, ...user }) => jsonObject<Reviewer>({
      user: userJson(user, call.edition), state: json(review ?? 'unreviewed'),
      created_at: json(asked_at ?? noteable.created_at),
    })));
  },
} satisfies Partial<HandlersOf<Contract['lookups']>>;
