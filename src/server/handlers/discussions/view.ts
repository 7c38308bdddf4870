import type { Call } from '../../api/context.js';
import { diffOf, type NoteableRow } from '../../repositories/noteables.js';
import type { ShownNoteRow } from '../../repositories/notes.js';
import { isCurrent, isSuggestion, type NoteView } from '../../serializers/note.js';

/** What the JSON of these notes depends on. The diff is read only if one of them needs it. */
export const viewOf = async (
  call: Call, noteable: NoteableRow, notes: readonly Pick<ShownNoteRow, 'type' | 'body' | 'fragment' | 'dialect'>[],
): Promise<NoteView> => {
  const { edition } = call;
  const view = { noteable, edition };
  const needsDiff = notes.some((note) => isSuggestion(view, note) && !isCurrent(note, edition));
  return { ...view, diff: needsDiff ? await diffOf(call.queries, noteable.id) : null };
};
