import { lookupChecks } from '../../../src/conformance/checks/lookups.js';
import { asText, findDifferences, replaced, status } from '../../support/differences.js';

const reversed = (path: string) => (got: { readonly request: string; readonly json: unknown }) =>
  got.request.startsWith(`GET /api/v4${path}`) && Array.isArray(got.json) ? asText(got.json.toReversed()) : {};

findDifferences(lookupChecks, [
  ['the oldest project first', reversed('/projects'), ['lookups.projects']],
  ['groups from the last', reversed('/groups'), ['lookups.groups']],
  ['a list without its filters', (got) => got.request.includes('merge_requests?') ? asText([]) : {}, ['lookups.filters', 'parameters.lists']],
  ['users of every name', (got) => got.request.includes('/users?search') ? asText([{ id: 0 }]) : {}, ['lookups.users-search']],
  ['a count that is a number', replaced(/"changes_count":"(\d+)"/g, '"changes_count":$1'), ['lookups.changes-count']],
  ['a version without the hash of its changes', replaced(/,"patch_id_sha":"\w+"/g, ''), ['lookups.patch-ids']],
  ['a draft that is none', replaced('"draft":false', '"draft":true'), ['lookups.draft-title']],
  ['labels that are objects', replaced(/"labels":\[\]/g, '"labels":[{}]'), ['lookups.labels', 'lookups.label-filter']],
  ['approvals that are required', replaced('"approved":true', '"approved":false'), ['lookups.approvals']],
  ['reviewers that are not there', (got) => got.request.endsWith('/reviewers') ? asText([{ user: { id: 77 } }]) : {}, ['lookups.reviewers']],
  ['an empty file for every path', status(404, 200), ['lookups.files']],
  ['merge requests of everybody', (got) => got.request.endsWith('v4/merge_requests') ? asText([{ id: 1, author: { id: 99 } }]) : {}, ['lookups.scope']],
  ['members without their inherited role', (got) => got.request.endsWith('/members/all?per_page=100') ? asText([{ id: 0, access_level: 10 }]) : {},
    ['lookups.members']],
]);
