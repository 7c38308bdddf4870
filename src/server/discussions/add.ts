import { notesLimit } from '../../contract/conventions.js';
import type { Target } from '../access/noteable.js';
import type { Call } from '../call.js';
import { addComment } from '../records/activity.js';
import { insertNote, updateNote, type NewNote, type NoteRow } from '../records/notes.js';
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
  /** The earliest note of its thread so far; left out where it begins one. */
  readonly first?: Pick<NoteRow, 'id' | 'created_at'>;
}

/**
 * Adds a note of the caller to a noteable that is held and puts its thread in place. Gives the note as it is shown.
 * @throws Refusal 400 when the noteable holds as many notes as it can (wire-facts 4.5.5)
 */
export const addNote = async (call: Call, target: Target, draft: Draft): Promise<ThreadPart> => {
  const noteable = target.noteable.id;
  if (!await addComment(call.queries, noteable, notesLimit)) {
    throw invalidNote({ base: ['Maximum number of comments exceeded'] });
  }
  const row = rowOf(call, noteable, draft);
  if (draft.first && row.starts === 1) await updateNote(call.queries, draft.first.id, { starts: 0 });
  const people = { author: call.caller, resolver: draft.resolved ? call.caller : null };
  const fragment = fragmentOf(target.noteable, row, people, call.dialect);
  const id = await insertNote(call.queries, { ...row, fragment });
  return { id, discussion_id: row.discussion_id, type: row.type, fragment };
};

/** A note's time of change is its time of creation at first, also when that was given (wire-facts 4.5.7). */
const rowOf = (call: Call, noteable: number, draft: Draft): Omit<NewNote, 'fragment'> => ({
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
  dialect: call.dialect,
  starts: Number(!draft.first || draft.created_at < draft.first.created_at),
});
