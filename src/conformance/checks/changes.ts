import { titleLimit } from '../../contract/conventions.js';
import { readCaller, requireDeveloper } from '../caller.js';
import {
  type Check, type Checks, hasStatus, holds, listIn, objectIn, objectPath, type Probe, put, read, rejects, same, sameIn,
  Skipped, writingNotes,
} from '../check.js';

const onMergeRequest = (work: (probe: Probe, path: string) => Promise<void>): Check => writingNotes(async (probe) => {
  await requireDeveloper(probe, 'project');
  await work(probe, objectPath(probe, 'merge_request'));
});

/** @throws Skipped if the caller has approved it, because an approval that is removed is lost */
const requireUnapproved = async (probe: Probe, path: string): Promise<void> => {
  const { id } = await readCaller(probe);
  const { approved_by: approvals } = objectIn(await read(probe, `${path}/approvals`));
  const people = approvals as readonly { readonly user?: { readonly id?: unknown } }[];
  if (people.some(({ user }) => user?.id === id)) throw new Skipped('the caller has approved the merge request');
};

/** Only changes that the service has to reject, and those to what is there already. */
export const changeChecks: Checks = {
  'changes.missing': onMergeRequest((probe, path) =>
    rejects(probe, 'PUT', path, { json: {} }, 400, 'error', /at least one parameter must be provided$/)),
  'changes.title-length': onMergeRequest(async (probe, path) => {
    const got = hasStatus(await probe.call('PUT', path, { json: { title: 'a'.repeat(titleLimit + 1) } }), 400);
    holds(got, '`is too long`', got.text.includes('is too long'), got.text);
  }),
  'changes.same-branch': onMergeRequest(async (probe, path) => {
    const { source_branch: branch } = objectIn(await read(probe, path));
    const got = hasStatus(await probe.call('PUT', path, { json: { target_branch: branch } }), 409, 422);
    holds(got, "`can't use same project/branch`", got.text.includes("can't use same project/branch"), got.text);
  }),
  'changes.nothing': onMergeRequest(async (probe, path) => {
    const { title, target_branch: branch } = objectIn(await read(probe, path));
    const before = listIn(await read(probe, `${path}/notes`, 'per_page=1'));
    sameIn(await put(probe, path, { title, target_branch: branch }), 'the title', 'title', title);
    const after = await read(probe, `${path}/notes`, 'per_page=1');
    same(after, 'the newest note', listIn(after)[0]?.['id'], before[0]?.['id']);
  }),
  'changes.approve-sha': onMergeRequest(async (probe, path) => {
    await requireUnapproved(probe, path);
    await rejects(probe, 'POST', `${path}/approve`, { json: { sha: '0'.repeat(40) } },
      409, 'message', /SHA does not match HEAD of source branch/);
  }),
  'changes.unapprove': onMergeRequest(async (probe, path) => {
    await requireUnapproved(probe, path);
    hasStatus(await probe.call('POST', `${path}/unapprove`), 404);
  }),
};
