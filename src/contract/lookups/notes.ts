import { Type } from '@sinclair/typebox';
import { below, body, createdAt, discussionId, noteablePath, noteId } from '../discussions.js';
import { endpoint } from '../endpoint.js';
import { noteables, type NoteableKind } from '../noteables.js';
import { noteOrder, pagingParams } from '../paging.js';
import { Note } from '../shapes/note.js';

const flat = (kind: NoteableKind) => {
  const path = noteablePath(kind);
  const { noun } = noteables[kind];
  const one = { ...path, note_id: noteId };
  return {
    list: endpoint({
      method: 'GET', paths: below(kind, '/notes'), companion: true,
      summary: `list the notes of one ${noun}, newest first unless asked otherwise`,
      params: { ...path, ...noteOrder, ...pagingParams }, returns: Type.Array(Note), status: 200, paged: true,
    }),
    create: endpoint({
      method: 'POST', paths: below(kind, '/notes'), summary: `add a single comment to one ${noun}`, companion: true,
      params: { ...path, body, created_at: createdAt }, returns: Note, status: 201,
    }),
    get: endpoint({
      method: 'GET', paths: below(kind, '/notes/:note_id'), summary: `get a note of one ${noun}`, companion: true,
      params: one, returns: Note, status: 200,
    }),
    modify: endpoint({
      method: 'PUT', paths: below(kind, '/notes/:note_id'), summary: `modify a note of one ${noun}`, companion: true,
      params: { ...one, body: { ...body, notBlank: true } }, returns: Note, status: 200,
    }),
    delete: endpoint({
      method: 'DELETE', paths: below(kind, '/notes/:note_id'), summary: `delete a note of one ${noun}`, companion: true,
      params: one, returns: null, status: 204,
    }),
  };
};

/** The notes of a noteable without their threads: the one way to a single comment (wire-facts 4.3.5). */
export const notes = {
  issue: flat('issue'),
  snippet: flat('snippet'),
  epic: flat('epic'),
  merge_request: flat('merge_request'),
};

const threadNotes = (kind: NoteableKind) => {
  const path = { ...noteablePath(kind), discussion_id: discussionId };
  const { noun } = noteables[kind];
  return {
    list: endpoint({
      method: 'GET', paths: below(kind, '/discussions/:discussion_id/notes'), companion: true,
      summary: `list the notes of a thread of one ${noun}`, params: path, returns: Type.Array(Note), status: 200,
    }),
    get: endpoint({
      method: 'GET', paths: below(kind, '/discussions/:discussion_id/notes/:note_id'), companion: true,
      summary: `get a note of a thread of one ${noun}`,
      params: { ...path, note_id: noteId }, returns: Note, status: 200,
    }),
  };
};

/** The notes of one thread (wire-facts 4.2: exists on the service, not in interface.md). */
export const discussionNotes = {
  issue: threadNotes('issue'),
  snippet: threadNotes('snippet'),
  epic: threadNotes('epic'),
  merge_request: threadNotes('merge_request'),
  commit: threadNotes('commit'),
};
