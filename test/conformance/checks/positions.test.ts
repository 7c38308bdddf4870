import { positionChecks } from '../../../src/conformance/checks/positions.js';
import { findDifferences, replaced } from '../../support/differences.js';

findDifferences(positionChecks, [
  ['a position that nobody gave', replaced('"notes":[{', '"notes":[{"position":{},'), ['positions.optional']],
  ['suggestions that nobody can apply', replaced('"appliable":true', '"appliable":false'), ['notes.suggestion-appliable']],
  ['longer suggestions', replaced(/"to_line":\d+/g, '"to_line":900'), ['notes.suggestion-range']],
  ['suggestions of blank lines', replaced('"to_content":""', '"to_content":" \\n"'), ['notes.suggestion-blank']],
  ['suggestions of every note', replaced('"resolvable":', '"suggestions":[],"resolvable":'), ['notes.suggestions']],
  ['no commits of threads', replaced(/"commit_id":"[0-9a-f]*"/g, '"commit_id":null'),
    ['positions.commit-id', 'positions.commit-of-merge-request']],
  ['diff notes on commits alone', replaced(/"commit_id":null/g, '"commit_id":"a"'), ['notes.commit-id']],
  ['positions with nulls', replaced('"position_type":', '"x":null,"position_type":'), ['positions.no-nulls']],
  ['positions without what is null', replaced('"old_line":null,', ''), ['positions.nulls']],
  ['ranges without unknown keys', replaced(',"colloquy":"kept"', ''), ['positions.ranges-kept']],
  ['ranges as they were given', replaced('"line_code":"a_1_1","type":"new"', '"line_code":"a_1_1","type":"new","colloquy":"kept"'),
    ['positions.ranges-on-merge-requests']],
  ['line codes with a name', replaced(/"line_code":"[0-9a-f]{40}/g, '"line_code":"a'), ['positions.line-code']],
  ['positions anywhere', (got) => got.text.includes('line_code') ? { status: 201 } : {},
    ['positions.not-in-diff', 'positions.which-lines', 'positions.both-paths']],
  ['incomplete positions', replaced('is incomplete', 'is fine'), ['positions.incomplete']],
  ['positions that keep their SHAs', (got) => got.text.includes('"notes":[') ? replaced(/"start_sha":"[0-9a-f]{4}/g, '"start_sha":"eeee')(got) : {},
    ['positions.one-base']],
  ['other SHAs of the diff', replaced(/"head_sha":"d228/g, '"head_sha":"e228'), ['positions.refs']],
], ['positions.other-shas']);
