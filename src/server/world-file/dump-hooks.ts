import type { HookRow } from '../repositories/hooks.js';
import type { Queries } from '../store/database.js';
import type { WorldHook, WorldProject } from './schema.js';

/** Nothing for a project without webhooks. */
export type HooksOf = (project: number) => Pick<WorldProject, 'hooks'>;

/** With their secrets: a digest could not be sent. */
export const hooksByProject = async (queries: Queries): Promise<HooksOf> => {
  const rows = await queries.all<HookRow>('SELECT * FROM hooks ORDER BY id');
  return (project) => {
    const hooks = rows.filter(({ project_id }) => project_id === project).map(hookFrom);
    return hooks.length === 0 ? {} : { hooks };
  };
};

const hookFrom = (row: HookRow): WorldHook => ({
  id: row.id, url: row.url, ...(row.token !== null && { token: row.token }),
  events: [...row.note_events ? ['note' as const] : [], ...row.merge_requests_events ? ['merge_request' as const] : []],
  confidential_notes: row.confidential_note_events === 1, enable_ssl_verification: row.enable_ssl_verification === 1,
  created_at: row.created_at,
});
