import * as Type from '@sinclair/typebox';
import { group, operation, pagingParams, type Paths, project } from './builders.js';
import { type NoteableKind, noteables, versions } from './conventions.js';
import { optional, required } from './endpoint.js';
import { Note, QuickActions, WholeDiscussion } from './shapes/note.js';
import { CommitPositionInput, PositionInput } from './shapes/position.js';
import { markUntil, nullable } from './shapes/scalars.js';

/** Newer services reject text instead of a number (behavior: parameters.noteable-text, parameters.noteable-number). */
const numberOrOldText = Type.Union([Type.Integer(), markUntil(Type.String(), versions.unknown)]);
const idShapes = { 'number or text': numberOrOldText, text: Type.String() };

/** The service calls the id of every kind `noteable_id` (behavior: errors.noteable-name). */
export const noteablePath = <K extends NoteableKind>(kind: K) => ({
  ...noteables[kind].container === 'group' ? group : project,
  noteable_id: required(idShapes[noteables[kind].id] as NoteableId<K>, noteables[kind].text,
    { documented: noteables[kind].documented }),
});
type NoteableId<K> = K extends 'commit' ? Type.TString : Type.TUnion<[Type.TInteger, Type.TString]>;

/** The documented path comes first; where the service has another one, it is only documented. */
export const noteablePaths = (kind: NoteableKind, suffix: string): Paths => {
  const [first, ...others] = noteables[kind].collections.map((start) => `${start}/:noteable_id${suffix}`);
  return { paths: [first!, ...others], ...others.length > 0 && { documentedOnly: [first!] } };
};

export const discussionId = required(Type.String(), 'id of the thread');
export const noteId = required(Type.Integer(), 'id of the note');
export const body = required(Type.String(), 'text of the note, Markdown');
export const createdAt = optional(Type.String(),
  'creation time, ISO 8601; ignored unless sent by an administrator or owner', { needs: 'owner' });

/** `note_id` is for the document only (behavior: replies.note-id, replies.note-id-ignored). */
const operations = <K extends NoteableKind>(kind: K) => {
  const path = noteablePath(kind);
  const { noun } = noteables[kind];
  const all = noteablePaths(kind, '/discussions');
  const note = noteablePaths(kind, '/discussions/:discussion_id/notes/:note_id');
  const ofNote = { ...path, discussion_id: discussionId, note_id: noteId };
  return {
    list: operation('GET', all, `list the discussions of one ${noun}`, { ...path, ...pagingParams },
      Type.Array(WholeDiscussion), { paged: true }),
    get: operation('GET', noteablePaths(kind, '/discussions/:discussion_id'), `get one discussion of one ${noun}`,
      { ...path, discussion_id: discussionId }, WholeDiscussion),
    create: operation('POST', all, `start a thread on one ${noun}`, { ...path, body, created_at: createdAt },
      WholeDiscussion, { accepted: QuickActions }),
    addNote: operation('POST', noteablePaths(kind, '/discussions/:discussion_id/notes'),
      `add a note to a thread of one ${noun}`, {
        ...path, discussion_id: discussionId,
        note_id: optional(nullable(Type.Integer()), 'id of a note of the thread',
          { unneeded: true, dialect: 'document' }),
        body, created_at: createdAt,
      }, Note, { accepted: QuickActions }),
    modifyNote: operation('PUT', note, `modify a note of one ${noun}`,
      { ...ofNote, body, resolved: undocumentedResolved }, Note,
      { exactlyOneOf: ['body', 'resolved'], accepted: QuickActions }),
    deleteNote: operation('DELETE', note, `delete a note of one ${noun}`, ofNote, null),
  };
};

/**
 * Such notes are then rejected as not resolvable (behavior: notes.edit-exclusive, notes.edit-all-kinds,
 * resolving.note-unresolvable).
 */
const undocumentedResolved = optional(Type.Boolean(),
  'not supported for this kind: the service responds with "Note is not resolvable"');

const position = <S extends Type.TSchema>(shape: S) => optional(shape, 'position of the note on the diff');
const optionalBody = optional(Type.String(), 'new text of the note, Markdown');

const resolvableNote = {
  body: optionalBody, resolved: optional(Type.Boolean(), 'true to resolve the note, false to unresolve it'),
};

/** behavior: resolving.issues-unknown, resolving.epics-unknown */
const resolveThread = <K extends NoteableKind>(kind: K, since?: string) => operation('PUT',
  noteablePaths(kind, '/discussions/:discussion_id'), `resolve or unresolve a thread of one ${noteables[kind].noun}`, {
    ...noteablePath(kind), discussion_id: discussionId,
    resolved: required(Type.Boolean(), 'true to resolve the thread, false to unresolve it'),
  }, WholeDiscussion, since === undefined ? {} : { since, companion: true });

const withResolving = <K extends NoteableKind>(kind: K, since?: string) => {
  const all = operations(kind);
  const { modifyNote } = all;
  return {
    ...all, modifyNote: { ...modifyNote, params: { ...modifyNote.params, ...resolvableNote } },
    resolve: resolveThread(kind, since),
  };
};

const mergeRequest = withResolving('merge_request');
const commit = operations('commit');

/** Only merge requests and commits have positions (behavior: positions.other-kinds, positions.commit-id). */
export const discussions = {
  issue: withResolving('issue', versions.issueThreads),
  snippet: operations('snippet'),
  epic: withResolving('epic', versions.epicThreads),
  merge_request: {
    ...mergeRequest,
    create: {
      ...mergeRequest.create,
      params: {
        ...mergeRequest.create.params, position: position(PositionInput),
        commit_id: optional(Type.String(), 'SHA of the commit the thread starts on', { since: versions.commitThreads }),
      },
    },
  },
  commit: {
    ...commit,
    create: { ...commit.create, params: { ...commit.create.params, position: position(CommitPositionInput) } },
    modifyNote: {
      ...commit.modifyNote,
      params: {
        ...commit.modifyNote.params, body: optionalBody,
        resolved: optional(Type.Boolean(),
          'documented in an example only; the service does not treat commit notes as resolvable'),
      },
    },
  },
};
