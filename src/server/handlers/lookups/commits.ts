import { hash } from 'node:crypto';
import { holdsIn } from '../../../contract/behavior/fact.js';
import { lookupFacts } from '../../../contract/behavior/lookups.js';
import type {
  CommitDetails, Comparison, DiffVersion, DiffVersionDetails, FileDiff, MergeRequestChanges,
} from '../../../contract/lookups/shapes.js';
import type { Contract } from '../../../contract/operations.js';
import { readableNoteable, type Target, visibleProject } from '../../api/access.js';
import { type Call, type HandlersOf, mapInTurn, type PageOf, requestedPage } from '../../api/context.js';
import { json, type Json, jsonArray, jsonFields, jsonObject, ownUrl, recordNotFound } from '../../http/response.js';
import {
  diffOfVersion, type DiffVersionRow, diffVersionsOf, filesOfDiff, storedDiff,
} from '../../repositories/diffs.js';
import { changeBetween, commitsBetween, type NoteableRow, shaOfRef } from '../../repositories/noteables.js';
import { commitEmail, commitMessage } from '../../serializers/note.js';
import { authorOf, listInProject, readableIssuable, type Shown } from './issuables.js';
import { mergeRequestFields } from './merge-requests.js';

const commitAt = async (
  call: Call, { id, sha }: { readonly id: number | string | null; readonly sha: string | null },
): Promise<Target> => {
  const { container } = await visibleProject(call, id);
  const noteable_id = await shaOfRef(call.queries, container.id, String(sha)) ?? sha;
  return readableNoteable(call, 'commit', { id, noteable_id });
};

const commitsOf = async (call: Call, { noteable, container }: Shown) => {
  const commits = await commitsBetween(call.queries, noteable);
  return mapInTurn(commits, (commit) => commitJson(call, { noteable: commit, container }));
};

const commitJson = async (call: Call, { noteable, container }: Shown): Promise<Json<CommitDetails>> => {
  const { title, parent_sha, created_at } = noteable;
  const sha = noteable.sha!;
  const author = await authorOf(call, noteable);
  const [name, email] = [author.name, commitEmail(author)];
  return jsonObject<CommitDetails>({
    ...jsonFields({
      id: sha, short_id: sha.slice(0, 8), title, message: commitMessage(noteable),
      parent_ids: parent_sha === null ? [] : [parent_sha],
      author_name: name, author_email: email, authored_date: created_at,
      committer_name: name, committer_email: email, committed_date: created_at, created_at,
    }),
    web_url: ownUrl(`/${container.path}/-/commit/${sha}`),
  });
};

/** behavior: lookups.patch-ids */
const diffVersion = (
  { edition }: Call, { global_id }: NoteableRow, { id, base_sha, start_sha, head_sha, created_at }: DiffVersionRow,
  diff: string | null,
): DiffVersion => ({
  id, head_commit_sha: head_sha, base_commit_sha: base_sha, start_commit_sha: start_sha, created_at,
  merge_request_id: global_id, state: 'collected', real_size: String(filesIn(diff).length),
  ...holdsIn(lookupFacts['lookups.patch-ids'], edition) && { patch_id_sha: diff === null ? null : hash('sha1', diff) },
});

const filesOf = async (call: Call, { id }: NoteableRow): Promise<FileDiff[]> =>
  filesIn(await storedDiff(call.queries, id));

const listFiles = async (call: Call, { noteable }: Shown): Promise<PageOf<FileDiff>> =>
  requestedPage(call, (await filesOf(call, noteable)).map((file) => json(file)));

const filesIn = (diff: string | null): FileDiff[] =>
  diff === null ? [] : filesOfDiff(diff).map((file) => ({ ...file, collapsed: false, too_large: false }));

export const commitLookups = {
  commit: async (path, call) => commitJson(call, await commitAt(call, path)),
  commits: (params, call) => listInProject(call, 'commit', params, commitJson),
  mergeRequestCommits: async (path, call) =>
    requestedPage(call, await commitsOf(call, await readableIssuable(call, 'merge_request', path))),
  versions: async (path, call) => {
    const { noteable } = await readableIssuable(call, 'merge_request', path);
    const versions = await diffVersionsOf(call.queries, noteable);
    return requestedPage(call, await mapInTurn(versions, async (row) =>
      json(diffVersion(call, noteable, row, await diffOfVersion(call.queries, row)))));
  },
  diffVersion: async ({ version_id, ...path }, call) => {
    const target = await readableIssuable(call, 'merge_request', path);
    const row = (await diffVersionsOf(call.queries, target.noteable)).find((each) => each.id === version_id);
    if (!row) throw recordNotFound();
    const { base_sha, start_sha, head_sha } = row;
    const diff = await diffOfVersion(call.queries, row);
    const commits = jsonArray(await commitsOf(call, {
      ...target, noteable: { ...target.noteable, base_sha, start_sha, head_sha },
    }));
    const version = json(diffVersion(call, target.noteable, row, diff));
    return `${version.slice(0, -1)},"commits":${commits},"diffs":${json(filesIn(diff))}}` as Json<DiffVersionDetails>;
  },
  diffs: async (path, call) => listFiles(call, await readableIssuable(call, 'merge_request', path)),
  commitDiff: async (path, call) => listFiles(call, await commitAt(call, path)),
  changes: async (path, call) => {
    const target = await readableIssuable(call, 'merge_request', path);
    const files = await filesOf(call, target.noteable);
    return jsonObject<MergeRequestChanges>({
      ...await mergeRequestFields(call, target),
      changes_count: json(String(files.length)),
      overflow: json(false),
      changes: json(files),
    });
  },
  /** Without a repository, only the SHAs of a merge request or of one commit can be compared. */
  comparison: async ({ id, from, to }, call) => {
    const { container } = await visibleProject(call, id);
    const change = await changeBetween(call.queries, container.id, String(from), String(to));
    if (!change) throw recordNotFound();
    const shown = { noteable: change, container };
    const commits = change.kind === 'commit' ? [await commitJson(call, shown)] : await commitsOf(call, shown);
    return jsonObject<Comparison>({
      commit: commits[0] ?? json(null),
      commits: jsonArray(commits),
      diffs: json(await filesOf(call, change)),
      compare_timeout: json(false),
      compare_same_ref: json(false),
    });
  },
} satisfies Partial<HandlersOf<Contract['lookups']>>;
