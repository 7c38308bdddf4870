import type { Queries, Row } from '../store/database.js';
import { siblingOrder } from './epic-tree.js';
import { padded } from './padded.js';

/** An epic as it is shown. Ids are the global ones; `noteable` is the key of its row. */
export interface EpicRow extends Row {
  readonly noteable: number;
  readonly id: number;
  readonly iid: number;
  readonly group_id: number;
  readonly group_path: string;
  readonly parent_id: number | null;
  readonly parent_iid: number | null;
  readonly parent_group_id: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly confidential: number;
  readonly author_id: number;
  readonly author_username: string;
  readonly author_name: string;
  readonly author_state: string;
  readonly start_date: string | null;
  readonly start_date_fixed: string | null;
  readonly start_date_is_fixed: number;
  readonly due_date: string | null;
  readonly due_date_fixed: string | null;
  readonly due_date_is_fixed: number;
  /** A JSON array of texts. */
  readonly labels: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const shown = `SELECT epics.noteable, self.global_id AS id, self.iid, self.group_id, groups.path AS group_path,
    epics.parent AS parent_id, above.iid AS parent_iid, above.group_id AS parent_group_id, self.title,
    self.description, self.state, self.confidential, self.author_id, author.username AS author_username,
    author.name AS author_name, author.state AS author_state, start_date, start_date_fixed, start_date_is_fixed,
    due_date, due_date_fixed, due_date_is_fixed, labels, self.created_at, self.updated_at
  FROM epics JOIN noteables AS self ON self.id = epics.noteable
  JOIN groups ON groups.id = self.group_id JOIN users AS author ON author.id = self.author_id
  LEFT JOIN noteables AS above ON above.kind = 'epic' AND above.global_id = epics.parent`;

/** An epic by its internal id in a group. */
export const epicByIid = (queries: Queries, group: number, iid: number) =>
  queries.get<EpicRow>(`${shown} WHERE self.kind = 'epic' AND self.group_id = ? AND self.iid = ?`, group, iid);

/** An epic by its global id, whatever its group. */
export const epicById = (queries: Queries, id: number) =>
  queries.get<EpicRow>(`${shown} WHERE self.kind = 'epic' AND self.global_id = ?`, id);

/** These epics, by the keys of their rows, in the order of siblings. */
export const epicsByKey = (queries: Queries, keys: readonly number[]) => {
  const asked = padded(keys);
  return asked.length === 0 ? [] : queries.all<EpicRow>(
    `${shown} WHERE epics.noteable IN (${asked.map(() => '?').join(', ')}) ${siblingOrder}`, ...asked);
};
