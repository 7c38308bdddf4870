import type { Call } from '../../api/context.js';
import { diffOf, type NoteableRow, touchNoteable } from '../../repositories/noteables.js';
import { insertNote, type NoteRow, type ShownNoteRow } from '../../repositories/notes.js';
import {
  fragmentFormat, fragmentOf, isCurrent, isSuggestion, type NotedRow, type NoteView,
} from '../../serializers/note.js';

/** What the JSON of these notes depends on. The diff is read only if one of them needs it. */
export const viewOf = async (
  call: Call, noteable: NoteableRow, notes: readonly Pick<ShownNoteRow, 'type' | 'body' | 'fragment' | 'dialect'>[],
): Promise<NoteView> => {
  const { edition } = call;
  const view = { noteable, edition };
  const needsDiff = notes.some((note) => isSuggestion(view, note) && !isCurrent(note, edition));
  return { ...view, diff: needsDiff ? await diffOf(call.queries, noteable.id) : null };
};

/** What a change of the service itself needs of a call. */
export type Change = Pick<Call, 'queries' | 'caller' | 'now' | 'edition' | 'hex'>;

/** About a change of the object (behavior: threads.system-notes, notes.system). @param thread that it is in */
export const addSystemNote = async (
  call: Change, noteable: NotedRow & Pick<NoteableRow, 'id'>, body: string,
  thread?: Pick<NoteRow, 'discussion_id' | 'type' | 'position' | 'internal'>,
): Promise<void> => {
  const { discussion_id, type, position, internal } = thread
    ?? { discussion_id: call.hex(40), type: null, position: null, internal: 0 };
  const row = {
    noteable: noteable.id, discussion_id, type, body, attachment: null, author_id: call.caller.id,
    created_at: call.now, updated_at: call.now, system: 1, internal, commit_id: null, position,
    resolved_by: null, resolved_at: null, suggestions: null,
    dialect: fragmentFormat(call.edition), starts: Number(!thread),
  };
  const view = { noteable, edition: call.edition, diff: null };
  const fragment = fragmentOf(view, { ...row, id: null }, { author: call.caller, resolver: null });
  await insertNote(call.queries, { ...row, fragment });
  await touchNoteable(call.queries, noteable.id, call.now);
};
