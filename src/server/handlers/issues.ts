import { titleLimit } from '../../contract/conventions.js';
import { issueChanges } from '../../contract/lookups/issues.js';
import type { Contract } from '../../contract/operations.js';
import { canCreateIssue, lockNoteable, type Target, requirePermission, visibleProject } from '../api/access.js';
import type { Call, HandlersOf, OperationHandler } from '../api/context.js';
import { unreadParameters } from '../api/request.js';
import { badParameters, invalidFields } from '../http/response.js';
import { addPerson, updateIssuable } from '../repositories/merge-requests.js';
import { insertIssue, noteableById } from '../repositories/noteables.js';
import { changeIssuable, type IssuableChange, wantedPeople } from './issuables/changes.js';
import { changedLabels, changesLabels } from './issuables/labels.js';
import { issueJson } from './lookups/issuables.js';

type Issues = Contract['issues'];

/** Members may label and assign a new issue at once (behavior: changes.issue-create). @throws HttpError 400, 403 */
const createIssue: OperationHandler<Issues['create']> = async ({ id, title, ...given }, call) => {
  const access = await visibleProject(call, id);
  requirePermission(canCreateIssue(access));
  checkTitle(title);
  const { container: project, member } = access;
  await call.queries.lock('issue ids');
  const key = await insertIssue(call.queries, {
    project_id: project.id, title: title!.trim(), description: given.description ?? null, author_id: call.caller.id,
    confidential: Number(given.confidential ?? false), now: call.now,
  });
  const target = await targetOf(call, { ...access, kind: 'issue', project }, key);
  if (member) await addMetadata(call, target, given);
  return issueJson(call, await targetOf(call, target, key));
};

const targetOf = async (call: Call, target: Omit<Target, 'noteable'>, key: number): Promise<Target> =>
  ({ ...target, noteable: (await noteableById(call.queries, key))! });

const addMetadata = async (call: Call, target: Target, given: IssuableChange): Promise<void> => {
  const { assignee = [] } = await wantedPeople(call, target, given);
  for (const { id } of assignee) await addPerson(call.queries, target.noteable.id, 'assignee', id, call.now);
  if (!changesLabels(given)) return;
  await updateIssuable(call.queries, target.noteable.id, { labels: await changedLabels(call, target, given) });
};

/** @throws HttpError 400 (behavior: changes.issue-title) */
const checkTitle = (title: string | null | undefined): void => {
  if (title === null || title?.trim() === '') throw invalidFields({ title: ["can't be blank"] });
  if (title && [...title].length > titleLimit) {
    throw invalidFields({ title: [`is too long (maximum is ${titleLimit} characters)`] });
  }
};

const names = Object.keys(issueChanges) as (keyof typeof issueChanges)[];

/** @throws HttpError 400, 403 (behavior: changes.issue-right) */
const modifyIssue: OperationHandler<Issues['modify']> = async ({ id, iid, ...change }, call) => {
  if (names.every((name) => change[name] === undefined)) {
    if (call.unread.length > 0) throw unreadParameters(call.unread);
    throw badParameters([`${names.join(', ')} are missing, at least one parameter must be provided`]);
  }
  const locked = await lockNoteable(call, 'issue', { id, noteable_id: iid });
  const target = await targetOf(call, locked, locked.noteable.id);
  checkTitle(change.title);
  await changeIssuable(call, target, change);
  return issueJson(call, await targetOf(call, target, target.noteable.id));
};

export const issueHandlers: HandlersOf<Contract['issues']> = { create: createIssue, modify: modifyIssue };
