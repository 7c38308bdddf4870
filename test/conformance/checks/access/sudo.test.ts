import { sudoChecks } from '../../../../src/conformance/checks/access.js';
import { findDifferences, replaced, status } from '../../../support/differences.js';

findDifferences(sudoChecks, [
  ['more rights than 403', status(403, 200), ['sudo.administrators']],
  ['another text without a right', replaced('403 Forbidden', '403 No'), ['sudo.administrators']],
  ['another user under sudo', (got) => got.request.endsWith('/user') ? replaced('"username":"super"', `"username":"${got.status}"`)(got) : {},
    ['sudo.how']],
  ['another text for unknown users', replaced('User with ID or username', 'No user'), ['sudo.unknown']],
  ['sudo with any token', replaced('insufficient_scope', 'invalid_token'), ['sudo.scope']],
], ['sudo.never-own']);
