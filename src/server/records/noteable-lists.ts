import type { NoteableKind } from '../../contract/noteables.js';
import type { Queries, Row, Value } from '../store/database.js';
import { noteableColumns, type NoteableRow } from './noteables.js';

/** Which noteables of a project or group a list shows. */
export interface NoteableFilter {
  readonly kind: NoteableKind;
  readonly container: number;
  /** The user to whom confidential ones are shown only where they are his own; null where all are shown. */
  readonly confidentialOf: number | null;
  readonly state?: string | undefined;
  readonly source_branch?: string | undefined;
  readonly target_branch?: string | undefined;
}

interface CountRow extends Row { readonly count: number }

/** The noteables that fit, newest first. */
export const noteablesOf = (queries: Queries, filter: NoteableFilter, limit: number, offset: number) => {
  const { sql, values } = conditionsOf(filter);
  return queries.all<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables WHERE ${sql} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    ...values, limit, offset);
};

/** How many fit. */
export const countNoteables = async (queries: Queries, filter: NoteableFilter): Promise<number> => {
  const { sql, values } = conditionsOf(filter);
  return (await queries.get<CountRow>(`SELECT count(*) AS count FROM noteables WHERE ${sql}`, ...values))!.count;
};

const conditionsOf = ({ kind, container, confidentialOf, ...columns }: NoteableFilter) => {
  const holder = kind === 'epic' ? 'group_id' : 'project_id';
  const parts: [string, Value][] = [['kind = ?', kind], [`${holder} = ?`, container]];
  if (confidentialOf !== null) parts.push(['(confidential = 0 OR author_id = ?)', confidentialOf]);
  for (const name of ['state', 'source_branch', 'target_branch'] as const) {
    if (columns[name] !== undefined) parts.push([`${name} = ?`, columns[name]]);
  }
  return { sql: parts.map(([text]) => text).join(' AND '), values: parts.map(([, value]) => value) };
};
