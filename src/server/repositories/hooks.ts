import { insertRow, type NewRow, type Queries, type Row, updateRow } from '../store/database.js';
import { writeEpoch } from './world.js';

export interface HookRow extends Row {
  readonly id: number;
  readonly project_id: number;
  readonly url: string;
  /** It is stored as given, because it is sent with each delivery. */
  readonly token: string | null;
  readonly uuid: string;
  readonly note_events: number;
  readonly confidential_note_events: number;
  readonly merge_requests_events: number;
  readonly issues_events: number;
  readonly confidential_issues_events: number;
  readonly enable_ssl_verification: number;
  readonly created_at: string;
}

export const hooksOf = (queries: Queries, project: number) =>
  queries.all<HookRow>('SELECT * FROM hooks WHERE project_id = ? ORDER BY id', project);

export const hookOf = (queries: Queries, project: number, id: number) =>
  queries.get<HookRow>('SELECT * FROM hooks WHERE project_id = ? AND id = ?', project, id);

export type NewHook = NewRow<HookRow>;

/** A new epoch makes the first webhook known to all processes. */
export const insertHook = async (queries: Queries, hook: NewHook): Promise<number> => {
  await writeEpoch(queries);
  return insertRow(queries, 'hooks', hook);
};

export const updateHook = (queries: Queries, id: number, changes: Partial<NewHook>) =>
  updateRow(queries, 'hooks', id, changes);

export const deleteHook = async (queries: Queries, id: number): Promise<void> => {
  await queries.run('DELETE FROM hooks WHERE id = ?', id);
  await writeEpoch(queries);
};
