import { notesLimit } from '../../contract/conventions.js';
import type { Target } from '../access/noteable.js';
import type { Call } from '../call.js';
import { insertNote, personColumns, type NewNote, type ShownNoteRow } from '../records/notes.js';
import { touchNoteable } from '../records/noteables.js';
import { placeNote } from '../records/threads.js';
import { invalidNote } from '../refusal.js';
import { fragmentOf, type ThreadPart } from '../render/note.js';

/** What a caller decides about a new note. */
export interface Draft {
  readonly discussion_id: string;
  readonly type: 'DiscussionNote' | 'DiffNote' | null;
  readonly body: string;
  readonly created_at: string;
  readonly position?: string | null;
  readonly commit_id?: string | null;
  /** Born resolved, in a thread that is (wire-facts 4.8.7). */
  readonly resolved?: boolean;
}

/**
 * Adds a note of the caller to a noteable that is held and puts its thread in place. Gives the note as it is shown.
 * @throws Refusal 400 when the noteable holds as many notes as it can (wire-facts 4.5.5)
 */
export const addNote = async (call: Call, target: Target, draft: Draft): Promise<ShownNoteRow & ThreadPart> => {
  const noteable = target.noteable.id;
  if (await touchNoteable(call.queries, noteable, 1) > notesLimit) {
    throw invalidNote({ base: ['Maximum number of comments exceeded'] });
  }
  const row = rowOf(call, noteable, draft);
  const resolver = draft.resolved ? call.caller : null;
  const people = { ...personColumns('author', call.caller), ...personColumns('resolver', resolver) };
  const fragment = fragmentOf(target.noteable, { ...row, ...people }, call.dialect);
  const id = await insertNote(call.queries, { ...row, fragment });
  await placeNote(call.queries, noteable, draft.discussion_id, id, draft.created_at);
  return { ...row, ...people, id, fragment };
};

/** A note's time of change is its time of creation at first, also when that was given (wire-facts 4.5.7). */
const rowOf = (call: Call, noteable: number, draft: Draft): NewNote => ({
  noteable,
  discussion_id: draft.discussion_id,
  type: draft.type,
  body: draft.body,
  attachment: null,
  author_id: call.caller.id,
  created_at: draft.created_at,
  updated_at: draft.created_at,
  system: 0,
  commit_id: draft.commit_id ?? null,
  position: draft.position ?? null,
  resolved_by: draft.resolved ? call.caller.id : null,
  resolved_at: draft.resolved ? call.now : null,
  fragment: null,
  dialect: call.dialect,
});
