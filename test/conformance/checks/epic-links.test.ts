import { epicLinkChecks } from '../../../src/conformance/checks/epic-links.js';
import { asText, findDifferences, replaced, status } from '../../support/differences.js';

findDifferences(epicLinkChecks, [
  ['lists in another order', (got) => Array.isArray(got.json) ? asText([...got.json].reverse()) : {}, ['epics.first']],
  ['another order after moving', (got) => got.request.startsWith('PUT') && Array.isArray(got.json) ? asText([...got.json].reverse()) : {},
    ['epics.reorder-before', 'epics.reorder-after', 'epics.reorder-both', 'epics.reorder-neither', 'epics.reorder-response']],
  ['409 for nothing', status(409, 201), ['epics.assign-again', 'epics.assign-itself', 'epics.depth', 'epics.confidential-parent']],
  ['409 for all problems with children', status(422, 409), ['epics.assign-itself-newer', 'epics.depth-newer']],
  ['another key for confidential parents', replaced('"base":', '"confidential":'), ['epics.confidential-parent-newer']],
  ['the former words for children', replaced('Epic(s) already assigned', 'already assigned'), ['epics.assign-again-newer']],
  ['204 for removed children', (got) => got.request.startsWith('DELETE') && got.status === 200 ? { status: 204 } : {},
    ['epics.unassign', 'epics.assign-path']],
  ['removed children that keep their parent', replaced('"parent_id":null', '"parent_id":500'), ['epics.unassign']],
  ['children that stay with a former parent', (() => {
    let earlier: unknown = [];
    return ({ request, json }) => {
      if (!request.endsWith('/epics?per_page=100') || !Array.isArray(json)) return {};
      if (json.length > 0) earlier = json;
      return asText(earlier);
    };
  })(), ['epics.move']],
  ['no notes about links', replaced('"system":true', '"system":false'), ['epics.system-notes']],
  ['references with a group', replaced('"reference":"\\u0026', '"reference":"acme\\u0026'), ['epics.create-reference']],
]);
