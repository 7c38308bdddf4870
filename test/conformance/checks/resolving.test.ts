import { resolvingChecks } from '../../../src/conformance/checks/resolving.js';
import { findDifferences, replaced, status } from '../../support/differences.js';

findDifferences(resolvingChecks, [
  ['more rights than 403', status(403, 200), ['resolving.unresolvable']],
  ['400 without a right', status(403, 400), ['resolving.note-order', 'resolving.unresolvable']],
  ['threads of every kind that are resolved', (got) => got.request.startsWith('PUT') ? status(404, 200)(got) : {},
    ['resolving.issues-unknown', 'resolving.epics-unknown']],
  ['times of resolving that are left out', replaced(/"resolved_at":(null|"[^"]*"),/g, ''), ['resolving.time-always', 'resolving.time-if-resolvable']],
  ['another text without a right', replaced('403 Forbidden', '403 No'), ['resolving.unresolvable']],
  ['an open note among resolved ones', (got) => replaced(/("resolved":)true(?!.*"resolved":true)/s, '$1false')(got),
    ['resolving.all-notes', 'resolving.kinds']],
  ['threads that are resolved early', replaced('"resolved":false', '"resolved":true'), ['resolving.counts']],
  ['resolving that takes time', (() => { let count = 0; return (got) => replaced(/"updated_at":"\d{4}/g, `"updated_at":"${3000 + ++count}`)(got); })(),
    ['resolving.again']],
]);
