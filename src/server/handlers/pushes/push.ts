import { editionOf } from '../../../contract/behavior/edition.js';
import type { Dialect } from '../../../contract/endpoint.js';
import { announcementsOf } from '../../hooks/announce.js';
import type { Hooks } from '../../hooks/deliveries.js';
import type { MergeRequestEvent } from '../../hooks/events.js';
import { markupValue } from '../../../text/markup.js';
import { OperationError } from '../../http/errors.js';
import {
  diffOfVersion, diffVersionsOf, hasDiffVersion, hasDiffVersions, insertDiffVersion, nextDiffVersionId,
  type DiffVersionRow,
} from '../../repositories/diff-versions.js';
import { filesOfBase, insertFiles, storedFiles } from '../../repositories/files.js';
import { insertCommit, noteableIn, updateDiff, type NoteableRow } from '../../repositories/noteables.js';
import {
  createWorldCache, projectBy, userByIdOrName, writeEpoch, type ProjectRow, type SettingOverrides,
} from '../../repositories/world.js';
import type { Database, Queries } from '../../store/database.js';
import { addSystemNote, type Change } from '../discussions/system-note.js';
import { versionContent, type VersionContent } from '../discussions/version-change.js';
import { moveThreads, type MovedThreads } from './move-threads.js';
import { nextVersion, type NextVersion } from './next-version.js';
import type { PushChange } from './push-change.js';

interface PushOptions {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly settings?: SettingOverrides;
  readonly now: () => Date;
  readonly hex: (length: number) => string;
  /** Of the server, without a trailing slash. */
  readonly address: () => string;
  readonly hooks: Pick<Hooks, 'announce'>;
}

/** The new version, and what became of the threads on the former one. */
export interface PushResult extends MovedThreads {
  /** As in the list of versions. */
  readonly id: number;
  /** Of the version, from 1. */
  readonly number: number;
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
}

/** In one transaction. @throws OperationError if the push is refused; then nothing is stored */
export const push = async (options: PushOptions, change: PushChange): Promise<PushResult> => {
  const { result, announcements } = await options.database.writeExclusively(async (queries) => {
    const place = await placeOf(queries, change);
    const former = await formerVersion(queries, place.mergeRequest);
    const next = await nextVersion(former, change, {
      hex: options.hex, knownFiles: (base) => storedFiles(queries, place.project.id, base),
    });
    const service = await changeOf(queries, options, place);
    const result = await storePush(service, place, { former, next, title: change.title });
    // Cached rows of the merge request have the former SHAs.
    await writeEpoch(queries);
    return { result, announcements: await announcementsOf(queries, pushed(place, { ...result, now: service.now }), {
      caller: service.caller, edition: service.edition, address: options.address(),
    }) };
  });
  options.hooks.announce(announcements);
  return result;
};

/** behavior: hooks.pushes, hooks.push-user */
const pushed = (
  { project, mergeRequest }: Place, { base_sha, start_sha, head_sha, now }: PushResult & { readonly now: string },
): MergeRequestEvent => ({
  kind: 'merge_request', action: 'update', project,
  noteable: { ...mergeRequest, base_sha, start_sha, head_sha, updated_at: now },
  ...mergeRequest.head_sha !== null && { oldrev: mergeRequest.head_sha },
});

interface Place { readonly project: ProjectRow; readonly mergeRequest: NoteableRow }

const placeOf = async (queries: Queries, { project: name, merge_request }: PushChange): Promise<Place> => {
  const project = await projectBy(queries, name);
  if (!project) throw new OperationError(404, `no project is ${JSON.stringify(name)}`);
  const mergeRequest = await noteableIn(queries, 'merge_request', project.id, merge_request);
  if (!mergeRequest) throw new OperationError(404, `${project.path} has no merge request ${merge_request}`);
  if (mergeRequest.state !== 'opened') {
    throw new OperationError(422, `the merge request is ${mergeRequest.state}; push to an open one`);
  }
  return { project, mergeRequest };
};

const formerVersion = async (queries: Queries, mergeRequest: NoteableRow): Promise<VersionContent> => {
  const [newest] = await diffVersionsOf(queries, mergeRequest);
  return versionContent(queries, mergeRequest, mergeRequest, newest ? await diffOfVersion(queries, newest) : null);
};

/** The service acts for the author of the merge request. */
const changeOf = async (
  queries: Queries, { dialect, settings, now, hex }: PushOptions, { mergeRequest }: Place,
): Promise<Change> => {
  const world = await createWorldCache(settings).of(queries);
  return {
    queries, hex, now: now().toISOString(), edition: editionOf(dialect, world.settings.version),
    caller: (await userByIdOrName(world, String(mergeRequest.author_id)))!,
  };
};

interface Versions { readonly former: VersionContent; readonly next: NextVersion; readonly title: string | undefined }

const storePush = async (change: Change, place: Place, { former, next, title }: Versions): Promise<PushResult> => {
  const { queries, now } = change;
  const { project, mergeRequest } = place;
  const { base_sha, start_sha, head_sha, diff } = next;
  const version = await storeVersion(change, mergeRequest, next);
  const commitTitle = title ?? `Version ${version.number}`;
  const commit = await storeCommits(change, mergeRequest, { former, next, title: commitTitle });
  await storeBaseFiles(queries, project.id, former, next);
  await updateDiff(queries, mergeRequest.id, { base_sha, start_sha, head_sha, diff, now });
  const pushed = { ...mergeRequest, base_sha, start_sha, head_sha };
  const link = linkTo(place, version.id, former.head_sha);
  const text = `version ${version.number} of the diff`;
  const threads = await moveThreads(change, { mergeRequest: pushed, former, next, version: `[${text}](${link})` });
  await addSystemNote(change, pushed, commitsNote(commit, link));
  const { id, number } = version;
  return { id, number, base_sha, start_sha, head_sha, ...threads };
};

const linkTo = ({ project, mergeRequest }: Place, version: number, from: string | null): string => {
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
  { queries, now }: Change, mergeRequest: NoteableRow, { former, next, title }: Versions & { readonly title: string },
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
    project_id, author_id, sha: next.head_sha, parent_sha, title, description: null, created_at: now,
    diff: next.commitDiff,
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
