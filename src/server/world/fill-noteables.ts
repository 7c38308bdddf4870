import type { NoteableKind } from '../../contract/noteables.js';
import { readInstant } from '../../wire/instants.js';
import { fillThreads } from './fill-threads.js';
import type { Filling } from './filling.js';
import { insert, type Cell } from './insert.js';
import { countingOf } from './numbering.js';
import type { WorldCommit, WorldEpic, WorldGroup, WorldIssue, WorldMergeRequest, WorldProject } from './shape.js';

type Parent = { readonly project_id: number } | { readonly group_id: number };

/** A noteable of any kind: what the kinds have in common by name. */
type Thing = Omit<WorldIssue & WorldMergeRequest & WorldCommit, 'state'> & { readonly state?: string };

/** Writes what hangs on a group. */
export const fillGroup = async (filling: Filling, group_id: number, { epics = [] }: WorldGroup): Promise<void> => {
  const iids = countingOf(epics);
  for (const epic of epics) {
    const noteable = await fillNoteable(filling, 'epic', { group_id }, { ...epic, iid: iids(epic.iid) });
    await insert(filling.queries, 'epics', { noteable, ...epicCells(filling, epic) });
  }
};

/** Writes what hangs on a project. */
export const fillProject = async (filling: Filling, project_id: number, project: WorldProject): Promise<void> => {
  const { issues = [], snippets = [], merge_requests = [], commits = [] } = project;
  const parent = { project_id };
  const issueIids = countingOf(issues);
  for (const issue of issues) await fillNoteable(filling, 'issue', parent, { ...issue, iid: issueIids(issue.iid) });
  for (const snippet of snippets) await fillNoteable(filling, 'snippet', parent, snippet);
  const iids = countingOf(merge_requests);
  for (const mr of merge_requests) await fillNoteable(filling, 'merge_request', parent, { ...mr, iid: iids(mr.iid) });
  for (const commit of commits) await fillNoteable(filling, 'commit', parent, withRefs(filling, commit));
};

/** The diff of a commit goes from its parent to itself (wire-facts 4.10.13). */
const withRefs = ({ hex }: Filling, commit: WorldCommit): Thing => {
  const { sha = hex(40), parent_sha } = commit;
  return { ...commit, sha, head_sha: sha, ...(parent_sha && { base_sha: parent_sha, start_sha: parent_sha }) };
};

const nouns: Record<NoteableKind, string> = {
  issue: 'Issue', snippet: 'Snippet', epic: 'Epic', merge_request: 'Merge request', commit: 'Commit',
};

/** Writes one noteable with its threads, and gives its key. */
const fillNoteable = async (filling: Filling, kind: NoteableKind, parent: Parent, thing: Thing): Promise<number> => {
  const id = filling.nextNoteable();
  const global_id = filling.ids[kind](thing.id);
  const project_id = 'project_id' in parent ? parent.project_id : null;
  const created_at = filling.clock(thing.created_at);
  const { base_sha, start_sha, head_sha } = thing;
  await insert(filling.queries, 'noteables', {
    id, kind, ...parent, global_id, ...ownCells(filling, thing), base_sha, start_sha, head_sha,
    title: thing.title ?? `${nouns[kind]} ${thing.iid ?? thing.sha?.slice(0, 8) ?? global_id}`, created_at,
    updated_at: thing.updated_at === undefined ? created_at : readInstant(thing.updated_at)!.iso,
  });
  const refs = Object.fromEntries(Object.entries({ base_sha, start_sha, head_sha }).filter(([, sha]) => sha));
  const noted = { kind, global_id, iid: thing.iid ?? null, project_id };
  await fillThreads(filling, { id, created_at, refs, noted }, thing.discussions);
  return id;
};

const ownCells = ({ user }: Filling, thing: Thing): Record<string, Cell> => ({
  iid: thing.iid, sha: thing.sha, parent_sha: thing.parent_sha, description: thing.description,
  state: thing.state ?? 'opened', author_id: user(thing.author).id, confidential: thing.confidential ?? false,
  locked: thing.locked ?? false, source_branch: thing.source_branch, target_branch: thing.target_branch,
  diff: thing.diff,
});

/** A date that is fixed is the one shown, unless another is. */
const epicCells = ({ nextPosition }: Filling, epic: WorldEpic): Record<string, Cell> => {
  const place = nextPosition();
  const { start_date_is_fixed = epic.start_date_fixed !== undefined } = epic;
  const { due_date_is_fixed = epic.due_date_fixed !== undefined } = epic;
  return {
    parent: epic.parent, position: epic.position ?? place, labels: JSON.stringify(epic.labels ?? []),
    start_date: epic.start_date ?? (start_date_is_fixed ? epic.start_date_fixed : null),
    start_date_fixed: epic.start_date_fixed, start_date_is_fixed,
    due_date: epic.due_date ?? (due_date_is_fixed ? epic.due_date_fixed : null),
    due_date_fixed: epic.due_date_fixed, due_date_is_fixed,
  };
};
