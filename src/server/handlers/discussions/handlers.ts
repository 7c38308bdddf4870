import type { Contract } from '../../../contract/operations.js';
import type { NoteableKind } from '../../../contract/conventions.js';
import type { HandlersOf } from '../../api/context.js';
import { addNoteToThread, createFlatNote, createThread } from './add.js';
import { deleteNote, modifyNote, resolveThread } from './change.js';
import { getFlatNote, getThread, getThreadNote, listFlatNotes, listThreadNotes, listThreads } from './read.js';

const threads = (kind: NoteableKind) => ({
  list: listThreads(kind),
  get: getThread(kind),
  create: createThread(kind),
  addNote: addNoteToThread(kind),
  modifyNote: modifyNote(kind),
  deleteNote: deleteNote(kind),
});

export const discussionHandlers: HandlersOf<Contract['discussions']> = {
  issue: { ...threads('issue'), resolve: resolveThread('issue') },
  snippet: threads('snippet'),
  epic: { ...threads('epic'), resolve: resolveThread('epic') },
  merge_request: { ...threads('merge_request'), resolve: resolveThread('merge_request') },
  commit: threads('commit'),
};

const flat = (kind: NoteableKind) => ({
  list: listFlatNotes(kind),
  create: createFlatNote(kind),
  get: getFlatNote(kind),
  modify: modifyNote(kind),
  delete: deleteNote(kind),
});

export const noteHandlers: HandlersOf<Contract['notes']> = {
  issue: flat('issue'), snippet: flat('snippet'), epic: flat('epic'), merge_request: flat('merge_request'),
};

const threadNotes = (kind: NoteableKind) => ({ list: listThreadNotes(kind), get: getThreadNote(kind) });

export const threadNoteHandlers: HandlersOf<Contract['discussionNotes']> = {
  issue: threadNotes('issue'), snippet: threadNotes('snippet'), epic: threadNotes('epic'),
  merge_request: threadNotes('merge_request'), commit: threadNotes('commit'),
};
