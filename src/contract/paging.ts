import { Type } from '@sinclair/typebox';
import { perPage } from './conventions.js';
import { optional } from './endpoint.js';

/** The two request parameters of a paged list; a page size of zero is refused (wire-facts 3.1.3). */
export const pagingParams = {
  page: optional(Type.Integer(), 'number of the page, from 1'),
  per_page: optional(Type.Integer(), `results a page, at most ${perPage.most}; default ${perPage.default}`,
    { except: [0] }),
};
