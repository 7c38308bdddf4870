import type { HookTrigger } from '../../contract/hooks.js';
import { newestMergeRequestOf, noteableById } from '../repositories/noteables.js';
import { newestNoteOf } from '../repositories/notes.js';
import type { ProjectRow } from '../repositories/world.js';
import type { Queries } from '../store/database.js';
import type { HookEvent } from './events.js';

/** What a test of a webhook delivers; null if the project has nothing of the kind. */
export const newestEvent = async (
  queries: Queries, project: ProjectRow, trigger: HookTrigger,
): Promise<HookEvent | null> => {
  if (trigger === 'merge_requests_events') {
    const noteable = await newestMergeRequestOf(queries, project.id);
    return noteable ? { kind: 'merge_request', action: 'open', project, noteable } : null;
  }
  const note = await newestNoteOf(queries, project.id);
  if (!note) return null;
  return { kind: 'note', action: 'create', project, note, noteable: (await noteableById(queries, note.noteable))! };
};
