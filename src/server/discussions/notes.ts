import type { Contract } from '../../contract/contract.js';
import type { NoteableKind } from '../../contract/noteables.js';
import { heldNoteable, readableNoteable } from '../access/noteables.js';
import { canComment, demand } from '../access/rights.js';
import type { OperationHandler } from '../api/context.js';
import { countNotes, notesOfNoteable, type NoteOrder } from '../repositories/notes.js';
import { noteJson, numbered } from '../serializers/note.js';
import { addNote, checkBody, creationTime, keptBody } from './add.js';
import { noteInPath } from './change.js';

type Flat = Contract['notes']['issue'];

/** The notes of a noteable without their threads, newest first unless asked otherwise. */
export const listFlatNotes = (kind: NoteableKind): OperationHandler<Flat['list']> => async (params, call) => {
  const { noteable } = await readableNoteable(call, kind, params);
  const order: NoteOrder = { by: params.order_by ?? 'created_at', direction: params.sort === 'asc' ? 'ASC' : 'DESC' };
  const notes = await notesOfNoteable(call.queries, noteable.id, call.page.limit, call.page.offset, order);
  const items = notes.map((note) => noteJson(noteable, note, call.dialect));
  return { items, rows: await countNotes(call.queries, noteable.id) };
};

export const getFlatNote = (kind: NoteableKind): OperationHandler<Flat['get']> => async (params, call) => {
  const { target, note } = await noteInPath(call, kind, params);
  return noteJson(target.noteable, note, call.dialect);
};

/** A single comment: a discussion of its own whose note has no type (wire-facts 4.3.3, 4.3.4). */
export const createFlatNote = (kind: NoteableKind): OperationHandler<Flat['create']> => async (params, call) => {
  const target = await heldNoteable(call, kind, params);
  demand(canComment(target));
  const note = await addNote(call, target, {
    discussion_id: call.hex(40),
    type: null,
    body: keptBody(kind, checkBody(params.body)),
    created_at: creationTime(target, params.created_at, call.now),
  });
  return numbered(note.id, note.fragment);
};
