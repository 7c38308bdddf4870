import { mergeRequestChanges } from '../../contract/lookups/merge-requests.js';
import type { Contract } from '../../contract/operations.js';
import { canApprove, lockNoteable, requirePermission, type Target } from '../api/access.js';
import type { Call, HandlersOf, OperationHandler } from '../api/context.js';
import { httpError, recordNotFound, unauthorized } from '../http/response.js';
import { addPerson, removePerson, setReviewerState } from '../repositories/merge-requests.js';
import { changeIssuable, currentTarget, requireChange } from './issuables/changes.js';
import { approvalsJson, mergeRequestJson } from './lookups/merge-requests.js';
import { addSystemNote } from './stored-note.js';

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
  const { queries, caller, now } = call;
  if (!await addPerson(queries, target.noteable.id, 'approver', caller.id, now)) throw unauthorized();
  return recordApproval(call, target, 'approved');
};

/** @throws HttpError 404 (behavior: changes.unapprove) */
const unapprove: OperationHandler<MergeRequests['unapprove']> = async (params, call) => {
  const target = await lockApprovable(call, params);
  if (!await removePerson(call.queries, target.noteable.id, 'approver', call.caller.id)) throw recordNotFound();
  return recordApproval(call, target, 'unapproved');
};

const lockApprovable = async (call: Call, path: MergeRequestPath): Promise<Target> => {
  const target = await lockMergeRequest(call, path);
  requirePermission(canApprove(target));
  return target;
};

/** behavior: changes.approve-state, changes.approve-notes, hooks.approvals */
const recordApproval = async (call: Call, target: Target, action: 'approved' | 'unapproved') => {
  await setReviewerState(call.queries, target.noteable.id, call.caller.id, action);
  await addSystemNote(call, target.noteable, `${action} this merge request`);
  call.addEvent({ kind: 'merge_request', action, project: target.project, noteable: target.noteable });
  return approvalsJson(call, target);
};

export const mergeRequestHandlers: HandlersOf<Contract['mergeRequests']> = {
  modify: modifyMergeRequest, approve, unapprove,
};
