import type { ReviewerState } from '../../contract/conventions.js';
import { placeholders, type Queries, type Row, updateRow } from '../store/database.js';
import { type Condition, type NoteableRow, padded } from './noteables.js';
import type { UserRow } from './world.js';

export type PersonRole = 'assignee' | 'reviewer' | 'approver';

/** A state that is null is `unreviewed`, and a time that is null that of the merge request. */
interface ReviewerRow extends UserRow {
  readonly review: ReviewerState | null;
  readonly asked_at: string | null;
}

interface PersonRow extends ReviewerRow { readonly noteable: number; readonly role: PersonRole }

export interface IssuableDetails {
  readonly comments: number;
  readonly hasUnresolved: boolean;
  readonly people: Readonly<Record<PersonRole, readonly ReviewerRow[]>>;
}

const threads = `SELECT noteables.id, comments, CASE WHEN EXISTS (
    SELECT 1 FROM notes WHERE notes.noteable = noteables.id AND type IS NOT NULL AND system = 0 AND resolved_at IS NULL
  ) THEN 1 ELSE 0 END AS unresolved
  FROM noteables JOIN activity ON activity.noteable = noteables.id WHERE noteables.id IN`;

const people = `SELECT noteable, role, users.id, username, name, users.state, admin,
    merge_request_people.state AS review, created_at AS asked_at
  FROM merge_request_people JOIN users ON users.id = user_id`;

export const issuableDetails = async (
  queries: Queries, noteables: readonly number[],
): Promise<ReadonlyMap<number, IssuableDetails>> => {
  const keys = padded(noteables);
  if (keys.length === 0) return new Map();
  const marks = `(${placeholders(keys.length)})`;
  const rows = await queries.all<{ id: number; comments: number; unresolved: number }>(`${threads} ${marks}`, ...keys);
  const persons = await queries.all<PersonRow>(`${people} WHERE noteable IN ${marks} ORDER BY users.id`, ...keys);
  return new Map(rows.map(({ id, comments, unresolved }) => {
    const withRole = (role: PersonRole) => persons.filter((person) => person.noteable === id && person.role === role);
    return [id, {
      comments, hasUnresolved: unresolved === 1,
      people: { assignee: withRole('assignee'), reviewer: withRole('reviewer'), approver: withRole('approver') },
    }];
  }));
};

export const detailsOf = async (queries: Queries, noteable: number): Promise<IssuableDetails> =>
  (await issuableDetails(queries, [noteable])).get(noteable)!;

export type IssuableFields = Partial<Pick<
  NoteableRow, 'title' | 'description' | 'target_branch' | 'labels' | 'confidential' | 'state' | 'updated_at'
>>;

/** Give `updated_at` only with a change of state; `touchNoteable` sets the time of other changes. */
export const updateIssuable = (queries: Queries, id: number, fields: IssuableFields) =>
  updateRow(queries, 'noteables', id, fields);

export const addPerson = async (
  queries: Queries, noteable: number, role: PersonRole, user: number, created_at: string,
): Promise<boolean> => await insertPerson(queries, noteable, role, user, created_at) === 1;

export const setReviewerState = (queries: Queries, noteable: number, user: number, state: ReviewerState) => queries.run(
  `UPDATE merge_request_people SET state = ? WHERE noteable = ? AND role = 'reviewer' AND user_id = ?`,
  state, noteable, user);

export const removePerson = async (
  queries: Queries, noteable: number, role: PersonRole, user: number,
): Promise<boolean> => await queries.run(
  'DELETE FROM merge_request_people WHERE noteable = ? AND role = ? AND user_id = ?', noteable, role, user) === 1;

export const insertPerson = (
  queries: Queries, noteable: number, role: PersonRole, user: number, created_at?: string, state?: ReviewerState,
) => queries.run(
  `INSERT INTO merge_request_people (noteable, role, user_id, state, created_at) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT (noteable, role, user_id) DO NOTHING`, noteable, role, user, state ?? null, created_at ?? null);

/** Sorted (behavior: lookups.labels). */
export const labelTitles = ({ labels }: Pick<NoteableRow, 'labels'>): string[] =>
  (JSON.parse(labels) as string[]).sort();

export const storedLabels = (titles: readonly string[]): string => JSON.stringify([...new Set(titles)].sort());

/** behavior: lookups.label-filter */
export const labelConditions = (given: readonly string[] | null | undefined): Condition[] => {
  const titles = given ?? [];
  const [first = ''] = titles;
  if (titles.length === 1 && first.toLowerCase() === 'none') return [[`labels = '[]'`]];
  if (titles.length === 1 && first.toLowerCase() === 'any') return [[`labels <> '[]'`]];
  // No title has a comma, so that what is found is one title, not the end of one and the start of the next.
  return titles.map((title) =>
    title.includes(',') ? ['1 = 0'] : [`replace(labels, ?, '') <> labels`, JSON.stringify(title)]);
};

export interface LabelRow extends Row { readonly id: number; readonly project_id: number; readonly title: string }

export const labelsOf = (queries: Queries, project: number) =>
  queries.all<LabelRow>('SELECT id, project_id, title FROM labels WHERE project_id = ? ORDER BY id', project);

export const insertLabels = async (queries: Queries, project: number, titles: readonly string[]): Promise<void> => {
  for (const title of new Set(titles)) {
    await queries.run(
      'INSERT INTO labels (project_id, title) VALUES (?, ?) ON CONFLICT (project_id, title) DO NOTHING',
      project, title);
  }
};
