import { Type } from '@sinclair/typebox';
import { perPage } from './conventions.js';
import { optional } from './endpoint.js';

/** The two request parameters of a paged list; a page size of zero is rejected (wire-facts 3.1.3). */
export const pagingParams = {
  page: optional(Type.Integer(), 'number of the page, from 1'),
  per_page: optional(Type.Integer(), `results a page, at most ${perPage.max}; default ${perPage.default}`,
    { except: [0] }),
};

/** Filters issues, epics or merge requests by state. */
export const stateFilter = {
  state: optional(Type.Union([
    Type.Literal('opened'), Type.Literal('closed'), Type.Literal('locked'), Type.Literal('merged'), Type.Literal('all'),
  ]), 'show those in this state; default all'),
};

/** Filters merge requests by branch. */
export const branchFilters = {
  source_branch: optional(Type.String(), 'show those of this source branch'),
  target_branch: optional(Type.String(), 'show those of this target branch'),
};

/** The order of a list of notes, with the parameters of the Notes API of the service. */
export const noteOrder = {
  order_by: optional(Type.Union([Type.Literal('created_at'), Type.Literal('updated_at')]),
    'what to sort by; default created_at'),
  sort: optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')]), 'direction; default desc'),
};
