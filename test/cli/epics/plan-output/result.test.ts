import { describe, expect, it } from 'vitest';
import { stepRecords, stepView } from '../../../../src/cli/epics/plan-output.js';
import type { StepResult } from '../../../../src/cli/epics/run.js';
import { recordRow } from '../../../../src/cli/terminal/output/table.js';
import { pipe } from '../../../support/displays.js';
import { forestOf, liveOf, top } from '../../../support/forests.js';

const live = liveOf(forestOf([1, 2], { [top]: [1, 2] }), { 1: { web_url: 'https://host/e/2' } });
const recordOf = (result: StepResult) => stepRecords(live, [result], [])[0]!;
const created = { id: 9, iid: 10, group_id: 10, title: 'New', url: 'https://host/e/10' };
const none = { parent_id: null, former_parent_id: null, after_id: null, before_id: null, conflict: null };

describe('the record of a step', () => {
  it('has the links that change, and what is known of the epic', () => {
    expect(recordOf({ step: { action: 'move', epic: 1, parent: 7, from: 8 }, status: 'done', result: null })).toEqual({
      action: 'move', status: 'done', id: 1, iid: 2, reference: '&2', title: 'Epic 1', ...none, parent_id: 7, former_parent_id: 8, url: 'https://host/e/2' });
    expect(recordOf({ step: { action: 'unassign', epic: 2, from: 7 }, status: 'failed', error: new Error('no') }))
      .toMatchObject({ status: 'failed', former_parent_id: 7, parent_id: null, url: null });
    expect(recordOf({ step: { action: 'reorder', epic: 1, parent: 7, before: 2 }, status: 'planned' }))
      .toMatchObject({ parent_id: 7, after_id: null, before_id: 2 });
    expect(recordOf({ step: { action: 'reorder', epic: 1, parent: 7, after: 2 }, status: 'planned' })).toMatchObject({ after_id: 2, before_id: null });
  });

  it('has the new epic of a create, and no ids before it exists', () => {
    const step = { action: 'create', epic: -1, title: 'New', parent: -2 } as const;
    expect(recordOf({ step: { ...step, parent: 7 }, status: 'done', result: created })).toEqual({
      action: 'create', status: 'done', id: 9, iid: 10, reference: '&10', title: 'New', ...none, parent_id: 7, url: 'https://host/e/10' });
    expect(recordOf({ step, status: 'planned' })).toEqual({
      action: 'create', status: 'planned', id: null, iid: null, reference: null, title: 'New', ...none, url: null });
  });

  it('names a new epic that gets its place after it is created, in a plan and after a run', () => {
    const create = { action: 'create', epic: -1, title: 'New', parent: 7 } as const;
    const reorder = { action: 'reorder', parent: 7, after: 2 } as const;
    const [, planned] = stepRecords(live, [{ step: create, status: 'planned' }, { step: { ...reorder, epic: -1 }, status: 'planned' }], []);
    expect(planned).toMatchObject({ id: null, reference: null, title: 'New' });
    const results: StepResult[] = [{ step: create, status: 'done', result: created }, { step: { ...reorder, epic: 9 }, status: 'done', result: null }];
    expect(stepRecords(live, results, [])[1]).toMatchObject({ id: 9, iid: 10, reference: '&10', title: 'New', url: 'https://host/e/10' });
  });

  it('has the reasons why the service may reject it', () => {
    const step = { action: 'assign', epic: 1, parent: 2 } as const;
    const conflict = { epic: 1, level: 'warning', hint: 'no' } as const;
    const records = stepRecords(live, [{ step, status: 'planned' }, { step, status: 'planned' }],
      [{ ...conflict, step: 1, message: 'too deep' }, { ...conflict, step: 1, message: 'in another group' }]);
    expect(records.map((one) => one.conflict)).toEqual([null, 'too deep; in another group']);
  });

  it('has only the id of an epic that is not known', () => {
    expect(recordOf({ step: { action: 'assign', epic: 99, parent: 7 }, status: 'skipped' })).toMatchObject({ id: 99, iid: null, reference: null, title: null });
  });
});

it('the row of a step has empty cells for what is unknown', () => {
  const row = (result: StepResult) => recordRow(recordOf(result), stepView, pipe).map(({ text }) => text);
  expect(row({ step: { action: 'move', epic: 1, parent: 7, from: 8 }, status: 'done', result: null })).toEqual(['move', 'done', '&2', '1', '7', '8', 'Epic 1']);
  expect(row({ step: { action: 'create', epic: -1, title: 'New', parent: -2 }, status: 'planned' })).toEqual(['create', 'planned', '', '', '', '', 'New']);
});
