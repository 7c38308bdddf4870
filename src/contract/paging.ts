import { Type } from '@sinclair/typebox';
import { perPage } from './conventions.js';
import { optional } from './endpoint.js';

/**
 * A page size of zero is rejected (behavior: pages.zero); there is no keyset pagination (behavior: pages.no-keyset).
 */
export const pagingParams = {
  page: optional(Type.Integer(), 'page number, from 1'),
  per_page: optional(Type.Integer(), `results per page, at most ${perPage.max}; default ${perPage.default}`,
    { except: [0] }),
};

export const stateFilter = {
  state: optional(Type.Union([
    Type.Literal('opened'), Type.Literal('closed'), Type.Literal('locked'), Type.Literal('merged'), Type.Literal('all'),
  ]), 'state to filter by; default all'),
};

export const branchFilters = {
  source_branch: optional(Type.String(), 'source branch to filter by'),
  target_branch: optional(Type.String(), 'target branch to filter by'),
};

/** The parameters of the Notes API of the service. */
export const noteOrder = {
  order_by: optional(Type.Union([Type.Literal('created_at'), Type.Literal('updated_at')]),
    'sort field; default created_at'),
  sort: optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')]), 'sort direction; default desc'),
};
