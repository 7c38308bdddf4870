import type { WorldProject } from './schema.js';
import { idNumbering, insert, type SeedContext } from './seed-context.js';
import type { NewHook } from '../repositories/hooks.js';

export const seedHooks = async (
  { queries, hex }: SeedContext, projects: readonly WorldProject[], now: Date,
): Promise<void> => {
  const all = projects.flatMap(({ hooks = [] }) => hooks);
  if (all.length === 0) return;
  const ids = idNumbering(all);
  const projectIds = idNumbering(projects);
  for (const { id, hooks = [] } of projects) {
    const project_id = projectIds(id);
    for (const hook of hooks) {
      const { url, token = null, events = ['note'], confidential_notes = events.includes('note') } = hook;
      const row: NewHook = {
        project_id, url: url!, token, uuid: hex(32), note_events: Number(events.includes('note')),
        confidential_note_events: Number(confidential_notes),
        merge_requests_events: Number(events.includes('merge_request')),
        enable_ssl_verification: Number(hook.enable_ssl_verification ?? true),
        created_at: hook.created_at ?? now.toISOString(),
      };
      await insert(queries, 'hooks', { id: ids(hook.id), ...row });
    }
  }
};
