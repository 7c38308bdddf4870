import { markupValue } from '../../../text/quoting.js';
import type { MergeRequestEvent } from '../../hooks/events.js';
import {
  diffOfVersion, diffVersionsOf, hasDiffVersion, hasDiffVersions, insertDiffVersion, nextDiffVersionId,
  type DiffVersionRow,
} from '../../repositories/diff-versions.js';
import { filesOfBase, insertFiles, storedFiles } from '../../repositories/files.js';
import { insertCommit, noteableIn, updateDiff, type NoteableRow } from '../../repositories/noteables.js';
import { writeEpoch, type ProjectRow } from '../../repositories/world.js';
import type { Queries } from '../../store/database.js';
import { addSystemNote, type Change } from '../discussions/system-note.js';
import { versionContent, type VersionContent } from '../discussions/version-change.js';
import { moveThreads, type MovedThreads } from './move-threads.js';
import { nextVersion, type NextVersion } from './next-version.js';
import type { PushedContent } from './push-change.js';

/** The new version, and what became of the threads on the former one. */
export interface PushResult extends MovedThreads {
  /** As in the list of versions. */
  readonly id: number;
  /** Of the version, from 1. */
  readonly number: number;
  /** The commit that the diff of the version starts from. */
  readonly base_sha: string;
  /** The head of the target branch. */
  readonly start_sha: string;
  /** The commit that was pushed. */
  readonly head_sha: string;
}

export interface PushPlace { readonly project: ProjectRow; readonly mergeRequest: NoteableRow }

/** What is pushed, and what its commit says beside its title. */
export interface Pushed extends PushedContent {
  /** Id of the author of the commit; default: that of the merge request. */
  readonly author?: number;
  /** The text of the commit after its title. */
  readonly description?: string;
}

interface StoredPush {
  readonly result: PushResult;
  /** For webhooks (behavior: hooks.pushes). */
  readonly event: MergeRequestEvent;
}

/** In an exclusive transaction of the caller. @throws OperationError if the push does not fit to what is known */
export const storePush = async (change: Change, place: PushPlace, pushed: Pushed): Promise<StoredPush> => {
  const { queries } = change;
  const { project, mergeRequest } = place;
  const former = await formerVersion(queries, mergeRequest);
  const next = await nextVersion(former, pushed, {
    hex: change.hex, knownFiles: (base) => storedFiles(queries, project.id, base),
  });
  const result = await storeNext(change, place, { former, next, pushed });
  // Cached rows of the merge request have the former SHAs.
  await writeEpoch(queries);
  return { result, event: eventOf(change, place, result) };
};

const eventOf = (
  { now }: Change, { project, mergeRequest }: PushPlace, { base_sha, start_sha, head_sha }: PushResult,
): MergeRequestEvent => ({
  kind: 'merge_request', action: 'update', project,
  noteable: { ...mergeRequest, base_sha, start_sha, head_sha, updated_at: now },
  ...mergeRequest.head_sha !== null && { oldrev: mergeRequest.head_sha },
});

const formerVersion = async (queries: Queries, mergeRequest: NoteableRow): Promise<VersionContent> => {
  const [newest] = await diffVersionsOf(queries, mergeRequest);
  return versionContent(queries, mergeRequest, mergeRequest, newest ? await diffOfVersion(queries, newest) : null);
};

interface Versions { readonly former: VersionContent; readonly next: NextVersion; readonly pushed: Pushed }

const storeNext = async (
  change: Change, place: PushPlace, { former, next, pushed }: Versions,
): Promise<PushResult> => {
  const { queries, now } = change;
  const { project, mergeRequest } = place;
  const { base_sha, start_sha, head_sha, diff } = next;
  const version = await storeVersion(change, mergeRequest, next);
  const title = pushed.title ?? `Version ${version.number}`;
  const commit = await storeCommits(change, mergeRequest, { former, next, pushed: { ...pushed, title } });
  await storeBaseFiles(queries, project.id, former, next);
  await updateDiff(queries, mergeRequest.id, { base_sha, start_sha, head_sha, diff, now });
  const after = { ...mergeRequest, base_sha, start_sha, head_sha };
  const link = linkTo(place, version.id, former.head_sha);
  const text = `version ${version.number} of the diff`;
  const threads = await moveThreads(change, { mergeRequest: after, former, next, version: `[${text}](${link})` });
  await addSystemNote(change, after, commitsNote(commit, link));
  const { id, number } = version;
  return { id, number, base_sha, start_sha, head_sha, ...threads };
};

const linkTo = ({ project, mergeRequest }: PushPlace, version: number, from: string | null): string => {
  const query = new URLSearchParams({ diff_id: String(version), ...from !== null && { start_sha: from } });
  return `/${project.path}/-/merge_requests/${mergeRequest.iid}/diffs?${String(query)}`;
};

/** The version before the first push is stored with it. */
const storeVersion = async (
  { queries, now }: Change, mergeRequest: NoteableRow, { base_sha, start_sha, head_sha, diff }: NextVersion,
): Promise<DiffVersionRow> => {
  const [newest] = await diffVersionsOf(queries, mergeRequest);
  if (newest && !await hasDiffVersions(queries, mergeRequest)) {
    const id = await hasDiffVersion(queries, newest.id) ? await nextDiffVersionId(queries) : newest.id;
    await insertDiffVersion(queries, { ...newest, id }, await diffOfVersion(queries, newest));
  }
  const version = {
    id: await nextDiffVersionId(queries), noteable: mergeRequest.id, number: (newest?.number ?? 0) + 1,
    base_sha, start_sha, head_sha, created_at: now,
  };
  await insertDiffVersion(queries, version, diff);
  return version;
};

interface Commit { readonly sha: string; readonly title: string }

/** A commit that the world already has keeps its title. */
const storeCommits = async (
  { queries, now }: Change, mergeRequest: NoteableRow, { former, next, pushed }: Versions,
): Promise<Commit> => {
  const { project_id, author_id } = mergeRequest;
  const stored = async (commit: Parameters<typeof insertCommit>[1]): Promise<Commit> => {
    const known = await noteableIn(queries, 'commit', project_id!, commit.sha!);
    if (!known && isCommitSha(commit.sha)) await insertCommit(queries, commit);
    return { sha: commit.sha!, title: known?.title ?? commit.title };
  };
  const { head_sha, base_sha, diff } = former;
  if (head_sha !== null) {
    await stored({ ...mergeRequest, sha: head_sha, parent_sha: commitSha(base_sha), diff });
  }
  const parent_sha = commitSha(next.base_sha === base_sha && head_sha !== null ? head_sha : next.base_sha);
  return stored({
    project_id, author_id: pushed.author ?? author_id, sha: next.head_sha, parent_sha, title: pushed.title!,
    description: pushed.description ?? null, created_at: now, diff: next.commitDiff,
  });
};

/** World files have only such commits. */
const isCommitSha = (sha: string | null): boolean => sha !== null && /^[0-9a-f]{40}$/.test(sha);

const commitSha = (sha: string | null): string | null => isCommitSha(sha) ? sha : null;

const storeBaseFiles = async (
  queries: Queries, project: number, former: VersionContent, next: NextVersion,
): Promise<void> => {
  if (next.base_sha === former.base_sha || next.base.size === 0) return;
  const known = await filesOfBase(queries, project, next.base_sha);
  const isKnown = known.size === next.base.size && [...next.base].every(([path, text]) => known.get(path) === text);
  if (!isKnown) await insertFiles(queries, project, next.base_sha, next.base);
};

/** behavior: pushes.commits-note */
const commitsNote = ({ sha, title }: Commit, link: string): string =>
  `added 1 commit\n\n<ul><li>${sha.slice(0, 8)} - ${markupValue(title)}</li></ul>\n\n`
  + `[Compare with previous version](${link})`;
