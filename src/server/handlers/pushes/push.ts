import { editionOf } from '../../../contract/behavior/fact.js';
import type { Position } from '../../../contract/shapes/position.js';
import { markupValue } from '../../../text/quoting.js';
import { announcementsOf } from '../../hooks/announce.js';
import type { Hooks } from '../../hooks/deliveries.js';
import type { MergeRequestEvent } from '../../hooks/events.js';
import { OperationError } from '../../http/response.js';
import { drawUnused } from '../../random.js';
import {
  diffOfVersion, type DiffVersionRow, diffVersionsOf, filesOfBase, hasDiffVersion, hasDiffVersions,
  insertDiffVersion, insertFiles, nextDiffVersionId, storedFiles, updateDiff,
} from '../../repositories/diffs.js';
import { addCommit, commitSha, noteableIn, type NoteableRow } from '../../repositories/noteables.js';
import { diffNotesOf, type ShownNoteRow, updateNote } from '../../repositories/notes.js';
import { projectBy, type ProjectRow, userByIdOrName, writeEpoch } from '../../repositories/world.js';
import { fragmentFormat, fragmentOf, isSuggestion, peopleOf } from '../../serializers/note.js';
import type { Queries } from '../../store/database.js';
import { tracedPosition, versionChange, versionContent, type VersionContent } from '../discussions/position.js';
import { addSystemNote, type WriteContext } from '../stored-note.js';
import { nextVersion, type NextVersion, type PushedContent } from './next-version.js';
import type { ApiOptions } from '../../api/api.js';

/** A push to the branch of a merge request. */
export interface PushChange extends PushedContent {
  /** Its id or full path. */
  readonly project: number | string;
  /** Its number in the project. */
  readonly merge_request: number;
}

/** The new version, and what became of the threads on the former one. */
export interface PushResult extends MovedThreads {
  /** The id that the list of versions shows. */
  readonly id: number;
  /** The number of the version, from 1. */
  readonly number: number;
  /** The commit that the diff of the version starts from. */
  readonly base_sha: string;
  /** The head of the target branch. */
  readonly start_sha: string;
  /** The commit that was pushed. */
  readonly head_sha: string;
}

interface PushTarget { readonly project: ProjectRow; readonly mergeRequest: NoteableRow }

interface PushOptions extends Pick<ApiOptions, 'database' | 'dialect' | 'worldCache' | 'now' | 'hex' | 'address'> {
  readonly hooks: Pick<Hooks, 'announce'>;
}

/** @throws OperationError if the push is refused; then nothing is stored */
export const push = async (options: PushOptions, given: PushChange): Promise<PushResult> => {
  const { result, announcements } = await options.database.writeExclusively(async (queries) => {
    const target = await findTarget(queries, given);
    const context = await writeContext(queries, options, target);
    const { result, event } = await storePush(context, target, given);
    return { result, announcements: await announcementsOf(queries, event, {
      caller: context.caller, edition: context.edition, address: options.address(),
    }) };
  });
  options.hooks.announce(announcements);
  return result;
};

const findTarget = async (queries: Queries, { project: name, merge_request }: PushChange): Promise<PushTarget> => {
  const project = await projectBy(queries, name);
  if (!project) throw new OperationError(404, `no project is ${JSON.stringify(name)}`);
  const mergeRequest = await noteableIn(queries, 'merge_request', project.id, merge_request);
  if (!mergeRequest) throw new OperationError(404, `${project.path} has no merge request ${merge_request}`);
  if (mergeRequest.state !== 'opened') {
    throw new OperationError(422, `the merge request is ${mergeRequest.state}; push to an open one`);
  }
  return { project, mergeRequest };
};

/** The service acts for the author of the merge request (behavior: hooks.push-user). */
const writeContext = async (
  queries: Queries, { dialect, worldCache, now, hex }: PushOptions, { mergeRequest }: PushTarget,
): Promise<WriteContext> => {
  const world = await worldCache.of(queries);
  return {
    queries, hex, now: now().toISOString(), edition: editionOf(dialect, world.settings.version),
    caller: (await userByIdOrName(world, String(mergeRequest.author_id)))!,
  };
};

export interface Pushed extends PushedContent {
  readonly author?: number;
  readonly description?: string;
}

/**
 * Call in an exclusive transaction. The event is for webhooks (behavior: hooks.pushes). @throws OperationError if the
 * push does not fit to what is known
 */
export const storePush = async (
  context: WriteContext, target: PushTarget, pushed: Pushed,
): Promise<{ readonly result: PushResult; readonly event: MergeRequestEvent }> => {
  const { queries } = context;
  const { project, mergeRequest } = target;
  const [newest] = await diffVersionsOf(queries, mergeRequest);
  const diff = newest ? await diffOfVersion(queries, newest) : null;
  const former = await versionContent(queries, mergeRequest, mergeRequest, diff);
  const filesOf = (base: string) => storedFiles(queries, project.id, base);
  const newSha = () => drawUnused(context.hex, async (sha) =>
    await noteableIn(queries, 'commit', project.id, sha) ?? (await filesOf(sha)).size > 0);
  const next = await nextVersion(former, pushed, newSha, filesOf);
  const result = await storeNext(context, target, { former, next, pushed });
  // Cached rows of the merge request have the former SHAs.
  await writeEpoch(queries);
  const { base_sha, start_sha, head_sha } = result;
  return { result, event: {
    kind: 'merge_request', action: 'update', project,
    noteable: { ...mergeRequest, base_sha, start_sha, head_sha, updated_at: context.now },
    ...mergeRequest.head_sha !== null && { oldrev: mergeRequest.head_sha },
  } };
};

interface Versions { readonly former: VersionContent; readonly next: NextVersion; readonly pushed: Pushed }

const storeNext = async (
  context: WriteContext, target: PushTarget, { former, next, pushed }: Versions,
): Promise<PushResult> => {
  const { queries, now } = context;
  const { project, mergeRequest } = target;
  const { base_sha, start_sha, head_sha, diff } = next;
  const version = await storeVersion(context, mergeRequest, next);
  const title = pushed.title ?? `Version ${version.number}`;
  const commit = await storeCommits(context, mergeRequest, { former, next, pushed: { ...pushed, title } });
  await storeBaseFiles(queries, project.id, former, next);
  await updateDiff(queries, mergeRequest.id, { base_sha, start_sha, head_sha, diff, updated_at: now });
  const after = { ...mergeRequest, base_sha, start_sha, head_sha };
  const link = linkTo(target, version.id, former.head_sha);
  const text = `version ${version.number} of the diff`;
  const threads = await moveThreads(context, { mergeRequest: after, former, next, version: `[${text}](${link})` });
  // behavior: pushes.commits-note
  await addSystemNote(context, after, `added 1 commit\n\n<ul><li>${commit.sha.slice(0, 8)} - ${
    markupValue(commit.title)}</li></ul>\n\n[Compare with previous version](${link})`);
  const { id, number } = version;
  return { id, number, base_sha, start_sha, head_sha, ...threads };
};

const linkTo = ({ project, mergeRequest }: PushTarget, version: number, from: string | null): string => {
  const query = new URLSearchParams({ diff_id: String(version), ...from !== null && { start_sha: from } });
  return `/${project.path}/-/merge_requests/${mergeRequest.iid}/diffs?${String(query)}`;
};

/** The version before the first push is stored with it. */
const storeVersion = async (
  { queries, now }: WriteContext, mergeRequest: NoteableRow, { base_sha, start_sha, head_sha, diff }: NextVersion,
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

/** A commit that the world already has keeps its title (behavior: pushes.forced). */
const storeCommits = async (
  { queries, now }: WriteContext, mergeRequest: NoteableRow, { former, next, pushed }: Versions,
): Promise<Commit> => {
  const { project_id, author_id } = mergeRequest;
  const { head_sha, base_sha, diff } = former;
  if (head_sha !== null) {
    await addCommit(queries, { ...mergeRequest, sha: head_sha, parent_sha: commitSha(base_sha), diff });
  }
  const follows = !pushed.force && next.base_sha === base_sha && head_sha !== null;
  const parent_sha = commitSha(follows ? head_sha : next.base_sha);
  const sha = next.head_sha;
  const title = await addCommit(queries, {
    project_id, author_id: pushed.author ?? author_id, sha, parent_sha, title: pushed.title!,
    description: pushed.description ?? null, created_at: now, diff: next.commitDiff,
  });
  return { sha, title };
};

const storeBaseFiles = async (
  queries: Queries, project: number, former: VersionContent, next: NextVersion,
): Promise<void> => {
  if (next.base_sha === former.base_sha || next.base.size === 0) return;
  const known = await filesOfBase(queries, project, next.base_sha);
  const isKnown = known.size === next.base.size && [...next.base].every(([path, text]) => known.get(path) === text);
  if (!isKnown) await insertFiles(queries, project, next.base_sha, next.base);
};

/** What a push changed about the threads on the version before. */
export interface MovedThreads {
  /** Ids of the threads whose positions are on the new version. */
  readonly moved: readonly string[];
  /** Ids of the threads that the push made outdated. */
  readonly outdated: readonly string[];
}

interface Push {
  readonly mergeRequest: NoteableRow;
  readonly former: VersionContent;
  readonly next: VersionContent;
  readonly version: string;
}

/** Of the threads on the former version; those on older ones are outdated already (behavior: pushes.outdated). */
const moveThreads = async (context: WriteContext, push: Push): Promise<MovedThreads> => {
  const threads = threadsOn(push.former, await diffNotesOf(context.queries, push.mergeRequest.id));
  const [moved, outdated]: [string[], string[]] = [[], []];
  const between = threads.size > 0 ? versionChange(push.former, push.next) : null;
  for (const [id, notes] of threads) {
    const position = tracedPosition(storedPosition(notes[0]!), push.former, push.next, between!);
    await rewriteNotes(context, push, notes, position);
    if (position === null) await addOutdatedNote(context, push, notes[0]!);
    (position === null ? outdated : moved).push(id);
  }
  return { moved, outdated };
};

const storedPosition = ({ position }: ShownNoteRow): Position => JSON.parse(position!) as Position;

const threadsOn = (version: VersionContent, notes: readonly ShownNoteRow[]): Map<string, ShownNoteRow[]> => {
  const threads = new Map<string, ShownNoteRow[]>();
  for (const note of notes) {
    const { base_sha, start_sha, head_sha } = storedPosition(note);
    const isActive = base_sha === version.base_sha && start_sha === version.start_sha && head_sha === version.head_sha;
    if (isActive) threads.set(note.discussion_id, [...threads.get(note.discussion_id) ?? [], note]);
  }
  return threads;
};

/** Times stay (behavior: pushes.moved). A suggestion of an outdated note can no longer be applied. */
const rewriteNotes = async (
  { queries, edition }: WriteContext, { mergeRequest, next }: Push, notes: readonly ShownNoteRow[],
  position: Position | null,
): Promise<void> => {
  const view = { noteable: mergeRequest, edition, diff: next.diff };
  for (const note of notes) {
    if (position === null && !isSuggestion(view, note)) continue;
    const moved = position === null ? note : { ...note, position: JSON.stringify(position) };
    await updateNote(queries, note.id, {
      position: moved.position, fragment: fragmentOf(view, moved, peopleOf(note)), dialect: fragmentFormat(edition),
    });
  }
};

/** behavior: pushes.thread-note */
const addOutdatedNote = (
  context: WriteContext, { mergeRequest, version }: Push, first: ShownNoteRow,
): Promise<void> => {
  const what = storedPosition(first).position_type === 'text' ? 'line' : 'file';
  return addSystemNote(context, mergeRequest, `changed this ${what} in ${version}`, first);
};
