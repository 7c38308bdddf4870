import * as Type from '@sinclair/typebox';
import { noteables, versions } from '../conventions.js';
import { endpoint, optional, required } from '../endpoint.js';
import { project } from '../paging.js';
import { FilePosition, ImagePosition, PositionInput, TextPosition } from '../shapes/position.js';
import { nullable, oneOf } from '../shapes/scalars.js';

const nothing = Type.Null();

/** behavior: drafts.no-position */
const NoPosition = Type.Object({
  base_sha: nothing, start_sha: nothing, head_sha: nothing, old_path: nothing, new_path: nothing,
  position_type: Type.Literal('text'), old_line: nothing, new_line: nothing, line_range: nothing,
}, { $id: 'NoPosition', description: 'position of a draft note that is not on the diff' });

/** behavior: drafts.keys */
export const DraftNote = Type.Object({
  id: Type.Integer(),
  author_id: Type.Integer(),
  merge_request_id: Type.Integer(),
  resolve_discussion: Type.Boolean(),
  discussion_id: nullable(Type.String()),
  note: Type.String(),
  commit_id: nullable(Type.String()),
  line_code: nullable(Type.String()),
  position: Type.Union([TextPosition, ImagePosition, FilePosition, NoPosition]),
}, { $id: 'DraftNote', description: 'note on a merge request that only its author sees until it is published' });
export interface DraftNote extends Type.Static<typeof DraftNote> {}

const [mergeRequests] = noteables.merge_request.collections;
const all = `${mergeRequests}/:merge_request_iid/draft_notes` as const;
const one = `${all}/:draft_note_id` as const;

const path = { ...project, merge_request_iid: required(Type.Integer(), 'internal id of the merge request') };
const pathOfOne = { ...path, draft_note_id: required(Type.Integer(), 'id of the draft note') };

const position = optional(PositionInput, 'position of the note on the diff');

const ofService = { companion: true, clientNames: { merge_request_iid: 'noteable_id' } } as const;
const read = { ...ofService, since: versions.draftNotes } as const;
const written = { ...ofService, since: versions.draftNoteChanges } as const;

/** Older services ignore them (behavior: drafts.review, drafts.review-ignored). */
const review = {
  reviewer_state: optional(oneOf('requested_changes', 'reviewed'),
    'state of your review, if you are a reviewer', { since: versions.reviews }),
  note: optional(Type.String(), 'summary of the review, Markdown; becomes a comment', { since: versions.reviews }),
  internal: optional(Type.Boolean(), 'true for a summary that only members with the reporter role see',
    { since: versions.reviews }),
};

/** Each user has their own (behavior: drafts.own, drafts.read, drafts.write). */
export const draftNotes = {
  list: endpoint({
    method: 'GET', paths: [all], summary: 'list your draft notes on a merge request', params: path,
    returns: Type.Array(DraftNote), status: 200, ...read,
  }),
  get: endpoint({
    method: 'GET', paths: [one], summary: 'get one of your draft notes', params: pathOfOne, returns: DraftNote,
    status: 200, ...read,
  }),
  create: endpoint({
    method: 'POST', paths: [all], summary: 'add a draft note to a merge request',
    params: {
      ...path,
      note: required(Type.String(), 'text of the note, Markdown'),
      in_reply_to_discussion_id: optional(Type.String(), 'id of the thread to reply to'),
      commit_id: optional(Type.String(), 'SHA of the commit that the position is on'),
      resolve_discussion: optional(Type.Boolean(),
        'true to resolve the thread when the draft note is published; default false, which reopens it'),
      position,
    },
    returns: DraftNote, status: 201, ...written,
  }),
  modify: endpoint({
    method: 'PUT', paths: [one], summary: 'modify one of your draft notes',
    params: {
      ...pathOfOne, note: optional(Type.String(), 'new text of the note, Markdown', { notBlank: true }),
      position: optional(nullable(PositionInput),
        'position of the note on the diff; the service removes it without one, so the client sends the current one '
        + 'unless this is null'),
    },
    returns: DraftNote, status: 200, ...written,
  }),
  delete: endpoint({
    method: 'DELETE', paths: [one], summary: 'delete one of your draft notes', params: pathOfOne, returns: null,
    status: 204, ...written,
  }),
  publish: endpoint({
    method: 'PUT', paths: [`${one}/publish`], summary: 'publish one of your draft notes', params: pathOfOne,
    returns: null, status: 204, ...written,
  }),
  publishAll: endpoint({
    method: 'POST', paths: [`${all}/bulk_publish`], summary: 'publish all your draft notes on a merge request',
    params: { ...path, ...review }, returns: null, status: 204, ...written,
  }),
};
