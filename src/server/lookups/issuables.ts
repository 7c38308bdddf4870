import type { Issue, MergeRequest } from '../../contract/companions/shapes.js';
import type { Contract } from '../../contract/contract.js';
import { readableNoteable, type Target } from '../access/noteable.js';
import type { Behaviour, Call } from '../call.js';
import { json, jsonObject, ownUrl } from '../json.js';
import { userByIdOrName } from '../records/people.js';
import { userJson } from '../render/user.js';
import { diffRefsOf } from './diff-refs.js';

type Lookups = Contract['lookups'];

export const getIssue: Behaviour<Lookups['issue']> = async ({ id, iid }, call) => {
  const target = await readableNoteable(call, 'issue', { id, noteable_id: iid });
  return jsonObject<Issue>({
    ...await common(call, target, 'issues'),
    confidential: json(target.noteable.confidential === 1),
  });
};

/** The diff refs are null where the world does not say all three SHAs. */
export const getMergeRequest: Behaviour<Lookups['mergeRequest']> = async ({ id, iid }, call) => {
  const target = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  const { source_branch, target_branch, head_sha } = target.noteable;
  return jsonObject<MergeRequest>({
    ...await common(call, target, 'merge_requests'),
    source_branch: json(source_branch ?? ''),
    target_branch: json(target_branch ?? ''),
    sha: json(head_sha),
    diff_refs: json(diffRefsOf(target.noteable)),
  });
};

/** What issues and merge requests have in common. A discussion that was never locked is neither locked nor unlocked. */
const common = async (call: Call, { noteable, container }: Target, collection: string) => {
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  return {
    id: json(noteable.global_id),
    iid: json(noteable.iid!),
    project_id: json(container.id),
    title: json(noteable.title),
    description: json(noteable.description),
    state: json(noteable.state),
    author: userJson(author, call.dialect),
    web_url: ownUrl(`/${container.path}/-/${collection}/${noteable.iid}`),
    created_at: json(noteable.created_at),
    updated_at: json(noteable.updated_at),
    discussion_locked: json(noteable.locked ? true : null),
  };
};
