import { paginationChecks } from '../../../../src/conformance/checks/lists.js';
import { asText, findDifferences, header, status, withoutHeader } from '../../../support/differences.js';

findDifferences(paginationChecks, [
  ['another default page size', header('x-per-page', '25'), ['pages.default', 'pages.maximum']],
  ['no link header', withoutHeader('link'), ['pages.links', 'pages.link-parameters']],
  ['no next page', withoutHeader('x-next-page'), ['pages.headers']],
  ['no totals', withoutHeader('x-total'), ['pages.headers']],
  ['a text as total', header('x-total', 'many'), ['pages.headers']],
  ['an empty next page', header('x-next-page', ''), ['pages.headers', 'pages.links']],
  ['pages counted from 0', header('x-page', '0'), ['pages.below-one', 'pages.beyond-end', 'pages.headers']],
  ['no totals of pages', header('x-total-pages', '0'), ['pages.one-page']],
  ['422 for parameters', status(400, 422), ['pages.zero']],
  ['pages of 20 at most', (got) => Number(got.headers['x-per-page']) > 20 ? { headers: { ...got.headers, 'x-per-page': '20' } } : {},
    ['pages.maximum']],
  ['pages of notes of a thread', (got) => ({ headers: { ...got.headers, 'x-page': '1' } }), ['pages.unpaged', 'pages.children-whole']],
  ['links to another host', (got) => ({ headers: { ...got.headers, link: (got.headers['link'] ?? '').replaceAll('<http', '<http://proxy.test/http') } }),
    ['pages.link-host']],
  ['children in pages of one', (got) => got.request.endsWith('/epics?per_page=1') && Array.isArray(got.json) ? asText(got.json.slice(0, 1)) : {},
    ['pages.children-whole']],
  ['no number of requests', withoutHeader('ratelimit-observed'), ['limits.rate-headers-document', 'limits.rate-headers-always']],
]);
