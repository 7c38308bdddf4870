import type { Contract } from '../../../contract/operations.js';
import type { Approvals, DiffRefs, Issue, MergeRequest, Snippet } from '../../../contract/lookups/shapes.js';
import { readableNoteable, type Target } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { json, jsonObject, ownUrl, type Json } from '../../http/json.js';
import type { NoteableRow } from '../../repositories/noteables.js';
import { userByIdOrName } from '../../repositories/world.js';
import { userJson } from '../../serializers/note.js';

type Lookups = Contract['lookups'];

export type Shown = Pick<Target, 'noteable' | 'container'>;

export const getIssue: OperationHandler<Lookups['issue']> = async ({ id, iid }, call) =>
  issueJson(call, await readableNoteable(call, 'issue', { id, noteable_id: iid }));

export const issueJson = async (call: Call, shown: Shown): Promise<Json<Issue>> => jsonObject<Issue>({
  ...await common(call, shown, { collection: 'issues', sign: '#' }),
  confidential: json(shown.noteable.confidential === 1),
});

export const getMergeRequest: OperationHandler<Lookups['mergeRequest']> = async ({ id, iid }, call) =>
  mergeRequestJson(call, await readableNoteable(call, 'merge_request', { id, noteable_id: iid }));

export const mergeRequestJson = async (call: Call, shown: Shown): Promise<Json<MergeRequest>> =>
  jsonObject<MergeRequest>(await mergeRequestFields(call, shown));

/** The diff refs are null unless all three SHAs are known; `merged_at` is the time of the last change. */
export const mergeRequestFields = async (
  call: Call, shown: Shown,
): Promise<{ readonly [K in keyof MergeRequest]: Json<MergeRequest[K]> }> => {
  const { source_branch, target_branch, head_sha, state, updated_at } = shown.noteable;
  return {
    ...await common(call, shown, { collection: 'merge_requests', sign: '!' }),
    source_branch: json(source_branch ?? ''),
    target_branch: json(target_branch ?? ''),
    source_project_id: json(shown.container.id),
    target_project_id: json(shown.container.id),
    draft: json(false),
    reviewers: json([]),
    merged_at: json(state === 'merged' ? updated_at : null),
    merge_commit_sha: json(null),
    sha: json(head_sha),
    diff_refs: json(diffRefsOf(shown.noteable)),
  };
};

/** This server requires no approvals and has none. */
export const getApprovals: OperationHandler<Lookups['approvals']> = async ({ id, iid }, call) => {
  const { noteable, container } = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  return json<Approvals>({
    id: noteable.global_id, iid: noteable.iid!, project_id: container.id, title: noteable.title, state: noteable.state,
    approvals_required: 0, approvals_left: 0, approved: true, approved_by: [],
  });
};

interface Naming { readonly collection: string; readonly sign: string }

/** `discussion_locked` is null unless locked. */
const common = async (call: Call, { noteable, container }: Shown, { collection, sign }: Naming) => {
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  const short = `${sign}${noteable.iid}`;
  return {
    id: json(noteable.global_id),
    iid: json(noteable.iid!),
    project_id: json(container.id),
    title: json(noteable.title),
    description: json(noteable.description),
    state: json(noteable.state),
    author: userJson(author, call.edition),
    web_url: ownUrl(`/${container.path}/-/${collection}/${noteable.iid}`),
    created_at: json(noteable.created_at),
    updated_at: json(noteable.updated_at),
    closed_at: json(noteable.state === 'closed' ? noteable.updated_at : null),
    labels: json([]),
    assignees: json([]),
    milestone: json(null),
    references: json({ short, relative: short, full: `${container.path}${short}` }),
    discussion_locked: json(noteable.locked ? true : null),
  };
};

export const getSnippet: OperationHandler<Contract['lookups']['snippet']> = async ({ id, snippet_id }, call) =>
  snippetJson(call, await readableNoteable(call, 'snippet', { id, noteable_id: snippet_id }));

/** With the visibility of its project; its file has no name. */
export const snippetJson = async (call: Call, { noteable, container }: Shown): Promise<Json<Snippet>> => {
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  return jsonObject<Snippet>({
    id: json(noteable.global_id),
    project_id: json(container.id),
    title: json(noteable.title),
    file_name: json(''),
    description: json(noteable.description),
    visibility: json(container.visibility),
    author: userJson(author, call.edition),
    web_url: ownUrl(`/${container.path}/-/snippets/${noteable.global_id}`),
    created_at: json(noteable.created_at),
    updated_at: json(noteable.updated_at),
  });
};

/** Null unless all three SHAs are known. */
const diffRefsOf = ({ base_sha, head_sha, start_sha }: NoteableRow): DiffRefs | null =>
  base_sha !== null && head_sha !== null && start_sha !== null ? { base_sha, head_sha, start_sha } : null;
