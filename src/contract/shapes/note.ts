import { Type, type Static } from '@sinclair/typebox';
import { liveOnly, nullable, Timestamp } from './scalars.js';
import { Position } from './position.js';
import { User } from './user.js';

/** Both spellings of a merge request: the document's two words, the live service's one (wire-facts 7.3). */
export const NoteableType = Type.Union([
  Type.Literal('Issue'), Type.Literal('Snippet'), Type.Literal('Epic'), Type.Literal('Commit'),
  Type.Literal('Merge request'), Type.Literal('MergeRequest'),
]);
export type NoteableType = Static<typeof NoteableType>;

/** interface.md, Note. */
export const Note = Type.Object({
  id: Type.Integer(),
  type: nullable(Type.String({ examples: ['DiffNote'] })),
  body: Type.String(),
  attachment: Type.Unknown(),
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
  resolved_at: liveOnly(nullable(Timestamp)),
  confidential: liveOnly(nullable(Type.Boolean())),
  internal: liveOnly(Type.Boolean()),
  commands_changes: liveOnly(Type.Record(Type.String(), Type.Unknown())),
  project_id: liveOnly(nullable(Type.Integer())),
  imported: liveOnly(Type.Boolean()),
  imported_from: liveOnly(Type.String()),
}, { $id: 'Note' });
export type Note = Static<typeof Note>;
