import type { NoteableKind } from '../../contract/noteables.js';
import type { NoteableRow } from '../records/noteables.js';
import type { Queries } from '../store/database.js';
import { threadsBy } from './dump-threads.js';
import type { WorldCommit, WorldEpic, WorldIssue, WorldMergeRequest, WorldSnippet } from './shape.js';

interface Kinds extends Record<NoteableKind, object> {
  readonly issue: WorldIssue;
  readonly snippet: WorldSnippet;
  readonly epic: WorldEpic;
  readonly merge_request: WorldMergeRequest;
  readonly commit: WorldCommit;
}

/** The noteables of one kind in a project or group, with their threads. */
export type NoteableRows = <K extends NoteableKind>(kind: K, container: number) => Kinds[K][];

interface FullRow extends NoteableRow {
  readonly author: string;
  readonly parent: number | null;
  readonly position: number | null;
  readonly start_date: string | null;
  readonly start_date_fixed: string | null;
  readonly start_date_is_fixed: number | null;
  readonly due_date: string | null;
  readonly due_date_fixed: string | null;
  readonly due_date_is_fixed: number | null;
  readonly labels: string | null;
}

const everything = `SELECT noteables.*, users.username AS author, parent, position, labels,
    start_date, start_date_fixed, start_date_is_fixed, due_date, due_date_fixed, due_date_is_fixed
  FROM noteables JOIN users ON users.id = noteables.author_id LEFT JOIN epics ON epics.noteable = noteables.id
  ORDER BY noteables.id`;

/** Reads all noteables of a store. */
export const noteablesBy = async (queries: Queries): Promise<NoteableRows> => {
  const rows = await queries.all<FullRow>(everything);
  const threads = await threadsBy(queries);
  const containers = new Map<string, object[]>();
  for (const row of rows) {
    const key = `${row.kind} ${row.kind === 'epic' ? row.group_id : row.project_id}`;
    const thing = present({ ...sharedKeys(row), ...ownKeys[row.kind](row), discussions: threads(row.id) });
    const others = containers.get(key);
    if (others) others.push(thing);
    else containers.set(key, [thing]);
  }
  return (kind, container) => containers.get(`${kind} ${container}`) ?? [];
};

/** What is null in a row is absent in a world. */
const present = (thing: object): object =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== null));

const sharedKeys = ({ global_id, title, description, author, locked, created_at, updated_at }: FullRow) =>
  ({ id: global_id, title, description, author, locked: locked === 1, created_at, updated_at });

const ownKeys: Record<NoteableKind, (row: FullRow) => object> = {
  issue: ({ iid, state, confidential }) => ({ iid, state, confidential: confidential === 1 }),
  snippet: () => ({}),
  epic: ({ iid, state, confidential, parent, position, labels, start_date, start_date_fixed, due_date, ...row }) => ({
    iid, state, confidential: confidential === 1, parent, position, labels: JSON.parse(labels ?? '[]') as unknown,
    start_date, start_date_fixed, start_date_is_fixed: row.start_date_is_fixed === 1,
    due_date, due_date_fixed: row.due_date_fixed, due_date_is_fixed: row.due_date_is_fixed === 1,
  }),
  merge_request: ({ iid, state, source_branch, target_branch, base_sha, start_sha, head_sha, diff }) =>
    ({ iid, state, source_branch, target_branch, base_sha, start_sha, head_sha, diff }),
  commit: ({ sha, parent_sha, diff }) => ({ sha, parent_sha, diff }),
};
