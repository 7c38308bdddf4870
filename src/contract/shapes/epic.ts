import { Type, type Static } from '@sinclair/typebox';
import { Day, deprecated, liveOnly, nullable, Timestamp, User } from './scalars.js';

const day = () => nullable(Day);

/**
 * interface.md, Epic. The fixed-date fields are optional because a live service shows them only to those who may
 * administer the epic (wire-facts 6.7.4).
 */
export const Epic = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  group_id: Type.Integer(),
  parent_id: nullable(Type.Integer()),
  title: Type.String(),
  description: nullable(Type.String()),
  author: User,
  start_date: day(),
  start_date_is_fixed: Type.Optional(Type.Boolean()),
  start_date_fixed: Type.Optional(day()),
  start_date_from_milestones: Type.Optional(deprecated(day(), 'start_date_from_inherited_source')),
  start_date_from_inherited_source: Type.Optional(day()),
  end_date: Type.Optional(deprecated(day(), 'due_date')),
  due_date: day(),
  due_date_is_fixed: Type.Optional(Type.Boolean()),
  due_date_fixed: Type.Optional(day()),
  due_date_from_milestones: Type.Optional(deprecated(day(), 'due_date_from_inherited_source')),
  due_date_from_inherited_source: Type.Optional(day()),
  created_at: Timestamp,
  updated_at: Timestamp,
  labels: Type.Array(Type.Unknown()),
  work_item_id: liveOnly(Type.Integer()),
  parent_iid: liveOnly(nullable(Type.Integer())),
  color: liveOnly(Type.String()),
  text_color: liveOnly(Type.String()),
  imported: liveOnly(Type.Boolean()),
  imported_from: liveOnly(Type.String()),
  confidential: liveOnly(Type.Boolean()),
  state: liveOnly(Type.String()),
  web_url: liveOnly(Type.String()),
  web_edit_url: liveOnly(deprecated(Type.String(), 'web_url')),
  reference: liveOnly(deprecated(Type.String(), 'references')),
  references: liveOnly(Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() })),
  closed_at: liveOnly(nullable(Timestamp)),
  upvotes: liveOnly(Type.Integer()),
  downvotes: liveOnly(Type.Integer()),
  _links: liveOnly(Type.Object({
    self: Type.String(), epic_issues: Type.String(), group: Type.String(), parent: nullable(Type.String()),
  })),
}, { $id: 'Epic' });
export type Epic = Static<typeof Epic>;

/** interface.md, LinkedEpic: the answer of create-and-assign. */
export const LinkedEpic = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  title: Type.String(),
  group_id: Type.Integer(),
  parent_id: Type.Integer(),
  has_children: Type.Boolean(),
  has_issues: Type.Boolean(),
  reference: Type.String(),
  url: Type.String({ format: 'uri' }),
  relation_url: Type.String({ format: 'uri' }),
}, { $id: 'LinkedEpic' });
export type LinkedEpic = Static<typeof LinkedEpic>;
