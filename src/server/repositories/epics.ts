import { epicDepth } from '../../contract/conventions.js';
import { placeholders, type Queries, type Row } from '../store/database.js';
import { insertIssuable, lastUpdateOf, type NoteableRow, padded } from './noteables.js';

export const positionGap = 2 ** 20;

/** Ids are the global ones; `noteable` is the key of the row. */
export interface EpicRow extends Row, EpicDates, Pick<NoteableRow,
  'id' | 'work_item_id' | 'title' | 'description' | 'state' | 'confidential' | 'author_id' | 'labels' | 'created_at'
  | 'updated_at' | 'changed_at'> {
  readonly noteable: number;
  readonly iid: number;
  readonly group_id: number;
  readonly group_path: string;
  readonly parent_id: number | null;
  readonly parent_iid: number | null;
  readonly parent_group_id: number | null;
  readonly author_username: string;
  readonly author_name: string;
  readonly author_state: string;
}

export interface EpicDates {
  readonly start_date: string | null;
  readonly start_date_fixed: string | null;
  readonly start_date_is_fixed: number;
  readonly due_date: string | null;
  readonly due_date_fixed: string | null;
  readonly due_date_is_fixed: number;
}

const shown = `SELECT epics.noteable, self.global_id AS id, self.work_item_id, self.iid, self.group_id,
    groups.path AS group_path,
    epics.parent AS parent_id, above.iid AS parent_iid, above.group_id AS parent_group_id, self.title,
    self.description, self.state, self.confidential, self.author_id, author.username AS author_username,
    author.name AS author_name, author.state AS author_state, start_date, start_date_fixed, start_date_is_fixed,
    due_date, due_date_fixed, due_date_is_fixed, self.labels, self.created_at,
    ${lastUpdateOf('self')} AS updated_at, self.updated_at AS changed_at
  FROM epics JOIN noteables AS self ON self.id = epics.noteable
  JOIN groups ON groups.id = self.group_id JOIN users AS author ON author.id = self.author_id
  LEFT JOIN noteables AS above ON above.kind = 'epic' AND above.global_id = epics.parent`;

export const epicByIid = (queries: Queries, group: number, iid: number) =>
  queries.get<EpicRow>(`${shown} WHERE self.kind = 'epic' AND self.group_id = ? AND self.iid = ?`, group, iid);

export const epicById = (queries: Queries, id: number) =>
  queries.get<EpicRow>(`${shown} WHERE self.kind = 'epic' AND self.global_id = ?`, id);

export const epicsByKey = (queries: Queries, keys: readonly number[]) => {
  const asked = padded(keys);
  return asked.length === 0 ? [] : queries.all<EpicRow>(
    `${shown} WHERE epics.noteable IN (${placeholders(asked.length)}) ${siblingOrder}`, ...asked);
};

export interface ChildRow extends Row,
  Pick<EpicRow, 'noteable' | 'id' | 'group_id' | 'confidential'> { readonly position: number }

/** behavior: epics.list, epics.reorder-response */
const siblingOrder = 'ORDER BY epics.position, self.global_id DESC';

export const childrenOf = (queries: Queries, parent: number) => queries.all<ChildRow>(
  `SELECT epics.noteable, self.global_id AS id, epics.position, self.group_id, self.confidential
   FROM epics JOIN noteables AS self ON self.id = epics.noteable WHERE epics.parent = ? ${siblingOrder}`, parent);

/** Includes the epic. CROSS JOIN fixes SQLite's join order: otherwise each step of the recursion scans all epics. */
export const ancestorsOf = async (queries: Queries, id: number) => (await queries.all<{ id: number }>(
  `WITH RECURSIVE line (id, parent) AS (
     SELECT self.global_id, epics.parent FROM noteables AS self JOIN epics ON epics.noteable = self.id
     WHERE self.kind = 'epic' AND self.global_id = ?
     UNION SELECT self.global_id, epics.parent
     FROM line CROSS JOIN noteables AS self CROSS JOIN epics
     WHERE self.kind = 'epic' AND self.global_id = line.parent AND epics.noteable = self.id)
   SELECT id FROM line`, id)).map((row) => row.id);

/** Counts up to one more level than allowed. */
export const heightOf = async (queries: Queries, id: number): Promise<number> => (await queries.get<{ height: number }>(
  `WITH RECURSIVE tree (id, level) AS (
     SELECT global_id, 1 FROM noteables WHERE kind = 'epic' AND global_id = ?
     UNION SELECT self.global_id, tree.level + 1
     FROM tree JOIN epics ON epics.parent = tree.id JOIN noteables AS self ON self.id = epics.noteable
     WHERE tree.level <= ?)
   SELECT max(level) AS height FROM tree`, id, epicDepth))!.height;

export const setParent = async (queries: Queries, noteable: number, parent: number, position: number, now: string) => {
  await queries.run('UPDATE epics SET parent = ?, position = ? WHERE noteable = ?', parent, position, noteable);
  await touchEpic(queries, noteable, now);
};

export const clearParent = async (queries: Queries, noteable: number, now: string) => {
  await queries.run('UPDATE epics SET parent = NULL WHERE noteable = ?', noteable);
  await touchEpic(queries, noteable, now);
};

const touchEpic = (queries: Queries, noteable: number, now: string) =>
  queries.run('UPDATE noteables SET updated_at = ? WHERE id = ?', now, noteable);

/** `updated_at` does not change (behavior: epics.reorder-keeps-time). */
export const setPosition = (queries: Queries, noteable: number, position: number) =>
  queries.run('UPDATE epics SET position = ? WHERE noteable = ?', position, noteable);

/** The epic has no parent, and the next ids, globally and in the group. @returns the global id */
export const insertEpic = async (
  queries: Queries, group_id: number, epic: Pick<EpicRow, 'title' | 'confidential' | 'author_id'>, now: string,
): Promise<number> => {
  const { title, confidential, author_id } = epic;
  const given = { kind: 'epic', title, confidential, author_id } as const;
  const { key, global_id } = await insertIssuable(queries, { group_id }, given, now);
  await queries.run(
    `INSERT INTO epics (noteable, position, start_date_is_fixed, due_date_is_fixed) VALUES (?, 0, 0, 0)`, key);
  return global_id;
};
