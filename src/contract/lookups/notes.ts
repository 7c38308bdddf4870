import * as Type from '@sinclair/typebox';
import { type NoteableKind, noteables, versions } from '../conventions.js';
import { body, createdAt, discussionId, noteablePath, noteId, noteablePaths } from '../discussions.js';
import { endpoint, optional } from '../endpoint.js';
import { activityFilter, noteOrder, pagingParams } from '../paging.js';
import { Note, QuickActions } from '../shapes/note.js';

/** behavior: notes.single-edit-missing */
const changedBody = optional(Type.String(), 'new text of the note, Markdown; without it the note stays as it is',
  { notBlank: true });

const noteOperations = <K extends NoteableKind>(kind: K) => {
  const path = noteablePath(kind);
  const { noun } = noteables[kind];
  const one = { ...path, note_id: noteId };
  return {
    list: endpoint({
      method: 'GET', ...noteablePaths(kind, '/notes'), companion: true,
      summary: `list the notes of one ${noun}, newest first by default`,
      params: { ...path, ...noteOrder, ...activityFilter, ...pagingParams }, returns: Type.Array(Note), status: 200,
      paged: true,
    }),
    create: endpoint({
      method: 'POST', ...noteablePaths(kind, '/notes'), summary: `add a single comment to one ${noun}`, companion: true,
      params: { ...path, body, created_at: createdAt }, returns: Note, status: 201, accepted: QuickActions,
    }),
    get: endpoint({
      method: 'GET', ...noteablePaths(kind, '/notes/:note_id'), summary: `get a note of one ${noun}`, companion: true,
      params: one, returns: Note, status: 200,
    }),
    modify: endpoint({
      method: 'PUT', ...noteablePaths(kind, '/notes/:note_id'), summary: `modify a note of one ${noun}`,
      companion: true, params: { ...one, body: changedBody }, returns: Note, status: 200, accepted: QuickActions,
    }),
    delete: endpoint({
      method: 'DELETE', ...noteablePaths(kind, '/notes/:note_id'), summary: `delete a note of one ${noun}`,
      companion: true, params: one, returns: null, status: 204,
    }),
  };
};

/** behavior: notes.internal-create, notes.confidential-create */
const internal = {
  internal: optional(Type.Boolean(), 'true for a note that only reporters and above see; ignored if sent by others',
    { since: versions.internalNotes }),
  confidential: optional(Type.Boolean(), 'old name of `internal`'),
};

const withInternalNotes = <K extends NoteableKind>(kind: K) => {
  const all = noteOperations(kind);
  return { ...all, create: endpoint({ ...all.create, params: { ...all.create.params, ...internal } }) };
};

/** behavior: notes.merge-head */
const withHead = <O extends ReturnType<typeof withInternalNotes<'merge_request'>>>(all: O) => ({
  ...all, create: endpoint({
    ...all.create, params: {
      ...all.create.params,
      merge_request_diff_head_sha: optional(Type.String(), 'SHA of the head that you have seen; `/merge` needs it'),
    },
  }),
});

/** The only way to create a single comment (behavior: notes.single-comments). */
export const notes = {
  issue: withInternalNotes('issue'),
  snippet: noteOperations('snippet'),
  epic: withInternalNotes('epic'),
  merge_request: withHead(withInternalNotes('merge_request')),
};

const threadNotes = <K extends NoteableKind>(kind: K) => {
  const path = { ...noteablePath(kind), discussion_id: discussionId };
  const { noun } = noteables[kind];
  return {
    list: endpoint({
      method: 'GET', ...noteablePaths(kind, '/discussions/:discussion_id/notes'), companion: true,
      summary: `list the notes of a thread of one ${noun}`, params: path, returns: Type.Array(Note), status: 200,
    }),
    get: endpoint({
      method: 'GET', ...noteablePaths(kind, '/discussions/:discussion_id/notes/:note_id'), companion: true,
      summary: `get a note of a thread of one ${noun}`,
      params: { ...path, note_id: noteId }, returns: Note, status: 200,
    }),
  };
};

/** On the service, not in the documentation (behavior: threads.one-note). */
export const discussionNotes = {
  issue: threadNotes('issue'),
  snippet: threadNotes('snippet'),
  epic: threadNotes('epic'),
  merge_request: threadNotes('merge_request'),
  commit: threadNotes('commit'),
};
