import { changeChecks } from '../../../../src/conformance/checks/merge-requests.js';
import { asText, findDifferences, replaced, status } from '../../../support/differences.js';

findDifferences(changeChecks, [
  ['422 for parameters', status(400, 422), ['changes.missing', 'changes.title-length']],
  ['another text for branches', replaced('same project/branch', 'same branch'), ['changes.same-branch']],
  ['a note for nothing', (got) => got.request.endsWith('/notes?per_page=1') ? asText([{ id: Math.random() }]) : {}, ['changes.nothing']],
  ['an approval of any commit', status(409, 201), ['changes.approve-sha', 'changes.same-branch']],
  ['a removal of no approval', status(404, 201), ['changes.unapprove']],
]);
