import { appearanceChecks } from '../../../src/conformance/checks/appearance.js';
import { findDifferences, replaced, status } from '../../support/differences.js';

findDifferences(appearanceChecks, [
  ['more rights than 403', status(403, 200), ['appearance.administrators', 'errors.appearance-order']],
  ['pictures elsewhere', replaced('/uploads/-/system/appearance', '/images'), ['appearance.image-path']],
  ['images that are blank', replaced('"favicon":null', '"favicon":""'), ['appearance.unset-image']],
  ['changes of what was left out', (got) => got.request.startsWith('PUT') ? replaced(/"footer_message":"[^"]*"/g, '"footer_message":"changed"')(got) : {},
    ['appearance.omitted', 'appearance.nothing', 'appearance.null']],
  ['texts that cannot be cleared', (got) => got.request.startsWith('PUT') ? replaced('"header_message":""', '"header_message":"kept"')(got) : {},
    ['appearance.clear-text']],
  ['colors in lower case', (got) => got.request.startsWith('PUT') ? replaced(/"#1f6f8b"/g, '"#1F6F8B"')(got) : {}, ['appearance.colors']],
  ['colors of any kind', status(400, 200), ['appearance.wrong-color', 'appearance.wrong-switch', 'parameters.file-text']],
  ['names of any length', status(400, 200), ['appearance.web-app-length', 'appearance.guidelines']],
  ['an appearance without a footer', replaced(/"footer_message":"[^"]*",/g, ''), ['appearance.keys']],
], ['appearance.since']);
