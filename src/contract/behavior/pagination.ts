import { maxCountedRows, perPage } from '../conventions.js';
import { documented, factsOf, observed } from './fact.js';

export const paginationFacts = factsOf('pagination', {
  'pages.default': documented(`A list has ${perPage.default} results a page by default.`),
  'pages.maximum': observed(`A page has at most ${perPage.max} results; a larger \`per_page\` is cut.`),
  'pages.zero': observed('`per_page=0` is 400 with `per_page has a value not allowed`.'),
  'pages.invalid': observed('A `page` or `per_page` that is not a number is 400; a blank one counts as not given.'),
  'pages.below-one': observed('A page below 1 is the first one; a negative `per_page` is the default.'),
  'pages.beyond-end': observed('A page after the last is 200 with an empty list.'),
  'pages.headers': observed(
    '`X-Page`, `X-Per-Page`, `X-Next-Page`, `X-Prev-Page`, `X-Total` and `X-Total-Pages` describe a page; next and '
    + 'previous are empty where there is none.',
  ),
  'pages.one-page': observed('`X-Total-Pages` is at least 1, also for an empty list.'),
  'pages.links': observed(
    '`Link` has `prev`, `next`, `first` and `last` in this order, without those that do not exist.',
  ),
  'pages.link-parameters': observed('Addresses in `Link` contain the parameters of the path too.'),
  'pages.link-host': observed('They have the configured address of the service, which the caller may not reach.'),
  'pages.totals': observed(
    `With more than ${maxCountedRows} results there are no totals and no link to the last page.`,
  ),
  'pages.short': observed('A page can have fewer results than asked for, although more follow.'),
  'pages.unpaged': observed('The notes of one thread, and the children after a reorder, are one list without pages.'),
  'pages.children-paged': documented('The list of child epics has pages.', { dialects: ['document'] }),
  'pages.children-whole': observed('The list of child epics is whole, without pages.', { dialects: ['live'] }),
});
