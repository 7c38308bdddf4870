import type { Contract } from '../../contract/contract.js';
import type { NoteableKind } from '../../contract/noteables.js';
import { heldNoteable } from '../access/noteable.js';
import { canEditNote, demand } from '../access/rights.js';
import type { Behaviour, Call } from '../call.js';
import { dropComment } from '../records/activity.js';
import { deleteNote as deleteRow } from '../records/notes.js';
import { startAnew } from '../records/threads.js';
import { refusal } from '../refusal.js';
import { noteInPath, type NotePath } from './modify.js';

type DeleteNote = Contract['discussions']['issue']['deleteNote'];

/** Delete note. The rest of its thread stays; with its last note a thread is gone (wire-facts 4.3.6, 4.3.7). */
export const deleteNote = (kind: NoteableKind): Behaviour<DeleteNote> => (params, call) => remove(call, kind, params);

/** The same for a note without its thread. */
export const deleteFlatNote = (kind: NoteableKind): Behaviour<Contract['notes']['issue']['delete']> =>
  (params, call) => remove(call, kind, params);

const remove = async (call: Call, kind: NoteableKind, path: NotePath): Promise<void> => {
  const { target, note } = await noteInPath(call, kind, path, heldNoteable);
  demand(canEditNote(call, target, note));
  checkUnmodified(call, note.updated_at);
  await deleteRow(call.queries, note.id);
  if (note.starts === 1) await startAnew(call.queries, target.noteable.id, note.discussion_id);
  await dropComment(call.queries, target.noteable.id);
};

/** @throws Refusal 412 when the note changed after the time that the caller knows of (wire-facts 4.7.2) */
const checkUnmodified = (call: Call, updatedAt: string): void => {
  const known = Date.parse(call.headers['if-unmodified-since'] ?? '');
  if (!Number.isNaN(known) && Math.floor(Date.parse(updatedAt) / 1000) * 1000 > known) {
    throw refusal(412, '412 Precondition Failed');
  }
};
