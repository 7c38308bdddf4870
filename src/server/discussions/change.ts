import type { Target } from '../access/noteable.js';
import type { Call } from '../call.js';
import { touchNoteable } from '../records/activity.js';
import { updateNote, type NewNote, type ShownNoteRow } from '../records/notes.js';
import { fragmentOf, peopleOf, type ThreadPart } from '../render/note.js';

/** What can change of a note. */
export type NoteChanges = Partial<Pick<NewNote, 'type' | 'body' | 'updated_at' | 'resolved_by' | 'resolved_at'>>;

/** Changes a note and the JSON that is stored of it; who resolves is the caller. Gives what is shown of it now. */
export const changeNote = async (
  call: Call, target: Target, note: ShownNoteRow, changes: NoteChanges,
): Promise<ThreadPart> => {
  const changed = { ...note, ...changes };
  const { author, resolver } = peopleOf(note);
  const people = { author, resolver: changed.resolved_by === note.resolved_by ? resolver
    : changed.resolved_by === null ? null : call.caller };
  const fragment = fragmentOf(target.noteable, changed, people, call.dialect);
  await updateNote(call.queries, note.id, { ...changes, fragment, dialect: call.dialect });
  await touchNoteable(call.queries, target.noteable.id);
  return { ...changed, fragment };
};
