import type { NoteableKind, ReviewerState } from '../../contract/conventions.js';
import { type DiffVersionRow, ownFiles } from '../repositories/diffs.js';
import type { EpicDates } from '../repositories/epics.js';
import type { AwardRow, DraftNoteRow, NoteRow } from '../repositories/notes.js';
import { labelTitles, type PersonRole } from '../repositories/issuables.js';
import { lastUpdate, type NoteableRow } from '../repositories/noteables.js';
import type { KeptSuggestion } from '../serializers/suggestions.js';
import type { Queries, Row } from '../store/database.js';
import type {
  WorldAwardEmoji, WorldDiffVersion, WorldDiscussion, WorldDraftNote, WorldNote, WorldNoteables, WorldPosition,
  WorldReviewer, WorldSuggestion,
} from './schema.js';

export type NoteableRows = <K extends NoteableKind>(kind: K, container: number) => WorldNoteables[K][];

interface FullRow extends NoteableRow, EpicDates {
  readonly last_update: string;
  readonly author: string;
  readonly source_project: string | null;
  readonly parent: number | null;
  readonly position: number | null;
}

const noteableRows = `SELECT noteables.*, ${lastUpdate} AS last_update, users.username AS author,
    source.path AS source_project, parent, position, start_date, start_date_fixed, start_date_is_fixed,
    due_date, due_date_fixed, due_date_is_fixed
  FROM noteables JOIN users ON users.id = noteables.author_id LEFT JOIN epics ON epics.noteable = noteables.id
  LEFT JOIN projects AS source ON source.id = noteables.source_project_id
  ORDER BY noteables.id`;

export const noteablesBy = async (queries: Queries, filesOf: FilesOfBase): Promise<NoteableRows> => {
  const rows = await queries.all<FullRow>(noteableRows);
  const threads = await threadsBy(queries);
  const versions = await versionsBy(queries, filesOf);
  const drafts = await draftNotesBy(queries);
  const people = await peopleBy(queries);
  const containers = new Map<string, object[]>();
  for (const row of rows) {
    const key = `${row.kind} ${row.kind === 'epic' ? row.group_id : row.project_id}`;
    const keys = { ...sharedKeys(row), ...ownKeys[row.kind](row), ...versions(row) };
    const thing = present({
      ...keys, ...people.get(row.id), discussions: threads(row.id), draft_notes: drafts.get(row.id) ?? null,
    });
    addToList(containers, key, thing);
  }
  return (kind, container) => containers.get(`${kind} ${container}`) ?? [];
};

export const present = <T extends object>(thing: T): Present<T> =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== null)) as Present<T>;

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };

const sharedKeys = ({ global_id, title, description, author, locked, created_at, last_update }: FullRow) =>
  ({ id: global_id, title, description, author, locked: locked === 1, created_at, updated_at: last_update });

const ownKeys: Record<NoteableKind, (row: FullRow) => object> = {
  issue: ({ iid, state, confidential, labels }) =>
    ({ iid, state, confidential: confidential === 1, labels: labelsOrNull(labels) }),
  snippet: () => ({}),
  epic: ({ iid, state, confidential, parent, position, start_date, start_date_fixed, due_date, ...row }) => ({
    iid, work_item_id: row.work_item_id, state, confidential: confidential === 1, parent, position,
    labels: labelTitles(row),
    start_date, start_date_fixed, start_date_is_fixed: row.start_date_is_fixed === 1,
    due_date, due_date_fixed: row.due_date_fixed, due_date_is_fixed: row.due_date_is_fixed === 1,
  }),
  merge_request: ({ iid, state, source_branch, target_branch, source_project, labels, ...row }) => ({
    iid, state, source_branch, target_branch, source_project,
    base_sha: row.base_sha, start_sha: row.start_sha, head_sha: row.head_sha, diff: row.diff,
    labels: labelsOrNull(labels),
  }),
  commit: ({ sha, parent_sha, diff }) => ({ sha, parent_sha, diff }),
};

const labelsOrNull = (labels: string) => labels === '[]' ? null : labelTitles({ labels });

interface NamedNoteRow extends NoteRow { readonly author: string; readonly resolver: string | null }

const noteRows = `SELECT notes.*, author.username AS author, resolver.username AS resolver
  FROM notes JOIN users AS author ON author.id = notes.author_id
  LEFT JOIN users AS resolver ON resolver.id = notes.resolved_by
  ORDER BY notes.noteable, notes.created_at, notes.id`;

const threadsBy = async (queries: Queries): Promise<(noteable: number) => WorldDiscussion[]> => {
  const threads = new Map<number, Map<string, NamedNoteRow[]>>();
  const awards = await awardsByNote(queries);
  for (const note of await queries.all<NamedNoteRow>(noteRows)) {
    const ofNoteable = threads.get(note.noteable) ?? new Map<string, NamedNoteRow[]>();
    threads.set(note.noteable, ofNoteable);
    addToList(ofNoteable, note.discussion_id, note);
  }
  return (noteable) => [...threads.get(noteable) ?? []].map(([id, notes]) => threadFrom(id, notes, awards));
};

type Awards = ReadonlyMap<number, WorldAwardEmoji[]>;

const awardsByNote = async (queries: Queries): Promise<Awards> => {
  const awards = new Map<number, WorldAwardEmoji[]>();
  const rows = await queries.all<AwardRow & { readonly username: string }>(
    `SELECT award_emoji.*, username FROM award_emoji JOIN users ON users.id = user_id ORDER BY award_emoji.id`);
  for (const { id, note_id, username, name, created_at } of rows) {
    addToList(awards, note_id, { id, user: username, name, created_at });
  }
  return awards;
};

/** A thread has its position, and whether it is internal, on its first note. */
const threadFrom = (id: string, rows: readonly NamedNoteRow[], awards: Awards): WorldDiscussion => {
  const [first, ...others] = rows.map((row) => noteFrom(row, awards.get(row.id)));
  const { position, internal, type } = rows[0]!;
  const placed = {
    ...first!, ...(internal === 1 && { internal: true }),
    ...(position !== null && { position: positionFrom(position) }),
  };
  return { id, individual_note: type === null, notes: [placed, ...others] };
};

const noteFrom = (row: NamedNoteRow, awards: WorldAwardEmoji[] | undefined): WorldNote => present({
  id: row.id, author: row.author, body: row.body, system: row.system === 1, created_at: row.created_at,
  updated_at: row.updated_at, attachment: row.attachment, commit_id: row.commit_id, resolved_by: row.resolver,
  resolved_at: row.resolver === null ? null : row.resolved_at,
  suggestions: row.suggestions === null ? null : suggestionsFrom(row.suggestions), award_emoji: awards ?? null,
});

const suggestionsFrom = (kept: string): WorldSuggestion[] =>
  (JSON.parse(kept) as KeptSuggestion[]).map(({ from, applied }) =>
    ({ ...(from !== null && { from_content: from }), ...(applied && { applied }) }));

interface PersonRow extends Row {
  readonly noteable: number;
  readonly role: PersonRole;
  readonly username: string;
  readonly state: ReviewerState | null;
  readonly created_at: string | null;
}

const peopleKeys = { assignee: 'assignees', approver: 'approved_by' } as const;

interface PeopleKeys { assignees?: string[]; reviewers?: WorldReviewer[]; approved_by?: string[] }

const peopleBy = async (queries: Queries): Promise<ReadonlyMap<number, PeopleKeys>> => {
  const people = new Map<number, PeopleKeys>();
  const rows = await queries.all<PersonRow>(
    `SELECT noteable, role, username, merge_request_people.state, created_at
     FROM merge_request_people JOIN users ON users.id = user_id ORDER BY noteable, role, user_id`);
  for (const { noteable, role, username, ...asked } of rows) {
    const keys = people.get(noteable) ?? {};
    people.set(noteable, keys);
    if (role === 'reviewer') (keys.reviewers ??= []).push(reviewerOf(username, asked));
    else (keys[peopleKeys[role]] ??= []).push(username);
  }
  return people;
};

const reviewerOf = (user: string, { state, created_at }: Pick<PersonRow, 'state' | 'created_at'>): WorldReviewer =>
  state === null && created_at === null ? user : present({ user, state, created_at });

interface NamedDraftRow extends DraftNoteRow { readonly author: string }

const draftNotesBy = async (queries: Queries): Promise<ReadonlyMap<number, readonly WorldDraftNote[]>> => {
  const rows = await queries.all<NamedDraftRow>(
    `SELECT draft_notes.*, users.username AS author FROM draft_notes JOIN users ON users.id = draft_notes.author_id
     ORDER BY draft_notes.id`);
  const drafts = new Map<number, WorldDraftNote[]>();
  for (const row of rows) addToList(drafts, row.noteable, draftFrom(row));
  return drafts;
};

const draftFrom = ({ discussion_id, commit_id, line_code, ...row }: NamedDraftRow): WorldDraftNote => present({
  id: row.id, author: row.author, note: row.note, discussion_id, resolve_discussion: row.resolve_discussion === 1,
  commit_id, line_code, position: row.position === null ? null : positionFrom(row.position),
});

const positionFrom = (text: string): WorldPosition =>
  Object.fromEntries(Object.entries(JSON.parse(text) as object).filter(([, value]) => value !== null));

export type FilesOfBase = (project: number, base_sha?: string) => Record<string, string> | undefined;

export const filesByBase = async (queries: Queries): Promise<FilesOfBase> => {
  const files = new Map<string, [path: string, content: string][]>();
  const rows = await queries.all<{ project_id: number; base_sha: string; path: string; content: string }>(
    'SELECT * FROM files ORDER BY project_id, base_sha, path');
  for (const { project_id, base_sha, path, content } of rows) {
    addToList(files, `${project_id} ${base_sha}`, [path, content]);
  }
  return (project, base_sha = ownFiles) => {
    const found = files.get(`${project} ${base_sha}`);
    return found && Object.fromEntries(found);
  };
};

interface FullVersionRow extends DiffVersionRow { readonly diff: string | null }

/** The versions of a merge request replace its SHAs and its diff. */
const versionsBy = async (queries: Queries, filesOf: FilesOfBase) => {
  const versions = new Map<number, FullVersionRow[]>();
  const rows = await queries.all<FullVersionRow>('SELECT * FROM diff_versions ORDER BY noteable, number');
  for (const row of rows) addToList(versions, row.noteable, row);
  return ({ id, project_id }: NoteableRow): object => {
    const own = versions.get(id)?.map((row) => versionFrom(row, filesOf(project_id!, row.base_sha)));
    return own ? { base_sha: null, start_sha: null, head_sha: null, diff: null, versions: own } : {};
  };
};

const versionFrom = (
  { id, base_sha, start_sha, head_sha, diff, created_at }: FullVersionRow, base_files: WorldDiffVersion['base_files'],
): WorldDiffVersion => ({
  id, base_sha, start_sha, head_sha, ...(diff !== null && { diff }), created_at, ...(base_files && { base_files }),
});

export const addToList = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const others = lists.get(key);
  if (others) others.push(value);
  else lists.set(key, [value]);
};
