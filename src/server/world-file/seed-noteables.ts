import { emojiName, type NoteableKind, noteables } from '../../contract/conventions.js';
import type { PartialPosition } from '../../contract/shapes/position.js';
import { locateOnDiff } from '../handlers/discussions/position.js';
import { drawUnused } from '../random.js';
import { insertFiles, storedDiff } from '../repositories/diffs.js';
import { positionGap } from '../repositories/epics.js';
import { insertLabels, insertPerson, storedLabels } from '../repositories/issuables.js';
import { addCommit, commitSha, noteableById } from '../repositories/noteables.js';
import type { NoteRow } from '../repositories/notes.js';
import { fragmentFormat, fragmentOf, type NoteView, suggestionsFor } from '../serializers/note.js';
import type { Queries } from '../store/database.js';
import { withLastVersion } from './places.js';
import type {
  WorldAwardEmoji, WorldCommit, WorldDiscussion, WorldDraftNote, WorldEpic, WorldGroup, WorldIssue, WorldMergeRequest,
  WorldNote, WorldPosition, WorldProject,
} from './schema.js';
import {
  type Cell, iidNumbering, insert, instantOr, givenNotes, numbering, type SeedContext, type SeededMergeRequest,
} from './seed-context.js';

type SeedNoteable = Omit<WorldIssue & WorldMergeRequest & WorldCommit, 'state'>
  & Pick<WorldEpic, 'work_item_id'> & { readonly state?: string };

export const seedEpics = async (context: SeedContext, group_id: number, { epics = [] }: WorldGroup): Promise<void> => {
  const iids = iidNumbering(epics);
  for (const epic of epics) {
    const noteable = await seedNoteable(context, 'epic', { group_id }, { ...epic, iid: iids(epic.iid) });
    await insert(context.queries, 'epics', { noteable, ...epicCells(context, epic) });
  }
};

export const seedNoteables = async (context: SeedContext, project_id: number, project: WorldProject): Promise<void> => {
  const { issues = [], snippets = [], merge_requests = [], commits = [], labels = [] } = project;
  const used = [...issues, ...merge_requests].flatMap((one) => one.labels ?? []);
  await insertLabels(context.queries, project_id, [...labels, ...used]);
  const parent = { project_id };
  const issueIids = iidNumbering(issues);
  for (const issue of issues) await seedNoteable(context, 'issue', parent, { ...issue, iid: issueIids(issue.iid) });
  for (const snippet of snippets) await seedNoteable(context, 'snippet', parent, snippet);
  const iids = iidNumbering(merge_requests);
  for (const mr of merge_requests) {
    await seedNoteable(context, 'merge_request', parent, withLastVersion({ ...mr, iid: iids(mr.iid) }));
  }
  const shas = new Set(commits.map(({ sha }) => sha));
  for (const commit of commits) {
    const sha = commit.sha ?? await drawUnused(context.hex, (id) => shas.has(id));
    await seedNoteable(context, 'commit', parent, withRefs(commit, sha));
  }
};

/** The diff of a commit is relative to its parent (behavior: positions.commits). */
const withRefs = (commit: WorldCommit, sha: string): SeedNoteable => {
  const { parent_sha } = commit;
  return { ...commit, sha, head_sha: sha, ...(parent_sha && { base_sha: parent_sha, start_sha: parent_sha }) };
};

const seedNoteable = async (
  context: SeedContext, kind: NoteableKind, parent: { readonly project_id: number } | { readonly group_id: number },
  thing: SeedNoteable,
): Promise<number> => {
  const id = context.nextNoteable();
  const global_id = context.ids[kind](thing.id);
  const project_id = 'project_id' in parent ? parent.project_id : null;
  const created_at = context.clock(thing.created_at);
  if (kind === 'merge_request') {
    const { versions = [] } = thing;
    context.mergeRequests.push({ noteable: id, project_id: project_id!, global_id, created_at, versions });
  }
  const noted = { kind, global_id, ...notedCells(thing) };
  await insert(context.queries, 'noteables', {
    id, ...parent, ...noted, ...ownCells(context, thing),
    title: thing.title ?? `${noteables[kind].type.document} ${thing.iid ?? thing.sha?.slice(0, 8) ?? global_id}`,
    created_at, updated_at: instantOr(thing.updated_at, created_at),
  });
  const { base_sha, start_sha, head_sha } = thing;
  const refs = Object.fromEntries(Object.entries({ base_sha, start_sha, head_sha }).filter(([, sha]) => sha));
  const noteable = { ...noted, project_id };
  const view = { noteable, edition: context.edition, diff: thing.diff ?? null };
  const namedThreads = new Set(thing.discussions?.map((discussion) => discussion.id));
  const anchor = { id, refs, view, namedThreads };
  let after = created_at;
  for (const discussion of thing.discussions ?? []) after = await seedThread(context, anchor, discussion, after);
  for (const draft of thing.draft_notes ?? []) await seedDraftNote(context, anchor, draft);
  await seedMergeRequestPeople(context, id, thing);
  return id;
};

const notedCells = ({ iid, state = 'opened', base_sha, start_sha, head_sha, work_item_id }: SeedNoteable) => ({
  iid: iid ?? null, state, base_sha: base_sha ?? null, start_sha: start_sha ?? null, head_sha: head_sha ?? null,
  work_item_id: work_item_id ?? null,
});

const seedMergeRequestPeople = async (
  { queries, user }: SeedContext, id: number, { assignees = [], reviewers = [], approved_by = [] }: SeedNoteable,
) => {
  for (const name of assignees) await insertPerson(queries, id, 'assignee', user(name).id);
  for (const reviewer of reviewers) {
    const { user: name, state, created_at } = typeof reviewer === 'string' ? { user: reviewer } : reviewer;
    await insertPerson(queries, id, 'reviewer', user(name).id, instantOr(created_at, undefined), state);
  }
  for (const name of approved_by) await insertPerson(queries, id, 'approver', user(name).id);
};

const ownCells = ({ user, projectIds }: SeedContext, thing: SeedNoteable): Record<string, Cell> => ({
  sha: thing.sha, parent_sha: thing.parent_sha, description: thing.description, author_id: user(thing.author).id,
  confidential: thing.confidential ?? false, locked: thing.locked ?? false,
  source_branch: thing.source_branch, target_branch: thing.target_branch,
  source_project_id: thing.source_project && projectIds.get(thing.source_project),
  diff: thing.diff, labels: storedLabels(thing.labels ?? []),
});

/** The fixed date is the default of the shown date. */
const epicCells = ({ nextPlace }: SeedContext, epic: WorldEpic): Record<string, Cell> => {
  const place = nextPlace();
  const { start_date_is_fixed = epic.start_date_fixed !== undefined } = epic;
  const { due_date_is_fixed = epic.due_date_fixed !== undefined } = epic;
  return {
    parent: epic.parent, position: epic.position ?? place * positionGap,
    start_date: epic.start_date ?? (start_date_is_fixed ? epic.start_date_fixed : null),
    start_date_fixed: epic.start_date_fixed, start_date_is_fixed,
    due_date: epic.due_date ?? (due_date_is_fixed ? epic.due_date_fixed : null),
    due_date_fixed: epic.due_date_fixed, due_date_is_fixed,
  };
};

const seedDraftNote = (
  { queries, ids, user, edition }: SeedContext, { id: noteable, refs, view }: SeededNoteable, draft: WorldDraftNote,
) => {
  const id = ids.draft_note(draft.id);
  const position = draft.position && completePosition(draft.position, refs);
  const line_code = draft.line_code
    ?? (position && locateOnDiff(view.noteable, view.diff, position as PartialPosition, edition).lineCode);
  return insert(queries, 'draft_notes', {
    id, noteable, author_id: user(draft.author).id, discussion_id: draft.discussion_id,
    note: draft.note ?? `Draft note ${id}`, commit_id: draft.commit_id, line_code,
    position: position && JSON.stringify(position), resolve_discussion: draft.resolve_discussion ?? false,
  });
};

interface SeededNoteable {
  readonly id: number;
  readonly view: NoteView;
  readonly refs: Pick<WorldPosition, 'base_sha' | 'start_sha' | 'head_sha'>;
  readonly namedThreads: ReadonlySet<string | undefined>;
}

/** The first note is later than `after`. @returns the time of the first note */
const seedThread = async (context: SeedContext, anchor: SeededNoteable, discussion: WorldDiscussion, after: string) => {
  const id = discussion.id ?? await drawUnused(context.hex, (given) => anchor.namedThreads.has(given));
  const notes = givenNotes(discussion);
  const position = notes.find((note) => note.position !== undefined)?.position;
  const thread = {
    discussion_id: id, type: noteType(discussion, position),
    position: position === undefined ? null : JSON.stringify(completePosition(position, anchor.refs)),
    internal: Number(notes.some(({ internal }) => internal === true)),
  };
  const rows: NoteCells[] = [];
  for (const note of notes) {
    rows.push(noteRow(context, note, context.clock(note.created_at, rows.at(-1)?.created_at ?? after)));
  }
  const first = rows.reduce(earlier);
  for (const note of rows) await seedNote(context, anchor, { ...note, ...thread }, note === first);
  return rows[0]!.created_at;
};

type NoteCells = ReturnType<typeof noteRow>;

const earlier = (one: NoteCells, other: NoteCells): NoteCells =>
  other.created_at < one.created_at || other.created_at === one.created_at && other.id < one.id ? other : one;

const seedNote = async (
  context: SeedContext, { id, view }: SeededNoteable,
  note: NoteCells & Pick<NoteRow, 'discussion_id' | 'type' | 'position' | 'internal'>, starts: boolean,
): Promise<void> => {
  const { queries, edition } = context;
  const { author, resolver, given, awards, ...row } = note;
  const cells = { ...row, author_id: author.id, resolved_by: resolver?.id ?? null };
  const noted = { ...cells, suggestions: given === undefined ? suggestionsFor(view, cells) : JSON.stringify(given) };
  const fragment = fragmentOf(view, noted, { author, resolver });
  await insert(queries, 'notes', { ...noted, noteable: id, fragment, dialect: fragmentFormat(edition), starts });
  for (const award of awards) await seedAward(context, row, award);
};

/** behavior: awards.aliases */
const seedAward = (
  { queries, ids, user }: SeedContext, note: Pick<NoteCells, 'id' | 'created_at'>, award: WorldAwardEmoji,
) => insert(queries, 'award_emoji', {
  id: ids.award(award.id), note_id: note.id, user_id: user(award.user).id, name: emojiName(award.name),
  created_at: instantOr(award.created_at, note.created_at),
});

/**
 * Individual notes, and system notes without replies, have no type (behavior: threads.never-individual). A note on a
 * diff makes all notes of its thread diff notes (behavior: replies.keep-position).
 */
const noteType = (discussion: WorldDiscussion, position: WorldPosition | undefined): string | null => {
  const [first, ...replies] = givenNotes(discussion);
  const isIndividual = discussion.individual_note ?? (replies.length === 0 && first!.system === true && !position);
  return isIndividual ? null : position === undefined ? 'DiscussionNote' : 'DiffNote';
};

const noteRow = ({ ids, user }: SeedContext, note: WorldNote, created_at: string) => {
  const id = ids.notes(note.id);
  const updated_at = instantOr(note.updated_at, created_at);
  const resolver = note.resolved_by === undefined ? null : user(note.resolved_by);
  return {
    id, body: note.body ?? `Note ${id}`, attachment: note.attachment ?? null, author: user(note.author), created_at,
    updated_at, system: Number(note.system ?? false), commit_id: note.commit_id ?? null, resolver,
    resolved_at: resolver && instantOr(note.resolved_at, updated_at),
    given: note.suggestions?.map(({ from_content, applied = false }) => ({ from: from_content ?? null, applied })),
    awards: note.award_emoji ?? [],
  };
};

/** The service returns all keys, even those without a value (behavior: positions.nulls). */
const completePosition = (position: WorldPosition, refs: SeededNoteable['refs']) => {
  const { position_type = 'text', old_line = null, new_line = null, line_range = null } = position;
  const { base_sha, start_sha, head_sha } = { ...refs, ...position };
  const where = {
    base_sha, start_sha, head_sha,
    old_path: position.old_path ?? position.new_path, new_path: position.new_path ?? position.old_path, position_type,
  };
  if (position_type === 'file') return where;
  if (position_type === 'text') return { ...where, old_line, new_line, line_range };
  const { width, height, x, y } = position;
  return { ...where, width, height, x, y };
};

/** Runs after all merge requests are stored, since the first version has the id of its merge request. */
export const seedVersions = async (queries: Queries, mergeRequests: readonly SeededMergeRequest[]): Promise<void> => {
  const named = new Set(mergeRequests.flatMap(({ versions }) => versions.flatMap(({ id }) => id ?? [])));
  const ids = numbering([...named, ...mergeRequests.map(({ global_id }) => global_id)]);
  for (const { noteable, global_id, created_at, versions } of mergeRequests) {
    for (const [i, version] of versions.entries()) {
      const { base_sha, start_sha = base_sha, head_sha, diff } = version;
      await insert(queries, 'diff_versions', {
        id: version.id ?? (i === 0 && !named.has(global_id) ? global_id : ids()), noteable, number: i + 1,
        base_sha, start_sha, head_sha, diff,
        created_at: instantOr(version.created_at, created_at),
      });
    }
  }
  await seedBaseFiles(queries, mergeRequests);
};

/** Clients read the head of a merge request by its SHA, and comment on it. The ids come after all others. */
export const seedHeads = async (queries: Queries, mergeRequests: readonly SeededMergeRequest[]): Promise<void> => {
  for (const { noteable, versions } of mergeRequests) {
    const row = (await noteableById(queries, noteable))!;
    const all = versions.length > 0 ? versions : [{ ...row, diff: await storedDiff(queries, noteable) }];
    for (const { base_sha, head_sha, diff = null } of all) {
      if (!head_sha) continue;
      await addCommit(queries, { ...row, sha: head_sha, parent_sha: commitSha(base_sha), diff });
    }
  }
};

/** Stores files once for each base of a project: versions with the same base have the same files. */
const seedBaseFiles = async (queries: Queries, mergeRequests: readonly SeededMergeRequest[]): Promise<void> => {
  const seen = new Set<string>();
  for (const { project_id, versions } of mergeRequests) {
    for (const { base_sha, base_files } of versions) {
      const key = `${project_id} ${base_sha}`;
      if (base_files === undefined || seen.has(key)) continue;
      seen.add(key);
      await insertFiles(queries, project_id, base_sha!, Object.entries(base_files));
    }
  }
};
