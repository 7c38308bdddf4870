import type { Call } from '../../api/context.js';
import type { EpicRow } from '../../repositories/epics.js';
import { touchNoteable } from '../../repositories/noteables.js';
import { insertNote } from '../../repositories/notes.js';
import { epicReference } from '../../serializers/epic.js';
import { fragmentFormat, fragmentOf } from '../../serializers/note.js';

/** On both epics (behavior: epics.system-notes, threads.system-notes, notes.system). */
export const noteLink = async (
  call: Call, change: 'added' | 'removed', parent: EpicRow, child: EpicRow,
): Promise<void> => {
  await note(call, parent, textOf(change, 'child', epicReference(child, parent.group_path)));
  await note(call, child, textOf(change, 'parent', epicReference(parent, child.group_path)));
};

const textOf = (change: 'added' | 'removed', role: 'child' | 'parent', reference: string): string =>
  change === 'added' ? `added epic ${reference} as ${role} epic` : `removed ${role} epic ${reference}`;

const note = async (call: Call, { id, iid, noteable }: EpicRow, body: string): Promise<void> => {
  const discussion_id = call.hex(40);
  const row = {
    noteable, discussion_id, type: null, body, attachment: null, author_id: call.caller.id,
    created_at: call.now, updated_at: call.now, system: 1, commit_id: null, position: null,
    resolved_by: null, resolved_at: null, dialect: fragmentFormat(call.dialect), starts: 1,
  };
  const epic = { kind: 'epic' as const, global_id: id, iid, project_id: null };
  const fragment = fragmentOf(epic, row, { author: call.caller, resolver: null }, call.dialect);
  await insertNote(call.queries, { ...row, fragment });
  await touchNoteable(call.queries, noteable);
};
