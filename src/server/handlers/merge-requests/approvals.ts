import type { Contract } from '../../../contract/operations.js';
import { canApprove, lockedNoteable, requirePermission, type Target } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { httpError, recordNotFound, unauthorized } from '../../http/errors.js';
import { addPerson, removePerson } from '../../repositories/merge-requests.js';
import { noteableById } from '../../repositories/noteables.js';
import { addSystemNote } from '../discussions/system-note.js';
import { approvalsJson } from '../lookups/merge-requests.js';

type MergeRequests = Contract['mergeRequests'];

/** behavior: changes.approve-sha, changes.approve-own @throws HttpError 401 (behavior: changes.approve-again) */
export const approve: OperationHandler<MergeRequests['approve']> = async ({ id, iid, sha }, call) => {
  const target = await approvable(call, id, iid);
  if (sha && sha !== target.noteable.head_sha) {
    throw httpError(409, `SHA does not match HEAD of source branch: ${target.noteable.head_sha ?? ''}`);
  }
  if (!await addPerson(call.queries, target.noteable.id, 'approver', call.caller.id)) throw unauthorized();
  return changed(call, target, 'approved');
};

/** @throws HttpError 404 (behavior: changes.unapprove) */
export const unapprove: OperationHandler<MergeRequests['unapprove']> = async ({ id, iid }, call) => {
  const target = await approvable(call, id, iid);
  if (!await removePerson(call.queries, target.noteable.id, 'approver', call.caller.id)) throw recordNotFound();
  return changed(call, target, 'unapproved');
};

const approvable = async (call: Call, id: number | string | null, iid: number | null): Promise<Target> => {
  const target = await lockedNoteable(call, 'merge_request', { id, noteable_id: iid });
  requirePermission(canApprove(target));
  return { ...target, noteable: (await noteableById(call.queries, target.noteable.id))! };
};

/** behavior: changes.approve-notes, hooks.approvals */
const changed = async (call: Call, target: Target, action: 'approved' | 'unapproved') => {
  await addSystemNote(call, target.noteable, `${action} this merge request`);
  call.happened({ kind: 'merge_request', action, project: target.project, noteable: target.noteable });
  return approvalsJson(call, target);
};
