import { replyChecks } from '../../../../src/conformance/checks/threads.js';
import { findDifferences, replaced } from '../../../support/differences.js';

findDifferences(replyChecks, [
  ['notes that exist once', replaced(/"id":\d+,"type"/g, '"id":7,"type"'), ['requests.no-idempotency']],
  ['threads with new ids', (got) => replaced(/"id":"[0-9a-f]{32}/g, `"id":"${String(got.text.length).padStart(32, '0')}`)(got),
    ['threads.individual-id', 'replies.to-comment']],
  ['replies without a position', (got) => /notes$/.test(got.request) ? replaced('"DiffNote"', '"DiscussionNote"')(got) : {},
    ['replies.keep-position']],
], ['requests.created']);
