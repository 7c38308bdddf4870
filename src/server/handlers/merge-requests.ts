import { mergeRequestChanges } from '../../contract/lookups/merge-requests.js';
import type { Contract } from '../../contract/operations.js';
import { canApprove, lockNoteable, requirePermission, type Target } from '../api/access.js';
import type { Call, HandlersOf, OperationHandler } from '../api/context.js';
import { httpError, recordNotFound, unauthorized } from '../http/response.js';
import { changeApproval, changeIssuable, currentTarget, requireChange } from './issuables/changes.js';
import { approvalsJson, mergeRequestJson } from './lookups/merge-requests.js';

type MergeRequests = Contract['mergeRequests'];

const names = Object.keys(mergeRequestChanges) as (keyof typeof mergeRequestChanges)[];

/** @throws HttpError 400, 403, 409 */
const modifyMergeRequest: OperationHandler<MergeRequests['modify']> = async (params, call) => {
  requireChange(names, params, call);
  const target = await lockMergeRequest(call, params);
  await changeIssuable(call, target, params);
  return mergeRequestJson(call, await currentTarget(call, target));
};

interface MergeRequestPath { readonly id: number | string | null; readonly iid: number | null }

const lockMergeRequest = async (call: Call, { id, iid }: MergeRequestPath): Promise<Target> =>
  currentTarget(call, await lockNoteable(call, 'merge_request', { id, noteable_id: iid }));

/** behavior: changes.approve-sha, changes.approve-own @throws HttpError 401 (behavior: changes.approve-again) */
const approve: OperationHandler<MergeRequests['approve']> = async ({ sha, ...path }, call) => {
  const target = await lockApprovable(call, path);
  if (sha && sha !== target.noteable.head_sha) {
    throw httpError(409, `SHA does not match HEAD of source branch: ${target.noteable.head_sha ?? ''}`);
  }
  if (!await changeApproval(call, target, 'approved')) throw unauthorized();
  return approvalsJson(call, target);
};

/** @throws HttpError 404 (behavior: changes.unapprove) */
const unapprove: OperationHandler<MergeRequests['unapprove']> = async (params, call) => {
  const target = await lockApprovable(call, params);
  if (!await changeApproval(call, target, 'unapproved')) throw recordNotFound();
  return approvalsJson(call, target);
};

const lockApprovable = async (call: Call, path: MergeRequestPath): Promise<Target> => {
  const target = await lockMergeRequest(call, path);
  requirePermission(canApprove(target));
  return target;
};

export const mergeRequestHandlers: HandlersOf<Contract['mergeRequests']> = {
  modify: modifyMergeRequest, approve, unapprove,
};
