import { Type } from '@sinclair/typebox';
import { endpoint, optional, required } from './endpoint.js';
import { pagingParams } from './paging.js';
import { Epic, LinkedEpic } from './shapes/epic.js';

const parent = {
  id: required(Type.Union([Type.Integer(), Type.String()]), 'id or path of the group'),
  epic_iid: required(Type.Integer(), 'internal id of the parent epic'),
};
const child = { child_epic_id: required(Type.Integer(), 'global id of the child epic') };

/** interface.md has all lists paged; the live service answers with all children of an epic (wire-facts 3.3.3). */
const documentedPaging = {
  page: { ...pagingParams.page, dialect: 'document' as const },
  per_page: { ...pagingParams.per_page, dialect: 'document' as const },
};

const children = '/groups/:id/epics/:epic_iid/epics';
const since = '11.8';

/** interface.md, Epic links: parent-child links between epics. */
export const epics = {
  list: endpoint({
    method: 'GET', paths: [children], summary: 'list the child epics of an epic', since,
    params: { ...parent, ...documentedPaging }, returns: Type.Array(Epic), status: 200, paged: true,
  }),
  create: endpoint({
    method: 'POST', paths: [children], summary: 'create an epic as a child of an epic', since,
    params: {
      ...parent,
      title: required(Type.String(), 'title of the new epic'),
      confidential: optional(Type.Boolean(), 'make it confidential; default as the parent is'),
    },
    returns: LinkedEpic, status: 201,
  }),
  /**
   * Both documented forms. The one with the child in the path comes first: it is the document's example and the only
   * one a live service knows (wire-facts 6.1.1). On the shared path `create` is told apart by its `title`.
   */
  assign: endpoint({
    method: 'POST', paths: [`${children}/:child_epic_id`, children], summary: 'make an epic a child of an epic', since,
    params: { ...parent, ...child }, returns: Epic, status: 201,
  }),
  reorder: endpoint({
    method: 'PUT', paths: [`${children}/:child_epic_id`], summary: 'move a child epic among its siblings', since,
    params: {
      ...parent, ...child,
      move_before_id: optional(Type.Integer(), 'global id of the sibling that is to stand before the child'),
      move_after_id: optional(Type.Integer(), 'global id of the sibling that is to stand after the child'),
    },
    returns: Type.Array(Epic), status: 200,
  }),
  unassign: endpoint({
    method: 'DELETE', paths: [`${children}/:child_epic_id`], summary: 'part a child epic from its parent', since,
    params: { ...parent, ...child }, returns: Epic, status: 200,
  }),
};
