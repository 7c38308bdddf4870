import type { Contract } from '../../../contract/operations.js';
import type { HandlersOf } from '../../api/context.js';
import { publishDraftNote, publishDraftNotes } from './publish.js';
import { getDraftNote, listDraftNotes } from './read.js';
import { createDraftNote, deleteDraftNote, modifyDraftNote } from './write.js';

export const draftNoteHandlers: HandlersOf<Contract['draftNotes']> = {
  list: listDraftNotes,
  get: getDraftNote,
  create: createDraftNote,
  modify: modifyDraftNote,
  delete: deleteDraftNote,
  publish: publishDraftNote,
  publishAll: publishDraftNotes,
};
