import * as Type from '@sinclair/typebox';
import { group, operation, pagingParams } from './builders.js';
import { versions } from './conventions.js';
import { optional, required } from './endpoint.js';
import { Day, deprecated, liveOnly, nullable, Timestamp, User } from './shapes/scalars.js';

const day = () => nullable(Day);

/** A live service returns fixed dates only to its administrators (behavior: epics.fixed-dates). */
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
}, { $id: 'Epic', description: 'epic with its dates and links' });
export interface Epic extends Type.Static<typeof Epic> {}

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
}, { $id: 'LinkedEpic', description: 'new child epic' });
export interface LinkedEpic extends Type.Static<typeof LinkedEpic> {}

/** behavior: epics.ids-invalid, epics.reorder-invalid: ids are integers. */
const parent = {
  ...group,
  epic_iid: required(Type.Integer(), 'internal id of the parent epic'),
};
/** behavior: epics.global-id */
const child = { child_epic_id: required(Type.Integer(), 'global id of the child epic') };

/** The live service returns all children of an epic (behavior: pages.children-whole). */
const documented = { unneeded: true, dialect: 'document' } as const;
const documentedPaging = {
  page: { ...pagingParams.page, ...documented }, per_page: { ...pagingParams.per_page, ...documented },
};

const children = '/groups/:id/epics/:epic_iid/epics';
const one = `${children}/:child_epic_id`;
/** behavior: epics.since */
const links = { since: versions.epicLinks, clientNames: { epic_iid: 'iid' } } as const;

/** behavior: epics.deprecated */
export const epics = {
  list: operation('GET', children, 'list the child epics of an epic', { ...parent, ...documentedPaging },
    Type.Array(Epic), { ...links, paged: true }),
  create: operation('POST', children, 'create a child epic', {
    ...parent,
    title: required(Type.String(), 'title of the new epic'),
    confidential: optional(Type.Boolean(), 'make the epic confidential; default: same as the parent'),
  }, LinkedEpic, links),
  /**
   * A live service knows the first path only (behavior: epics.assign-path, epics.assign-parameter). On the shared path
   * a `title` distinguishes `create`.
   */
  assign: operation('POST', { paths: [one, children], documentedOnly: [children] },
    'assign a child epic to a parent epic', { ...parent, ...child }, Epic, links),
  reorder: operation('PUT', one, 'move a child epic among its siblings', {
    ...parent, ...child,
    move_before_id: optional(Type.Integer(), 'global id of the sibling to come before the child'),
    move_after_id: optional(Type.Integer(), 'global id of the sibling to come after the child'),
  }, Type.Array(Epic), links),
  unassign: operation('DELETE', one, 'remove a child epic from its parent', { ...parent, ...child }, Epic, links),
};
