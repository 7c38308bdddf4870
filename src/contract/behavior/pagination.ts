import { maxCountedRows, perPage } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

export const paginationFacts = factsOf('pagination', {
  'pages.default': documented(`A list has ${perPage.default} results a page by default.`),
  'pages.maximum': observed(
    `A page has at most ${perPage.max} results; a larger \`per_page\` counts as ${perPage.max}.`,
  ),
  'pages.zero': observed('A request with `per_page=0` gets 400 with `per_page has a value not allowed`.'),
  'pages.invalid': observed(
    'A `page` or `per_page` that is not a number gets 400 with `page is invalid`; a blank one counts as not given.',
  ),
  'pages.below-one': observed(
    'A `page` below 1 is the first page, unless an administrator of a newer service made it an error; a negative '
    + '`per_page` is the default.',
  ),
  'pages.beyond-end': observed('A page after the last one gets 200 with an empty list.'),
  'pages.beyond-headers': observed(
    'A page after the last one has its number in `X-Page`, and neither a next nor a previous page.',
  ),
  'pages.no-keyset': observed('The parameter `pagination` is ignored: lists have no keyset pagination.'),
  'pages.headers': observed(
    '`X-Page`, `X-Per-Page`, `X-Next-Page`, `X-Prev-Page`, `X-Total` and `X-Total-Pages` describe a page; the next '
    + 'or previous page is empty if there is none.',
  ),
  'pages.one-page': observed('`X-Total-Pages` is at least 1, even for an empty list.'),
  'pages.links': observed(
    'The header `Link` has `prev`, `next`, `first` and `last` in this order, without pages that do not exist.',
  ),
  'pages.link-parameters': observed('The addresses in `Link` also contain the parameters of the path.'),
  'pages.link-host': observed(
    'The addresses in `Link` have the configured host of the service, which the caller may not reach.',
  ),
  'pages.totals': observed(
    `A list of more than ${maxCountedRows} results has no totals and no link to the last page.`,
  ),
  'pages.short': observed('A page can have fewer results than `per_page`, even if more pages follow.'),
  'pages.internal-notes': chosen(
    'Pages and totals leave out internal notes that the caller may not see.', { dialects: ['live'] },
  ),
  'pages.unpaged': observed(
    'The notes of one thread, and the children of an epic after a reorder, are one list without pages.',
  ),
  'pages.children-paged': documented('The list of child epics has pages.', { dialects: ['document'] }),
  'pages.children-whole': observed('The list of child epics is complete, without pages.', { dialects: ['live'] }),
});
