import { issueChanges, mergeRequestChanges } from '../../../contract/lookups/issuables.js';
import type { Contract } from '../../../contract/operations.js';
import { canApprove, canCreateIssue, requirePermission, type Target, visibleProject } from '../../api/access.js';
import type { Call, HandlersOf } from '../../api/context.js';
import { httpError, invalidFields, recordNotFound, unauthorized } from '../../http/response.js';
import { addPerson, updateIssuable } from '../../repositories/issuables.js';
import { insertIssuable, noteableById } from '../../repositories/noteables.js';
import { type IssuablePath, issueJson } from '../lookups/issuables.js';
import { approvalsJson, mergeRequestJson } from '../lookups/merge-requests.js';
import {
  changeApproval, changedLabels, changeIssuable, changesLabels, checkTitleLength, currentTarget, type IssuableChange,
  lockIssuable, requireChange, wantedPeople,
} from './changes.js';

const addMetadata = async (call: Call, target: Target, given: IssuableChange): Promise<void> => {
  const { assignee = [] } = await wantedPeople(call, target, given);
  for (const { id } of assignee) await addPerson(call.queries, target.noteable.id, 'assignee', id, call.now);
  if (!changesLabels(given)) return;
  await updateIssuable(call.queries, target.noteable.id, { labels: await changedLabels(call, target, given) });
};

/** @throws HttpError 400 (behavior: changes.issue-title) */
const checkFilled = (title: string | null | undefined): void => {
  if (title === null || title?.trim() === '') throw invalidFields({ title: ["can't be blank"] });
};

export const issueHandlers: HandlersOf<Contract['issues']> = {
  /** Members may label and assign a new issue at once (behavior: changes.issue-create). @throws HttpError 400, 403 */
  create: async ({ id, title, ...given }, call) => {
    const access = await visibleProject(call, id);
    requirePermission(canCreateIssue(access));
    checkFilled(title);
    checkTitleLength(title);
    const { container: project, member } = access;
    await call.queries.lock('issue ids');
    const { key } = await insertIssuable(call.queries, { project_id: project.id }, {
      kind: 'issue', title: title!.trim(), description: given.description ?? null, author_id: call.caller.id,
      confidential: Number(given.confidential ?? false),
    }, call.now);
    const target: Target = { ...access, kind: 'issue', project, noteable: (await noteableById(call.queries, key))! };
    if (member) await addMetadata(call, target, given);
    const created = await currentTarget(call, target);
    call.addEvent({ kind: 'issue', action: 'open', project, noteable: created.noteable });
    return issueJson(call, created);
  },
  /** @throws HttpError 400, 403 (behavior: changes.issue-right) */
  modify: async ({ id, iid, ...change }, call) => {
    requireChange(issueChanges, change, call);
    const target = await lockIssuable(call, 'issue', { id, iid });
    checkFilled(change.title);
    await changeIssuable(call, target, change);
    return issueJson(call, await currentTarget(call, target));
  },
};

const lockApprovable = async (call: Call, path: IssuablePath): Promise<Target> => {
  const target = await lockIssuable(call, 'merge_request', path);
  requirePermission(canApprove(target));
  return target;
};

export const mergeRequestHandlers: HandlersOf<Contract['mergeRequests']> = {
  /** @throws HttpError 400, 403, 409 */
  modify: async (params, call) => {
    requireChange(mergeRequestChanges, params, call);
    const target = await lockIssuable(call, 'merge_request', params);
    await changeIssuable(call, target, params);
    return mergeRequestJson(call, await currentTarget(call, target));
  },
  /** behavior: changes.approve-sha, changes.approve-own @throws HttpError 401 (behavior: changes.approve-again) */
  approve: async ({ sha, ...path }, call) => {
    const target = await lockApprovable(call, path);
    if (sha && sha !== target.noteable.head_sha) {
      throw httpError(409, `SHA does not match HEAD of source branch: ${target.noteable.head_sha ?? ''}`);
    }
    if (!await changeApproval(call, target, 'approved')) throw unauthorized();
    return approvalsJson(call, target);
  },
  /** @throws HttpError 404 (behavior: changes.unapprove) */
  unapprove: async (params, call) => {
    const target = await lockApprovable(call, params);
    if (!await changeApproval(call, target, 'unapproved')) throw recordNotFound();
    return approvalsJson(call, target);
  },
};
