import { parameterChecks } from '../../../../src/conformance/checks/lists.js';
import { asText, findDifferences } from '../../../support/differences.js';

const accepted = (query: RegExp) => (got: { readonly request: string }) => query.test(got.request) ? { status: 200, ...asText([]) } : {};

findDifferences(parameterChecks, [
  ['times that nobody reads', accepted(/updated_before=/), ['parameters.times']],
  ['anybody as a reviewer', accepted(/reviewer_id=/), ['parameters.none-any']],
  ['two authors', accepted(/author_username=/), ['parameters.exclusive-people']],
  ['a state that issues do not have', accepted(/issues\?state=merged/), ['parameters.states']],
  ['any order of notes', accepted(/notes\?order_by=/), ['parameters.list-values']],
  ['any order of projects', accepted(/\/projects\?order_by=/), ['parameters.list-order']],
  ['a blank direction', accepted(/merge_requests\?sort=$/), ['parameters.list-values']],
]);
