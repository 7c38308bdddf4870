import * as Type from '@sinclair/typebox';
import { Position } from './position.js';
import { liveOnly, nullable, Timestamp, User, whereUsed } from './scalars.js';

/** A merge request has two words in the document, one on the live service (behavior: notes.noteable-type-one-word). */
export const NoteableType = Type.Union([
  Type.Literal('Issue'), Type.Literal('Snippet'), Type.Literal('Epic'), Type.Literal('Commit'),
  Type.Literal('Merge request'), Type.Literal('MergeRequest'),
], { $id: 'NoteableType', description: 'kind of object that a note belongs to' });
export type NoteableType = Type.Static<typeof NoteableType>;

/** behavior: notes.suggestions */
export const Suggestion = Type.Object({
  id: Type.Integer(),
  from_line: Type.Integer(),
  to_line: Type.Integer(),
  appliable: Type.Boolean(),
  applied: Type.Boolean(),
  from_content: Type.String(),
  to_content: Type.String(),
}, { $id: 'Suggestion', description: 'change of lines that a diff note suggests' });
export interface Suggestion extends Type.Static<typeof Suggestion> {}

export const Note = Type.Object({
  id: Type.Integer(),
  type: nullable(Type.String({ examples: ['DiffNote'] })),
  body: Type.String(),
  // behavior: notes.attachment
  attachment: Type.Optional(Type.Unknown()),
  author: User,
  created_at: Timestamp,
  updated_at: Timestamp,
  system: Type.Boolean(),
  noteable_id: nullable(Type.Integer()),
  noteable_type: NoteableType,
  noteable_iid: Type.Optional(nullable(Type.Integer())),
  resolvable: Type.Optional(Type.Boolean()),
  resolved: Type.Optional(Type.Boolean()),
  resolved_by: Type.Optional(nullable(User)),
  commit_id: Type.Optional(nullable(Type.String())),
  position: Type.Optional(Position),
  suggestions: whereUsed(Type.Array(Suggestion)),
  resolved_at: liveOnly(nullable(Timestamp)),
  confidential: liveOnly(nullable(Type.Boolean())),
  internal: whereUsed(Type.Boolean()),
  commands_changes: liveOnly(Type.Record(Type.String(), Type.Unknown())),
  project_id: liveOnly(nullable(Type.Integer())),
  imported: liveOnly(Type.Boolean()),
  imported_from: liveOnly(Type.String()),
  noteable_work_item_id: liveOnly(Type.Integer()),
}, { $id: 'Note', description: 'comment on an issue, snippet, epic, merge request or commit' });
export interface Note extends Type.Static<typeof Note> {}

/** behavior: notes.quick-actions-alone */
export const QuickActions = Type.Object({
  commands_changes: Type.Record(Type.String(), Type.Unknown()),
  summary: Type.Array(Type.String()),
}, { $id: 'QuickActions', description: 'response to a text of quick actions alone, which is not stored' });
export interface QuickActions extends Type.Static<typeof QuickActions> {}

/** behavior: threads.id */
export const Discussion = Type.Object({
  id: Type.String(),
  individual_note: Type.Boolean(),
  resolvable: liveOnly(Type.Boolean()),
  resolved: liveOnly(Type.Boolean()),
  notes: Type.Array(Note, { minItems: 1 }),
}, { $id: 'Discussion', description: 'thread of notes, oldest first' });
/** As it may be received: an odd thread comes without notes. */
export interface Discussion extends Type.Static<typeof Discussion> {}

/** As a server sends it. The library gives an odd thread a note. */
export const WholeDiscussion = Discussion as unknown as Type.TUnsafe<WholeDiscussion>;
export interface WholeDiscussion extends Omit<Discussion, 'notes'> { notes: [Note, ...Note[]] }
