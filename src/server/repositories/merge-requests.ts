import type { Queries, Row } from '../store/database.js';
import { padded } from './noteables.js';
import type { UserRow } from './world.js';

export type PersonRole = 'assignee' | 'reviewer' | 'approver';

interface PersonRow extends UserRow { readonly noteable: number; readonly role: PersonRole }

interface ThreadsRow extends Row { readonly id: number; readonly comments: number; readonly unresolved: number }

/** What the lists of merge requests show beside their rows. */
export interface MergeRequestDetails {
  readonly comments: number;
  readonly hasUnresolved: boolean;
  /** By user id. */
  readonly people: Readonly<Record<PersonRole, readonly UserRow[]>>;
}

const threads = `SELECT noteables.id, comments, CASE WHEN EXISTS (
    SELECT 1 FROM notes WHERE notes.noteable = noteables.id AND type IS NOT NULL AND system = 0 AND resolved_at IS NULL
  ) THEN 1 ELSE 0 END AS unresolved
  FROM noteables JOIN activity ON activity.noteable = noteables.id WHERE noteables.id IN`;

const people = `SELECT noteable, role, users.id, username, name, state, admin
  FROM merge_request_people JOIN users ON users.id = user_id`;

/** By key of the merge requests. */
export const mergeRequestDetails = async (
  queries: Queries, noteables: readonly number[],
): Promise<ReadonlyMap<number, MergeRequestDetails>> => {
  const keys = padded(noteables);
  if (keys.length === 0) return new Map();
  const marks = `(${keys.map(() => '?').join(', ')})`;
  const rows = await queries.all<ThreadsRow>(`${threads} ${marks}`, ...keys);
  const persons = await queries.all<PersonRow>(`${people} WHERE noteable IN ${marks} ORDER BY users.id`, ...keys);
  return new Map(rows.map(({ id, comments, unresolved }) => {
    const withRole = (role: PersonRole) => persons.filter((person) => person.noteable === id && person.role === role);
    return [id, {
      comments, hasUnresolved: unresolved === 1,
      people: { assignee: withRole('assignee'), reviewer: withRole('reviewer'), approver: withRole('approver') },
    }];
  }));
};

export const insertPerson = (queries: Queries, noteable: number, role: PersonRole, user: number) => queries.run(
  `INSERT INTO merge_request_people (noteable, role, user_id) VALUES (?, ?, ?)
   ON CONFLICT (noteable, role, user_id) DO NOTHING`, noteable, role, user);
