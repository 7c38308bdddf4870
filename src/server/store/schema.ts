import type { Queries } from './database.js';
import { StoreError } from './errors.js';

export interface ColumnTypes {
  readonly id: string;
  readonly integer: string;
  readonly bytes: string;
}

/** Raise it with every change below, which adds a migration. Older stores are migrated, newer ones rejected. */
export const schemaVersion = 18;

/** @param later columns of later versions, which a new store has from the start, as changing a table takes longer */
const activity = (integer: string, later: readonly string[] = []): string => `CREATE TABLE activity (
  noteable ${integer} PRIMARY KEY, version ${integer} NOT NULL, comments ${integer} NOT NULL${moreColumns(later)})`;

const moreColumns = (columns: readonly string[]): string => columns.map((column) => `, ${column}`).join('');

const columnAdditions = (table: string, columns: readonly string[]): readonly string[] =>
  columns.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column}`);

const activityTime = ['updated_at TEXT'];

const pushes = (integer: string): readonly string[] => [
  `CREATE TABLE diff_versions (
     id ${integer} PRIMARY KEY, noteable ${integer} NOT NULL, number ${integer} NOT NULL, base_sha TEXT NOT NULL,
     start_sha TEXT NOT NULL, head_sha TEXT NOT NULL, diff TEXT, created_at TEXT NOT NULL)`,
  `CREATE UNIQUE INDEX diff_versions_in_order ON diff_versions (noteable, number)`,
  `CREATE TABLE files (
     project_id ${integer} NOT NULL, base_sha TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL,
     PRIMARY KEY (project_id, base_sha, path))`,
];

const draftNotes = ({ id, integer }: ColumnTypes): readonly string[] => [
  `CREATE TABLE draft_notes (
     id ${id}, noteable ${integer} NOT NULL, author_id ${integer} NOT NULL, discussion_id TEXT, note TEXT NOT NULL,
     commit_id TEXT, line_code TEXT, position TEXT, resolve_discussion ${integer} NOT NULL)`,
  `CREATE INDEX draft_notes_by_author ON draft_notes (noteable, author_id)`,
];

const addedColumns = (integer: string) => ({
  internal: `internal ${integer} NOT NULL DEFAULT 0`, suggestions: 'suggestions TEXT', permissions: 'permissions TEXT',
  sourceProject: `source_project_id ${integer}`, workItem: `work_item_id ${integer}`,
  granularGroups: `enforce_granular_tokens ${integer} NOT NULL DEFAULT 0`, labels: `labels TEXT NOT NULL DEFAULT '[]'`,
});

const formerPaths = (integer: string): readonly string[] => [
  `CREATE TABLE former_paths (path TEXT PRIMARY KEY, project_id ${integer} NOT NULL)`,
  `CREATE INDEX former_paths_by_project ON former_paths (project_id)`,
];

const pathIndexes = ['groups', 'projects', 'former_paths'].map((table) =>
  `CREATE INDEX ${table}_by_path ON ${table} (lower(path))`);

const projectLabels = ({ id, integer }: ColumnTypes): readonly string[] => [
  `CREATE TABLE labels (id ${id}, project_id ${integer} NOT NULL, title TEXT NOT NULL)`,
  `CREATE UNIQUE INDEX labels_by_project ON labels (project_id, title)`,
];

const hooks = ({ id, integer }: ColumnTypes, later: readonly string[] = []): readonly string[] => [
  `CREATE TABLE hooks (
     id ${id}, project_id ${integer} NOT NULL, url TEXT NOT NULL, token TEXT, uuid TEXT NOT NULL,
     note_events ${integer} NOT NULL, confidential_note_events ${integer} NOT NULL,
     merge_requests_events ${integer} NOT NULL, enable_ssl_verification ${integer} NOT NULL,
     created_at TEXT NOT NULL${moreColumns(later)})`,
  `CREATE INDEX hooks_by_project ON hooks (project_id)`,
];

const issueHooks = (integer: string): readonly string[] => [
  `issues_events ${integer} NOT NULL DEFAULT 0`,
  `confidential_issues_events ${integer} NOT NULL DEFAULT 0`,
];

const mergeRequestPeople = (integer: string, later: readonly string[] = []): readonly string[] => [
  `CREATE TABLE merge_request_people (
     noteable ${integer} NOT NULL, role TEXT NOT NULL, user_id ${integer} NOT NULL${moreColumns(later)},
     PRIMARY KEY (noteable, role, user_id))`,
  `CREATE INDEX merge_requests_by_person ON merge_request_people (role, user_id)`,
  `CREATE INDEX noteables_newest ON noteables (kind, project_id, created_at, id)`,
  `CREATE INDEX members_by_user ON members (user_id)`,
];

const reviews = ['state TEXT', 'created_at TEXT'];

const awardEmoji = ({ id, integer }: ColumnTypes): readonly string[] => [
  `CREATE TABLE award_emoji (
     id ${id}, note_id ${integer} NOT NULL, user_id ${integer} NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL)`,
  `CREATE UNIQUE INDEX award_emoji_by_note ON award_emoji (note_id, user_id, name)`,
];

const noteIndexes = [
  `CREATE INDEX notes_by_thread ON notes (noteable, discussion_id)`,
  `CREATE INDEX threads_in_order ON notes (noteable, created_at, id) WHERE starts = 1`,
];

/**
 * `noteables` has one row for every issue, snippet, epic, merge request and commit. `global_id` is what a note shows as
 * `noteable_id`; `iid` counts within a project or group and is null for snippets and commits. Membership is stored by
 * full path, so that subgroups inherit it. `activity` has one narrow row per noteable for what every note changes, to
 * keep writes small; its `updated_at` is null until the first change. A thread is its notes; `starts` marks the
 * earliest one, which determines its position in the list.
 * `fragment` is the stored JSON of a note, `dialect` its dialect and serializer version. `suggestions` of a note has
 * what is known of those in its text; older stores do not have it. `diff_versions` has all
 * versions of a merge request with several; the newest equals its row in `noteables`. `files` has the texts of a
 * project with the `base_sha` '', and those of another base where a push gave them. `merge_request_people`
 * has the assignees, reviewers and approvers of merge requests; the `state` of a reviewer is null for `unreviewed`, and
 * a `created_at` that is null is that of the merge request. `source_project_id` is null for the project of the
 * merge request itself. `work_item_id` is null unless the world file has it. `labels` of a
 * noteable has titles as JSON, the table `labels` those of a project. `former_paths` has the paths that moved projects
 * had before. `award_emoji` has the reactions to notes. `permissions` of a token is JSON, and null if the token has
 * scopes.
 */
export const tables = ({ id, integer, bytes }: ColumnTypes, added = addedColumns(integer)): readonly string[] => [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE users (
     id ${id}, username TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL, admin ${integer} NOT NULL)`,
  `CREATE TABLE tokens (
     digest TEXT PRIMARY KEY, user_id ${integer} NOT NULL, scopes TEXT NOT NULL, expires_at TEXT,
     revoked ${integer} NOT NULL, ${added.permissions})`,
  `CREATE TABLE groups (
     id ${id}, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, visibility TEXT NOT NULL, ${added.granularGroups})`,
  `CREATE TABLE projects (
     id ${id}, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, visibility TEXT NOT NULL, archived ${integer} NOT NULL)`,
  `CREATE TABLE members (
     path TEXT NOT NULL, user_id ${integer} NOT NULL, level ${integer} NOT NULL, PRIMARY KEY (path, user_id))`,
  `CREATE TABLE noteables (
     id ${id}, kind TEXT NOT NULL, project_id ${integer}, group_id ${integer}, iid ${integer},
     global_id ${integer}, sha TEXT, parent_sha TEXT, title TEXT NOT NULL, description TEXT, state TEXT NOT NULL,
     author_id ${integer} NOT NULL, confidential ${integer} NOT NULL, locked ${integer} NOT NULL,
     base_sha TEXT, start_sha TEXT, head_sha TEXT, source_branch TEXT, target_branch TEXT, diff TEXT,
     created_at TEXT NOT NULL, updated_at TEXT NOT NULL, ${added.sourceProject},
     ${added.workItem}, ${added.labels})`,
  `CREATE UNIQUE INDEX noteables_by_global_id ON noteables (kind, global_id)`,
  `CREATE UNIQUE INDEX noteables_by_project ON noteables (project_id, kind, iid)`,
  `CREATE UNIQUE INDEX noteables_by_group ON noteables (group_id, kind, iid)`,
  `CREATE INDEX noteables_by_sha ON noteables (project_id, sha)`,
  activity(integer, activityTime),
  `CREATE TABLE epics (
     noteable ${integer} PRIMARY KEY, parent ${integer}, position ${integer} NOT NULL,
     start_date TEXT, start_date_fixed TEXT, start_date_is_fixed ${integer} NOT NULL,
     due_date TEXT, due_date_fixed TEXT, due_date_is_fixed ${integer} NOT NULL)`,
  `CREATE INDEX epics_by_parent ON epics (parent, position)`,
  `CREATE TABLE notes (
     id ${id}, noteable ${integer} NOT NULL, discussion_id TEXT NOT NULL, type TEXT, body TEXT NOT NULL,
     attachment TEXT, author_id ${integer} NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
     system ${integer} NOT NULL, commit_id TEXT, position TEXT, resolved_by ${integer}, resolved_at TEXT,
     fragment TEXT, dialect TEXT, starts ${integer} NOT NULL DEFAULT 0,
     ${added.internal}, ${added.suggestions})`,
  ...noteIndexes,
  ...pushes(integer),
  ...draftNotes({ id, integer, bytes }),
  ...hooks({ id, integer, bytes }, issueHooks(integer)),
  ...mergeRequestPeople(integer, reviews),
  ...formerPaths(integer),
  ...pathIndexes,
  ...projectLabels({ id, integer, bytes }),
  ...awardEmoji({ id, integer, bytes }),
  `CREATE TABLE appearance (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE uploads (
     mount TEXT PRIMARY KEY, file_name TEXT NOT NULL, media_type TEXT NOT NULL, content ${bytes} NOT NULL)`,
];

export const tableNames: readonly string[] = tables({ id: '', integer: '', bytes: '' })
  .flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []);

const migrations = (types: ColumnTypes, added = addedColumns(types.integer)): readonly (readonly string[])[] => [
  [
    activity(types.integer),
    `INSERT INTO activity (noteable, version, comments) SELECT id, version, comments FROM noteables`,
    `ALTER TABLE noteables DROP COLUMN version`,
    `ALTER TABLE noteables DROP COLUMN comments`,
    `ALTER TABLE notes ADD COLUMN starts ${types.integer} NOT NULL DEFAULT 0`,
    `UPDATE notes SET starts = 1 WHERE id IN (SELECT first_note FROM discussions)`,
    `DROP TABLE discussions`,
    `DROP INDEX notes_in_order`,
    ...noteIndexes,
  ],
  // Version 2 serialized document positions and all live notes differently.
  [`UPDATE notes SET fragment = NULL, dialect = NULL WHERE dialect = 'live' OR position IS NOT NULL`],
  pushes(types.integer),
  draftNotes(types),
  columnAdditions('notes', [added.internal]),
  hooks(types),
  [...columnAdditions('activity', activityTime), ...mergeRequestPeople(types.integer)],
  columnAdditions('notes', [added.suggestions]),
  columnAdditions('noteables', [added.sourceProject]),
  formerPaths(types.integer),
  columnAdditions('noteables', [added.workItem]),
  columnAdditions('merge_request_people', reviews),
  [
    ...columnAdditions('noteables', [added.labels]),
    `UPDATE noteables SET labels = (SELECT epics.labels FROM epics WHERE noteable = noteables.id) WHERE kind = 'epic'`,
    `ALTER TABLE epics DROP COLUMN labels`,
    ...projectLabels(types),
  ],
  [...columnAdditions('tokens', [added.permissions]), ...columnAdditions('groups', [added.granularGroups])],
  awardEmoji(types),
  columnAdditions('hooks', issueHooks(types.integer)),
  pathIndexes,
];

export interface Plan {
  readonly version: number;
  readonly create: readonly string[];
  /** The first entry migrates version 1 to 2. */
  readonly migrations: readonly (readonly string[])[];
}

export const plan = (types: ColumnTypes): Plan =>
  ({ version: schemaVersion, create: tables(types), migrations: migrations(types) });

/** @param present names of the tables @throws StoreError if the store is newer or belongs to another program */
export const migrate = async (queries: Queries, present: readonly string[], schemaPlan: Plan) => {
  const { version, migrations: steps } = schemaPlan;
  const stored = present.length === 0 ? 0 : await storedVersion(queries, present);
  if (stored > version) {
    throw new StoreError(
      `it was written by a newer version of Colloquy (schema version ${stored}; this one supports up to ${version})`,
      'upgrade Colloquy, or use another store',
    );
  }
  if (stored === version) return;
  await queries.script(stored === 0 ? newStore(schemaPlan) : [...steps.slice(stored - 1).flat(), saveVersion(version)]);
};

export const newStore = ({ version, create }: Plan): readonly string[] => [...create, saveVersion(version)];

const saveVersion = (version: number): string => `INSERT INTO meta (name, value)
  VALUES ('schemaVersion', '${version}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** The condition for the rows of a world: the version of the schema belongs to the tables. */
export const exceptVersion = (table: string): string => table === 'meta' ? `WHERE name <> 'schemaVersion'` : '';

const storedVersion = async (queries: Queries, present: readonly string[]): Promise<number> => {
  const row = present.includes('meta')
    ? await queries.get<{ value: string }>(`SELECT value FROM meta WHERE name = 'schemaVersion'`) : undefined;
  const version = Number(row?.value);
  if (Number.isSafeInteger(version) && version > 0) return version;
  throw new StoreError('it contains tables of another program', 'use another store');
};
