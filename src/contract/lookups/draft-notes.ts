import * as Type from '@sinclair/typebox';
import { companion, project } from '../builders.js';
import { noteables, versions } from '../conventions.js';
import { optional, required } from '../endpoint.js';
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
const all = `${mergeRequests}/:merge_request_iid/draft_notes`;
const one = `${all}/:draft_note_id`;

const path = { ...project, merge_request_iid: required(Type.Integer(), 'internal id of the merge request') };
const pathOfOne = { ...path, draft_note_id: required(Type.Integer(), 'id of the draft note') };

const clientNames = { merge_request_iid: 'noteable_id' } as const;
const read = { clientNames, since: versions.draftNotes };
const written = { clientNames, since: versions.draftNoteChanges };

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
  list: companion('GET', all, 'list your draft notes on a merge request', path, Type.Array(DraftNote), read),
  get: companion('GET', one, 'get one of your draft notes', pathOfOne, DraftNote, read),
  create: companion('POST', all, 'add a draft note to a merge request', {
    ...path,
    note: required(Type.String(), 'text of the note, Markdown'),
    in_reply_to_discussion_id: optional(Type.String(), 'id of the thread to reply to'),
    commit_id: optional(Type.String(), 'SHA of the commit that the position is on'),
    resolve_discussion: optional(Type.Boolean(),
      'true to resolve the thread when the draft note is published; default false, which reopens it'),
    position: optional(PositionInput, 'position of the note on the diff'),
  }, DraftNote, written),
  modify: companion('PUT', one, 'modify one of your draft notes', {
    ...pathOfOne, note: optional(Type.String(), 'new text of the note, Markdown', { notBlank: true }),
    position: optional(nullable(PositionInput),
      'position of the note on the diff; the service removes it without one, so the client sends the current one '
      + 'unless this is null'),
  }, DraftNote, written),
  delete: companion('DELETE', one, 'delete one of your draft notes', pathOfOne, null, written),
  publish: companion('PUT', `${one}/publish`, 'publish one of your draft notes', pathOfOne, null, written),
  publishAll: companion('POST', `${all}/bulk_publish`, 'publish all your draft notes on a merge request',
    { ...path, ...review }, null, written),
};
