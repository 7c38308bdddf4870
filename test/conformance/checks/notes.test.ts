import { noteChecks } from '../../../src/conformance/checks/notes.js';
import { findDifferences, replaced, status } from '../../support/differences.js';

findDifferences(noteChecks, [
  ['all notes, whatever the filter', replaced(/"system":false/g, '"system":true'), ['notes.activity-filter']],
  ['any filter', (got) => got.request.includes('activity_filter=comments') ? status(400, 200)(got) : {}, ['notes.activity-filter-invalid']],
  ['an edit without a text that fails', (got) => got.request.startsWith('PUT') ? status(200, 400)(got) : {}, ['notes.single-edit-missing']],
  ['a second noteable_id', replaced('"noteable_iid":', '"noteable_id_":'), ['notes.second-noteable-id']],
  ['more rights than 403', status(403, 200), ['notes.who-edits', 'errors.forbidden']],
  ['another text without a right', replaced('403 Forbidden', '403 No'), ['errors.forbidden']],
  ['notes of another object', replaced(/"noteable_id":\d+/g, '"noteable_id":1'), ['notes.noteable-id']],
  ['attachments with numbers', replaced('"attachment":null', '"attachment":1'), ['notes.attachment']],
  ['another time than given', replaced(/"created_at":"(2020|2199)/g, '"created_at":"2024'), ['notes.created-at', 'notes.created-at-future']],
  ['given times for all', replaced(/"created_at":"2024-06/, '"created_at":"2020-06'), ['notes.created-at-ignored', 'notes.created-at-invalid']],
  ['updates later than the given time', replaced(/"updated_at":"2020/g, '"updated_at":"2024'), ['notes.created-at-updated']],
  ['times before 1970', replaced('too far in the past', 'fine'), ['notes.created-at-old']],
  ['edits that keep the time', replaced(/"updated_at":"[^"]*"/g, '"updated_at":"2024-06-01T12:00:00.000Z"'), ['notes.edit-time']],
  ['quick actions that are text', replaced('deletes it again.",', 'deletes it again.\\n/subscribe",'),
    ['notes.quick-actions']],
  ['quick actions that are run everywhere', replaced('\\n/subscribe', ''),
    ['notes.quick-actions-off', 'notes.quick-actions-code', 'notes.quick-actions-snippets']],
  ['quick actions that create notes', status(202, 201), ['notes.quick-actions-alone', 'notes.quick-actions-comment', 'notes.edit-actions']],
  ['quick actions that do nothing', status(400, 202), ['notes.quick-actions-blank', 'notes.spend-invalid']],
  ['the same words for new and changed notes', replaced(/- (Failed to save note|Note)/g, '- Text'), ['notes.edit-blank', 'notes.edit-blank-newer']],
  ['times of a zone ignored', replaced(/"created_at":"2020/g, '"created_at":"2024'), ['notes.created-at-zone']],
  ['changes without a new text that clear the text', (got) => got.request.startsWith('PUT') ? replaced(/"body":"[^"]*"/g, '"body":""')(got) : {},
    ['notes.edit-resolved-null']],
]);
