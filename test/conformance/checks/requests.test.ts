import { requestChecks } from '../../../src/conformance/checks/requests.js';
import { asText, findDifferences, header, replaced, status, withoutHeader } from '../../support/differences.js';

findDifferences(requestChecks, [
  ['no id of requests', withoutHeader('x-request-id'), ['requests.request-id']],
  ['routes of work items that are forbidden in other words', replaced('work_item_rest_api feature flag', 'feature'), ['requests.work-items-off']],
  ['no routes of work items', (got) => got.request.includes('/-/work_items/') ? asText({ error: '404 Not Found' }) : {},
    ['requests.work-items-hidden', 'requests.work-items-notes']],
  ['no ETag', withoutHeader('etag'), ['requests.etag']],
  ['HTML', header('content-type', 'text/html'), ['requests.media-type', 'requests.accept']],
  ['JSON that is not escaped', replaced(/\\u003[ce]|\\u0026/g, '<'), ['requests.escaped-json']],
  ['times without milliseconds', replaced(/\.\d{3}Z"/g, 'Z"'), ['requests.times']],
  ['another text for projects', replaced('404 Project Not Found', 'Not Found'), ['requests.project-path-has-slash']],
  ['an answer outside the API', (got) => got.request.includes(' /projects/') ? { status: 200, json: [], text: '[]' } : {}, ['requests.prefix']],
  ['the previous API', status(410, 404), ['requests.removed-api']],
  ['a body in the response to HEAD', (got) => got.request.startsWith('HEAD') ? { text: '[]' } : {}, ['requests.head']],
  ['another project by its number', (got) => got.request.endsWith('/projects/1') ? replaced('"id":1,', '"id":2,')(got) : {},
    ['requests.container-id']],
  ['another group by its number', (got) => got.request.endsWith('/groups/1') ? replaced('"full_path":"acme"', '"full_path":"open"')(got) : {},
    ['requests.numeric-id']],
  ['another group by its path in capitals', (got) => got.request.endsWith('/groups/ACME') ? replaced('"id":1,', '"id":2,')(got) : {},
    ['requests.path-case']],
  ['texts of queries with their plus signs', replaced(/conformance check/g, 'conformance+check'), ['requests.plus', 'requests.parameter-places']],
  ['no Vary', withoutHeader('vary'), ['requests.other-headers']],
  ['no protection from framing', withoutHeader('x-frame-options'), ['requests.other-headers']],
], ['requests.epic-infix', 'requests.get-body', 'requests.target-limit', 'requests.trailing-slash', 'requests.unknown-parameters']);
