import { epicChecks } from '../../../src/conformance/checks/epics.js';
import { asText, findDifferences, replaced, status } from '../../support/differences.js';

findDifferences(epicChecks, [
  ['the same child twice', (got) => got.request.includes('/epics/1/epics') && Array.isArray(got.json) ? asText([...got.json, ...got.json] as unknown[]) : {},
    ['epics.several-children']],
  ['more rights than 403', status(403, 200), ['epics.unknown-parent', 'errors.epic-links-order']],
  ['links of epics in every tier', (got) => got.request.endsWith('/epics/1/epics') ? { status: 200 } : {}, ['errors.feature']],
  ['more rights of guests', (got) => got.request.startsWith('POST') && got.status === 403 ? { status: 404 } : {},
    ['epics.rights', 'epics.reporters-create']],
  ['fewer rights of guests', (got) => got.request.startsWith('POST') && got.status !== 403 ? { status: 403 } : {},
    ['epics.guests', 'epics.guests-create']],
  ['children named by a parameter', (got) => got.request.startsWith('POST') ? status(400, 201)(got) : {}, ['epics.assign-without-title']],
  ['epics without colors', replaced('"color":', '"paint":'), ['epics.newer-keys', 'epics.colors']],
  ['work items with the ids of their epics', (got) => {
    const next = got.text.replaceAll(/"id":(\d+),"work_item_id":\d+/g, '"id":$1,"work_item_id":$1')
      .replaceAll(/"noteable_work_item_id":\d+/g, '"noteable_work_item_id":1');
    return next === got.text ? {} : asText(JSON.parse(next));
  }, ['epics.work-item', 'epics.work-item-offset', 'epics.note-work-item', 'epics.thread-work-item']],
  ['epics with votes', replaced('"upvotes":0', '"upvotes":1'), ['epics.votes']],
  ['notes of another object', replaced(/"noteable_id":\d+/g, '"noteable_id":1'), ['threads.epic-id']],
  ['children of another epic', replaced(/"parent_id":500/g, '"parent_id":7'), ['epics.list']],
  ['an end date of its own', replaced(/"end_date":(null|"[^"]*")/g, '"end_date":"2030-01-01"'), ['epics.deprecated-dates']],
  ['a part of the fixed dates', replaced(/"due_date_fixed":(null|"[^"]*"),/g, ''), ['epics.fixed-dates']],
  ['labels that are objects', replaced(/"labels":\["delivery"/g, '"labels":[{}'), ['epics.labels']],
], ['epics.since', 'epics.tiers']);
