import { accessChecks } from '../../../src/conformance/checks/access.js';
import { findDifferences, replaced, status } from '../../support/differences.js';

findDifferences(accessChecks, [
  ['no internal notes', replaced(/"(confidential|internal)":true/g, '"$1":false'), ['access.internal-notes']],
  ['a challenge', (got) => got.status === 401 ? { headers: { ...got.headers, 'www-authenticate': 'Bearer' } } : {}, ['tokens.no-challenge']],
  ['public reading', status(401, 200), ['tokens.always', 'tokens.missing', 'errors.order']],
  ['another key of errors', replaced('"error":', '"message":'), ['errors.unknown-route', 'errors.missing', 'errors.joined']],
  ['another text for projects', replaced('404 Project Not Found', 'Not Found'), ['errors.project']],
  ['another text for a malformed text', replaced('Bad Request', 'invalid'), ['errors.text']],
  ['the other case for records', replaced('404 Not found', '404 Not Found'), ['errors.record']],
  ['another text for commits', replaced('404 Commit Not Found', '404 Not found'), ['errors.commit']],
  ['another text for threads', replaced('404 Discussion Not Found', '404 Not found'), ['errors.thread']],
  ['422 for parameters', status(400, 422), ['errors.missing', 'errors.exclusive', 'parameters.texts']],
  ['forbidden instead of missing', status(404, 403), ['errors.project', 'errors.thread']],
], ['tokens.bearer', 'tokens.header', 'tokens.order', 'tokens.parameter']);
