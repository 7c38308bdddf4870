import { issueChanges } from '../../contract/lookups/issues.js';
import type { Contract } from '../../contract/operations.js';
import { canCreateIssue, lockNoteable, type Target, requirePermission, visibleProject } from '../api/access.js';
import type { Call, HandlersOf, OperationHandler } from '../api/context.js';
import { invalidFields } from '../http/response.js';
import { addPerson, updateIssuable } from '../repositories/merge-requests.js';
import { insertIssuable, noteableById } from '../repositories/noteables.js';
import {
  changeIssuable, checkTitleLength, currentTarget, type IssuableChange, requireChange, wantedPeople,
} from './issuables/changes.js';
import { changedLabels, changesLabels } from './issuables/labels.js';
import { issueJson } from './lookups/issuables.js';

type Issues = Contract['issues'];

/** Members may label and assign a new issue at once (behavior: changes.issue-create). @throws HttpError 400, 403 */
const createIssue: OperationHandler<Issues['create']> = async ({ id, title, ...given }, call) => {
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
};

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

const names = Object.keys(issueChanges) as (keyof typeof issueChanges)[];

/** @throws HttpError 400, 403 (behavior: changes.issue-right) */
const modifyIssue: OperationHandler<Issues['modify']> = async ({ id, iid, ...change }, call) => {
  requireChange(names, change, call);
  const target = await currentTarget(call, await lockNoteable(call, 'issue', { id, noteable_id: iid }));
  checkFilled(change.title);
  await changeIssuable(call, target, change);
  return issueJson(call, await currentTarget(call, target));
};

export const issueHandlers: HandlersOf<Contract['issues']> = { create: createIssue, modify: modifyIssue };
