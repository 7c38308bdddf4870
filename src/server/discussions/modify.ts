import type { Contract } from '../../contract/contract.js';
import type { NoteableKind } from '../../contract/noteables.js';
import type { Note } from '../../contract/shapes/note.js';
import { heldNoteable, readableNoteable, type NoteablePath, type Target } from '../access/noteable.js';
import { canEditNote, canResolveNote, demand } from '../access/rights.js';
import type { AcceptedOf, Behaviour, Call } from '../call.js';
import type { Json } from '../json.js';
import { noteOf, type ShownNoteRow } from '../records/notes.js';
import { badRequest, recordNotFound } from '../refusal.js';
import { isResolvable, noteJson, numbered } from '../render/note.js';
import { checkBody, keptBody } from './body.js';
import { changeNote, type NoteChanges } from './change.js';

type NoteChange = AcceptedOf<Contract['discussions']['merge_request']['modifyNote']>;
/** A path to one note of a noteable. */
export interface NotePath extends NoteablePath { readonly note_id: number | null }

type FlatModify = Contract['notes']['issue']['modify'];

/**
 * Modify note: the text, or whether it is resolved. The note is looked up by its own id; the thread in the path is not
 * checked (wire-facts 4.6.3).
 */
export const modifyNote = (kind: NoteableKind) => async (params: NoteChange, call: Call): Promise<Json<Note>> => {
  const { target, note } = await noteInPath(call, kind, params, heldNoteable);
  return params.resolved === undefined || params.resolved === null
    ? edit(call, target, note, params.body)
    : resolve(call, target, note, params.resolved);
};

/** The same for a note without its thread; its text is all that can change there. */
export const modifyFlatNote = (kind: NoteableKind): Behaviour<FlatModify> => async (params, call) => {
  const { target, note } = await noteInPath(call, kind, params, heldNoteable);
  return edit(call, target, note, params.body);
};

/**
 * @param noteableOf how the noteable is found: held by those who change the note
 * @throws Refusal 404 when the noteable has no such note
 */
export const noteInPath = async (call: Call, kind: NoteableKind, path: NotePath, noteableOf = readableNoteable) => {
  const target = await noteableOf(call, kind, path);
  const note = path.note_id === null ? undefined : await noteOf(call.queries, target.noteable.id, path.note_id);
  if (!note) throw recordNotFound();
  return { target, note };
};

/** A body of null is no change at all (wire-facts 4.6.5). */
const edit = async (
  call: Call, target: Target, note: ShownNoteRow, body: string | null | undefined,
): Promise<Json<Note>> => {
  demand(canEditNote(call, target, note));
  if (body === null || body === undefined) return noteJson(target.noteable, note, call.dialect);
  return change(call, target, note, {
    body: keptBody(target.kind, checkBody(body, 'Failed to save note')), updated_at: call.now,
  });
};

/** Resolving one note saves it, so its time of change moves; resolving a thread does not (wire-facts 4.4.3). */
const resolve = async (call: Call, target: Target, note: ShownNoteRow, resolved: boolean): Promise<Json<Note>> => {
  demand(canResolveNote(call, target, note));
  if (!isResolvable(target.noteable, note)) throw badRequest('Note is not resolvable');
  if (resolved === (note.resolved_at !== null)) return noteJson(target.noteable, note, call.dialect);
  return change(call, target, note, {
    resolved_by: resolved ? call.caller.id : null, resolved_at: resolved ? call.now : null, updated_at: call.now,
  });
};

const change = async (
  call: Call, target: Target, note: ShownNoteRow, changes: NoteChanges,
): Promise<Json<Note>> => {
  const changed = await changeNote(call, target, note, changes);
  return numbered(changed.id, changed.fragment);
};
