import type { Call } from '../../api/context.js';
import type { NoteableRow } from '../../repositories/noteables.js';
import { touchNoteable } from '../../repositories/noteables.js';
import { insertNote } from '../../repositories/notes.js';
import { fragmentFormat, fragmentOf, type NotedRow } from '../../serializers/note.js';

/** About a change of the object (behavior: threads.system-notes, notes.system). */
export const addSystemNote = async (
  call: Call, noteable: NotedRow & Pick<NoteableRow, 'id'>, body: string,
): Promise<void> => {
  const row = {
    noteable: noteable.id, discussion_id: call.hex(40), type: null, body, attachment: null, author_id: call.caller.id,
    created_at: call.now, updated_at: call.now, system: 1, internal: 0, commit_id: null, position: null,
    resolved_by: null, resolved_at: null, dialect: fragmentFormat(call.edition), starts: 1,
  };
  const view = { noteable, edition: call.edition, diff: null };
  const fragment = fragmentOf(view, { ...row, id: null }, { author: call.caller, resolver: null });
  await insertNote(call.queries, { ...row, fragment });
  await touchNoteable(call.queries, noteable.id);
};
