import type { Queries } from '../../../src/server/store/database.js';

/** Puts what a store holds into the tables of schema 1, as a version of Colloquy from then would have left them. */
export const backToVersion1 = (queries: Queries) => queries.script([
  'ALTER TABLE noteables DROP COLUMN source_project_id',
  'DROP TABLE former_paths',
  'DROP TABLE hooks',
  'DROP TABLE draft_notes',
  'DROP TABLE merge_request_people',
  'DROP INDEX noteables_newest',
  'DROP INDEX members_by_user',
  'ALTER TABLE noteables ADD COLUMN version INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE noteables ADD COLUMN comments INTEGER NOT NULL DEFAULT 0',
  `UPDATE noteables SET version = (SELECT version FROM activity WHERE noteable = noteables.id),
     comments = (SELECT comments FROM activity WHERE noteable = noteables.id)`,
  'DROP TABLE activity',
  `CREATE TABLE discussions (
     noteable INTEGER NOT NULL, id TEXT NOT NULL, first_at TEXT NOT NULL, first_note INTEGER NOT NULL,
     PRIMARY KEY (noteable, id))`,
  'INSERT INTO discussions SELECT noteable, discussion_id, created_at, id FROM notes WHERE starts = 1',
  'CREATE INDEX discussions_in_order ON discussions (noteable, first_at, first_note)',
  'DROP INDEX threads_in_order',
  'DROP INDEX notes_by_thread',
  'ALTER TABLE notes DROP COLUMN starts',
  'ALTER TABLE notes DROP COLUMN internal',
  'ALTER TABLE notes DROP COLUMN suggestions',
  'CREATE INDEX notes_in_order ON notes (noteable, discussion_id, created_at, id)',
  `UPDATE notes SET fragment = replace(fragment, '"new_line":', '"old_line":null,"new_line":') WHERE position IS NOT NULL`,
  'DROP TABLE diff_versions',
  'DROP TABLE files',
  `UPDATE meta SET value = '1' WHERE name = 'schemaVersion'`,
]);
