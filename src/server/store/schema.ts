/** How an engine spells what SQL leaves to engines. */
export interface ColumnTypes {
  /** A primary key that numbers itself and accepts a given number. */
  readonly id: string;
  readonly integer: string;
  readonly bytes: string;
}

/** Raised with every change below; an older store is migrated, a newer one is refused. */
export const schemaVersion = 1;

/**
 * The tables. Discussions and notes hang on `noteables`, one row for every issue, snippet, epic, merge request and
 * commit. `global_id` is the id that a note shows as `noteable_id`; `iid` counts within a project or group and is null
 * for snippets and commits. A group or project is named by its full path, and membership is kept by path, so that a
 * subgroup inherits by looking at the paths above its own. A discussion's row only keeps its place: the earliest note.
 * A note's `fragment` is the JSON that is shown of it in a `dialect`, made when it was written.
 */
export const tables = ({ id, integer, bytes }: ColumnTypes): readonly string[] => [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE users (
     id ${id}, username TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL, admin ${integer} NOT NULL)`,
  `CREATE TABLE tokens (
     digest TEXT PRIMARY KEY, user_id ${integer} NOT NULL, scopes TEXT NOT NULL, expires_at TEXT,
     revoked ${integer} NOT NULL)`,
  `CREATE TABLE groups (
     id ${id}, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, visibility TEXT NOT NULL)`,
  `CREATE TABLE projects (
     id ${id}, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, visibility TEXT NOT NULL, archived ${integer} NOT NULL)`,
  `CREATE TABLE members (
     path TEXT NOT NULL, user_id ${integer} NOT NULL, level ${integer} NOT NULL, PRIMARY KEY (path, user_id))`,
  `CREATE TABLE noteables (
     id ${id}, kind TEXT NOT NULL, project_id ${integer}, group_id ${integer}, iid ${integer},
     global_id ${integer}, sha TEXT, parent_sha TEXT, title TEXT NOT NULL, description TEXT, state TEXT NOT NULL,
     author_id ${integer} NOT NULL, confidential ${integer} NOT NULL, locked ${integer} NOT NULL,
     base_sha TEXT, start_sha TEXT, head_sha TEXT, source_branch TEXT, target_branch TEXT, diff TEXT,
     created_at TEXT NOT NULL, updated_at TEXT NOT NULL, version ${integer} NOT NULL,
     comments ${integer} NOT NULL DEFAULT 0)`,
  `CREATE UNIQUE INDEX noteables_by_global_id ON noteables (kind, global_id)`,
  `CREATE UNIQUE INDEX noteables_by_project ON noteables (project_id, kind, iid)`,
  `CREATE UNIQUE INDEX noteables_by_group ON noteables (group_id, kind, iid)`,
  `CREATE INDEX noteables_by_sha ON noteables (project_id, sha)`,
  `CREATE TABLE epics (
     noteable ${integer} PRIMARY KEY, parent ${integer}, position ${integer} NOT NULL,
     start_date TEXT, start_date_fixed TEXT, start_date_is_fixed ${integer} NOT NULL,
     due_date TEXT, due_date_fixed TEXT, due_date_is_fixed ${integer} NOT NULL, labels TEXT NOT NULL)`,
  `CREATE INDEX epics_by_parent ON epics (parent, position)`,
  `CREATE TABLE discussions (
     noteable ${integer} NOT NULL, id TEXT NOT NULL, first_at TEXT NOT NULL, first_note ${integer} NOT NULL,
     PRIMARY KEY (noteable, id))`,
  `CREATE INDEX discussions_in_order ON discussions (noteable, first_at, first_note)`,
  `CREATE TABLE notes (
     id ${id}, noteable ${integer} NOT NULL, discussion_id TEXT NOT NULL, type TEXT, body TEXT NOT NULL,
     attachment TEXT, author_id ${integer} NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
     system ${integer} NOT NULL, commit_id TEXT, position TEXT, resolved_by ${integer}, resolved_at TEXT,
     fragment TEXT, dialect TEXT)`,
  `CREATE INDEX notes_in_order ON notes (noteable, discussion_id, created_at, id)`,
  `CREATE TABLE appearance (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE uploads (
     mount TEXT PRIMARY KEY, file_name TEXT NOT NULL, media_type TEXT NOT NULL, content ${bytes} NOT NULL)`,
];
