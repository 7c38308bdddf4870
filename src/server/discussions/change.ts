import type { Target } from '../access/noteable.js';
import type { Call } from '../call.js';
import { touchNoteable } from '../records/noteables.js';
import { personColumns, updateNote, type NewNote, type ShownNoteRow } from '../records/notes.js';
import { fragmentOf, type ThreadPart } from '../render/note.js';

/** What can change of a note. */
export type NoteChanges = Partial<Pick<NewNote, 'type' | 'body' | 'updated_at' | 'resolved_by' | 'resolved_at'>>;

/** Changes a note and the JSON that is stored of it; who resolves is the caller. Gives the note as it is now. */
export const changeNote = async (
  call: Call, target: Target, note: ShownNoteRow, changes: NoteChanges,
): Promise<ShownNoteRow & ThreadPart> => {
  const resolver = changes.resolved_by === undefined ? {}
    : personColumns('resolver', changes.resolved_by === null ? null : call.caller);
  const changed = { ...note, ...changes, ...resolver };
  const fragment = fragmentOf(target.noteable, changed, call.dialect);
  await updateNote(call.queries, note.id, { ...changes, fragment, dialect: call.dialect });
  await touchNoteable(call.queries, target.noteable.id);
  return { ...changed, fragment, dialect: call.dialect };
};
