import type { Call } from '../../api/context.js';
import type { EpicRow } from '../../repositories/epics.js';
import { epicReference } from '../../serializers/epic.js';
import { addSystemNote } from '../discussions/system-note.js';

/** On both epics (behavior: epics.system-notes, threads.system-notes, notes.system). */
export const noteLink = async (
  call: Call, change: 'added' | 'removed', parent: EpicRow, child: EpicRow,
): Promise<void> => {
  await note(call, parent, textOf(change, 'child', epicReference(child, parent.group_path)));
  await note(call, child, textOf(change, 'parent', epicReference(parent, child.group_path)));
};

const textOf = (change: 'added' | 'removed', role: 'child' | 'parent', reference: string): string =>
  change === 'added' ? `added epic ${reference} as ${role} epic` : `removed ${role} epic ${reference}`;

const note = (call: Call, epic: EpicRow, body: string): Promise<void> => addSystemNote(call, {
  kind: 'epic', id: epic.noteable, global_id: epic.id, iid: epic.iid, project_id: null, state: epic.state,
  base_sha: null, start_sha: null, head_sha: null,
}, body);
