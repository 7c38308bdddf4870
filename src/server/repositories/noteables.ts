import { type NoteableKind, workItemOffset } from '../../contract/conventions.js';
import { insertRow, placeholders, type Queries, type Row, type Value } from '../store/database.js';

/** The diff is left out because it can be long and is rarely needed. */
export interface NoteableRow extends Row {
  readonly id: number;
  readonly kind: NoteableKind;
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly iid: number | null;
  readonly global_id: number;
  readonly sha: string | null;
  readonly parent_sha: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly author_id: number;
  readonly confidential: number;
  readonly locked: number;
  readonly base_sha: string | null;
  readonly start_sha: string | null;
  readonly head_sha: string | null;
  readonly source_branch: string | null;
  readonly target_branch: string | null;
  /** Null if the branch is in the project of the merge request. */
  readonly source_project_id: number | null;
  /** Of an epic; null for the usual one. */
  readonly work_item_id: number | null;
  readonly labels: string;
  readonly created_at: string;
  /** The time of the last change or note. */
  readonly updated_at: string;
  /** The time of the last change of state, or push. */
  readonly changed_at: string;
  /** Incremented by every change of its threads. */
  readonly version: number;
}

/** SQLite and PostgreSQL name the larger of two values differently. */
export const lastUpdateOf = (row: string): string => {
  const activityTime = `(SELECT activity.updated_at FROM activity WHERE noteable = ${row}.id)`;
  return `CASE WHEN ${activityTime} > ${row}.updated_at THEN ${activityTime} ELSE ${row}.updated_at END`;
};

export const lastUpdate = lastUpdateOf('noteables');

const noteableColumns = `id, kind, project_id, group_id, iid, global_id, sha, parent_sha, title, description,
  state, author_id, confidential, locked, base_sha, start_sha, head_sha, source_branch, target_branch,
  source_project_id, work_item_id, labels, created_at,
  ${lastUpdate} AS updated_at, updated_at AS changed_at,
  (SELECT version FROM activity WHERE noteable = noteables.id) AS version`;

/** behavior: epics.work-item, epics.work-item-offset */
export const workItemIdOf = ({ global_id, work_item_id }: Pick<NoteableRow, 'global_id' | 'work_item_id'>): number =>
  work_item_id ?? global_id + workItemOffset;

/** What a path has (behavior: threads.epic-id, threads.commit-sha). */
const column: Record<NoteableKind, string> = {
  issue: 'iid', merge_request: 'iid', snippet: 'global_id', epic: 'global_id', commit: 'sha',
};

export const noteableIn = (queries: Queries, kind: NoteableKind, container: number, name: number | string) =>
  queries.get<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables
     WHERE kind = ? AND ${kind === 'epic' ? 'group_id' : 'project_id'} = ? AND ${column[kind]} = ?`,
    kind, container, kind === 'commit' ? String(name).toLowerCase() : name);

/** Undefined for an unknown or ambiguous one (behavior: lookups.commit-refs). @returns the whole SHA */
export const shaOfRef = async (queries: Queries, project: number, ref: string): Promise<string | undefined> => {
  const ofCommits = `SELECT sha FROM noteables WHERE kind = 'commit' AND project_id = ?`;
  const shas = (sql: string, ...values: Value[]) => queries.all<{ sha: string }>(sql, project, ...values);
  const isDefault = ref === 'HEAD' || ref === 'main';
  const [head] = isDefault ? await shas(`${ofCommits} ORDER BY created_at DESC, id DESC LIMIT 1`) : await shas(
    `SELECT head_sha AS sha FROM noteables WHERE kind = 'merge_request' AND project_id = ? AND source_branch = ?
     AND head_sha IS NOT NULL ORDER BY id DESC LIMIT 1`, ref);
  if (head || !/^[0-9a-f]{7,40}$/i.test(ref)) return head?.sha;
  const [only, ...others] = await shas(`${ofCommits} AND sha LIKE ? LIMIT 2`, `${ref.toLowerCase()}%`);
  return others.length === 0 ? only?.sha : undefined;
};

export const noteableById = (queries: Queries, id: number) =>
  queries.get<NoteableRow>(`SELECT ${noteableColumns} FROM noteables WHERE id = ?`, id);

const assignedTo = (noteable: string) =>
  `EXISTS (SELECT 1 FROM merge_request_people WHERE noteable = ${noteable} AND role = 'assignee' AND user_id = ?)`;

export const isAssigned = async (queries: Queries, id: number, user: number): Promise<boolean> =>
  await queries.get(`SELECT 1 AS found WHERE ${assignedTo('?')}`, id, user) !== undefined;

export const newestOf = (queries: Queries, kind: 'issue' | 'merge_request', project: number) =>
  queries.get<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables WHERE kind = ? AND project_id = ? ORDER BY iid DESC LIMIT 1`,
    kind, project);

/** Notes show the number as `noteable_id` in the document. */
export const commitByNumber = (queries: Queries, project: number, id: number) => queries.get<NoteableRow>(
  `SELECT ${noteableColumns} FROM noteables WHERE kind = 'commit' AND project_id = ? AND global_id = ?`, project, id);

export const changeBetween = (queries: Queries, project: number, from: string, to: string) =>
  queries.get<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables WHERE project_id = ?
     AND (kind = 'merge_request' AND ? IN (base_sha, start_sha) AND head_sha = ?
       OR kind = 'commit' AND parent_sha = ? AND sha = ?) ORDER BY kind DESC, id LIMIT 1`,
    project, from, to, from, to);

/**
 * Goes from the head down to the base. A merge request with a head has at least that commit: if the world does not have
 * it, it is derived from the merge request.
 */
export const commitsBetween = async (queries: Queries, mergeRequest: NoteableRow): Promise<NoteableRow[]> => {
  const { head_sha, base_sha, start_sha, project_id } = mergeRequest;
  const commits: NoteableRow[] = [];
  const seen = new Set<string | null>([null, base_sha, start_sha]);
  for (let sha = head_sha; !seen.has(sha);) {
    seen.add(sha);
    const known = await noteableIn(queries, 'commit', project_id!, sha!);
    if (!known && sha !== head_sha) break;
    const commit = known ?? { ...mergeRequest, sha, parent_sha: base_sha, start_sha: base_sha };
    commits.push(commit);
    sha = commit.parent_sha;
  }
  return commits;
};

interface ListedContainer { readonly id: number; readonly showsConfidential: boolean }

export interface NoteableFilter {
  readonly kind: NoteableKind;
  readonly containers: readonly ListedContainer[];
  readonly caller: number;
  readonly more?: readonly Condition[] | undefined;
  /** By default newest first; equal values are ordered by id. */
  readonly order?: Order | undefined;
}

export interface Order { readonly order_by?: string | null | undefined; readonly sort?: string | null | undefined }

/** Others count as `created_at` (behavior: lookups.order). */
const orderColumns = ['updated_at', 'title'] as const;

export const pageOfNoteables = async (
  queries: Queries, filter: NoteableFilter, { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly noteables: NoteableRow[]; readonly rows: number }> => {
  const { sql, values } = conditionsOf(filter);
  const { order_by, sort } = filter.order ?? {};
  const by = orderColumns.find((column) => column === order_by) ?? 'created_at';
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const noteables = await queries.all<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables WHERE ${sql} ORDER BY ${by} ${direction}, id ${direction}
     LIMIT ? OFFSET ?`,
    ...values, limit, offset);
  const count = await queries.get<{ rows: number }>(`SELECT count(*) AS rows FROM noteables WHERE ${sql}`, ...values);
  return { noteables, rows: count!.rows };
};

const conditionsOf = ({ kind, containers, caller, more = [] }: NoteableFilter) => {
  const holder = kind === 'epic' ? 'group_id' : 'project_id';
  const parts: Condition[] = [['kind = ?', kind], inAnyContainer(holder, containers)];
  if (containers.some(({ showsConfidential }) => !showsConfidential)) {
    const [all, ...ids] = inAnyContainer(holder, containers.filter(({ showsConfidential }) => showsConfidential));
    const own = kind === 'epic' ? [] : [caller, caller];
    const isOwn = kind === 'epic' ? '' : ` OR author_id = ? OR ${assignedTo('noteables.id')}`;
    parts.push([`(confidential = 0${isOwn} OR ${all})`, ...own, ...ids]);
  }
  parts.push(...more);
  return { sql: parts.map(([text]) => text).join(' AND '), values: parts.flatMap(([, ...values]) => values) };
};

/** Ignores case, and finds the characters of patterns as they are. */
export const containing = (columns: readonly string[], text: string): Condition => {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
  const each = columns.map((column) => `lower(${column}) LIKE ? ESCAPE '\\'`);
  return [`(${each.join(' OR ')})`, ...columns.map(() => pattern)];
};

/** Pads to a power of two: a few prepared statements then serve lists of any length. */
export const padded = (keys: readonly number[]): number[] => {
  const size = keys.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(keys.length));
  return Array.from({ length: size }, (_, i) => keys[Math.min(i, keys.length - 1)]!);
};

export type Condition = readonly [sql: string, ...values: Value[]];

const inAnyContainer = (column: string, containers: readonly ListedContainer[]): Condition => {
  const ids = padded(containers.map(({ id }) => id));
  if (ids.length === 0) return ['1 = 0'];
  return ids.length === 1 ? [`${column} = ?`, ...ids] : [`${column} IN (${placeholders(ids.length)})`, ...ids];
};

type NewCommit = Pick<NoteableRow,
  'project_id' | 'sha' | 'parent_sha' | 'title' | 'description' | 'author_id' | 'created_at'>
  & { readonly diff: string | null };

/** World files cannot have other commits. */
export const commitSha = (sha: string | null | undefined): string | null =>
  sha && /^[0-9a-f]{40}$/.test(sha) ? sha : null;

/** A commit that the project has stays as it is. No other transaction may write. @returns the title that it has */
export const addCommit = async (queries: Queries, commit: NewCommit): Promise<string> => {
  const known = await noteableIn(queries, 'commit', commit.project_id!, commit.sha!);
  if (!known && commitSha(commit.sha) !== null) await insertCommit(queries, commit);
  return known?.title ?? commit.title;
};

const insertCommit = async (queries: Queries, commit: NewCommit): Promise<void> => {
  const next = await queries.get<{ id: number }>(
    `SELECT coalesce(max(global_id), 0) + 1 AS id FROM noteables WHERE kind = 'commit'`);
  const { project_id, sha, parent_sha, title, description, author_id, created_at, diff } = commit;
  await insertNoteable(queries, {
    kind: 'commit', project_id, global_id: next!.id, sha, parent_sha, base_sha: parent_sha,
    start_sha: parent_sha, head_sha: sha, title, description, author_id, confidential: 0, diff,
  }, created_at);
};

interface NewIssuable extends Readonly<Record<string, Value>> {
  readonly kind: 'issue' | 'epic';
  readonly title: string;
  readonly confidential: number;
  readonly author_id: number;
}

/**
 * With the next ids, globally and in the project or group. No other transaction may write. @returns the key of the row,
 * and the global id
 */
export const insertIssuable = async (
  queries: Queries, holder: { readonly project_id: number } | { readonly group_id: number }, given: NewIssuable,
  now: string,
): Promise<{ readonly key: number; readonly global_id: number }> => {
  const nextOf = async (column: string, among: string, ...values: Value[]) => {
    const next = `SELECT coalesce(max(${column}), 0) + 1 AS id FROM noteables WHERE kind = '${given.kind}'${among}`;
    return (await queries.get<{ id: number }>(next, ...values))!.id;
  };
  const [[name, container]] = Object.entries(holder) as [[string, number]];
  const global_id = await nextOf('global_id', '');
  const iid = await nextOf('iid', ` AND ${name} = ?`, container);
  return { key: await insertNoteable(queries, { ...holder, ...given, iid, global_id }, now), global_id };
};

const insertNoteable = async (
  queries: Queries, given: Readonly<Record<string, Value>>, now: string,
): Promise<number> => {
  const cells = { ...given, state: 'opened', locked: 0, created_at: now, updated_at: now };
  const id = await insertRow(queries, 'noteables', cells);
  await queries.run('INSERT INTO activity (noteable, version, comments) VALUES (?, 1, 0)', id);
  return id;
};
