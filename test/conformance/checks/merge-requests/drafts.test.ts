import { draftChecks } from '../../../../src/conformance/checks/merge-requests.js';
import { asText, findDifferences, replaced, status } from '../../../support/differences.js';

findDifferences(draftChecks, [
  ['pages of drafts', ({ headers }) => ({ headers: { ...headers, 'x-page': '1' } }), ['drafts.unpaged']],
  ['drafts of others', replaced(/"author_id":\d+/g, '"author_id":77'), ['drafts.own']],
  ['a missing key', replaced(/"commit_id":null,/g, ''), ['drafts.keys']],
  ['a thread of a new draft', replaced('"discussion_id":null', '"discussion_id":"a"'), ['drafts.new-thread']],
  ['no position', replaced(/"position":\{[^}]*\}/g, '"position":null'), ['drafts.no-position']],
  ['no line code', replaced(/"line_code":"[^"]*"/g, '"line_code":null'), ['drafts.line-code']],
  ['drafts among the notes', replaced(/"body":"/g, '"body":"colloquy-draft '), ['drafts.hidden']],
  ['other errors', replaced(/"message":/g, '"error":'),
    ['drafts.reply-unknown', 'drafts.one-reply', 'drafts.resolve-right', 'drafts.edit-missing', 'drafts.own']],
  ['single comments', replaced(/"type":"[^"]*"/g, '"type":null'), ['drafts.publish', 'drafts.incomplete']],
  ['200 for publishing', status(204, 200),
    ['drafts.publish', 'drafts.publish-all', 'drafts.publish-resolves', 'drafts.write', 'drafts.incomplete']],
  ['a comment of nothing', (got) => got.request.endsWith('/notes?per_page=1') ? asText([{ id: Math.random() }]) : {},
    ['drafts.review-blank', 'drafts.review-ignored']],
  ['a state of anybody', (got) => got.request.endsWith('/reviewers') ? asText([{ state: Math.random() }]) : {}, ['drafts.review-stranger']],
  ['any state', status(400, 204), ['drafts.review-state']],
  ['threads that stay resolved', replaced('"resolved":false', '"resolved":true'), ['drafts.publish-resolves']],
  ['400 for drafts that cannot be published', status(500, 400), ['drafts.publish-failed']],
  ['a text of the failure', (got) => got.status === 500 ? { text: 'x' } : {}, ['drafts.publish-failed', 'drafts.publish-all-failed-older']],
  ['a position that is kept', replaced(/"new_line":null/g, '"new_line":7'), ['drafts.edit-position']],
], ['drafts.commit-id', 'drafts.read']);
