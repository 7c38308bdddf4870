import * as Type from '@sinclair/typebox';
import { companion, list, orderBy } from '../builders.js';
import { type NoteableKind, noteables, versions } from '../conventions.js';
import { body, createdAt, discussionId, noteablePath, noteId, noteablePaths } from '../discussions.js';
import { optional } from '../endpoint.js';
import { Note, QuickActions } from '../shapes/note.js';
import { oneOf } from '../shapes/scalars.js';

/** behavior: notes.single-edit-missing */
const changedBody = optional(Type.String(), 'new text of the note, Markdown; without it the note stays as it is',
  { notBlank: true });

/** behavior: notes.activity-filter */
const activityFilter = {
  activity_filter: optional(oneOf('all_notes', 'only_comments', 'only_activity'),
    'notes to list: only_comments of users, only_activity of the service, or all_notes; default all_notes',
    { since: versions.unknown }),
};

const noteOperations = <K extends NoteableKind>(kind: K) => {
  const path = noteablePath(kind);
  const { noun } = noteables[kind];
  const all = noteablePaths(kind, '/notes');
  const one = noteablePaths(kind, '/notes/:note_id');
  const ofOne = { ...path, note_id: noteId };
  return {
    list: list(all, `list the notes of one ${noun}, newest first by default`,
      { ...path, ...orderBy(['created_at', 'updated_at'], 'created_at', 'desc'), ...activityFilter }, Note),
    create: companion('POST', all, `add a single comment to one ${noun}`, { ...path, body, created_at: createdAt },
      Note, { accepted: QuickActions }),
    get: companion('GET', one, `get a note of one ${noun}`, ofOne, Note),
    modify: companion('PUT', one, `modify a note of one ${noun}`, { ...ofOne, body: changedBody },
      Note, { accepted: QuickActions }),
    delete: companion('DELETE', one, `delete a note of one ${noun}`, ofOne, null),
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
  return { ...all, create: { ...all.create, params: { ...all.create.params, ...internal } } };
};

/** behavior: notes.merge-head */
const withHead = <O extends ReturnType<typeof withInternalNotes<'merge_request'>>>(all: O) => ({
  ...all, create: {
    ...all.create, params: {
      ...all.create.params,
      merge_request_diff_head_sha: optional(Type.String(), 'SHA of the head that you have seen; `/merge` needs it'),
    },
  },
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
    list: companion('GET', noteablePaths(kind, '/discussions/:discussion_id/notes'),
      `list the notes of a thread of one ${noun}`, path, Type.Array(Note)),
    get: companion('GET', noteablePaths(kind, '/discussions/:discussion_id/notes/:note_id'),
      `get a note of a thread of one ${noun}`, { ...path, note_id: noteId }, Note),
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
