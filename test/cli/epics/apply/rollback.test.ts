import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyStep, copyOf, type Forest, type LinkStep, planSteps, targetForest } from '../../../../src/cli/epics/plan.js';
import type { RecordedRun } from '../../../../src/cli/epics/journal.js';
import { rollbackOf } from '../../../../src/cli/epics/apply.js';
import { runsOf } from '../../../support/extent.js';
import { forestOf, forests, liveOf, targetBetween, textOfForest, top } from '../../../support/forests.js';

/** A run that made some steps of a forest. New epics get the ids 100, 101 … */
const recorded = (before: Forest, planned: readonly LinkStep[]): RecordedRun => {
  const left = copyOf(before);
  const created: RecordedRun['created'] = new Map(planned.flatMap((step) => step.action === 'create'
    ? [[99 - step.epic, { id: 99 - step.epic, iid: 100 - step.epic, group_id: 10, title: step.title, url: null }]] : []));
  const idOf = (value: unknown) => typeof value === 'number' && value < 0 ? 99 - value : value;
  const steps = planned.map((step) => Object.fromEntries(Object.entries(step).map(([key, value]) => [key, idOf(value)])) as LinkStep);
  for (const step of steps) applyStep(left, step);
  const moved = new Set(steps.map(({ epic }) => epic));
  const parents = new Set(steps.flatMap((step) => [...'parent' in step ? [step.parent] : [], ...'from' in step ? [step.from] : []]));
  return {
    head: { version: 1, file: 'plan', text: '', prune: true, at: '' }, isFinished: true, open: null, unmade: [], created, createdBelow: new Map(),
    former: {
      parents: new Map([...before.parents].filter(([epic]) => moved.has(epic))),
      children: new Map([...before.children].filter(([epic]) => parents.has(epic))),
    },
    left: [left], epics: liveOf(before).epics, hidden: new Map(),
  };
};

const run = (before: Forest, wanted: Forest) => recorded(before, planSteps(before, targetBetween(before, wanted)));
/** The links after the rollback of a run, if the live links are these. */
const rolledBack = (record: RecordedRun, now: Forest) => {
  const { kept, ...target } = rollbackOf(liveOf(now), record);
  return { links: textOfForest(targetForest(now, target)), kept };
};
const changed = (forest: Forest, ...steps: LinkStep[]) => {
  const copy = copyOf(forest);
  for (const step of steps) applyStep(copy, step);
  return copy;
};

const before = forestOf([1, 2, 3, 4], { [top]: [1, 2, 3] });
const wanted = forestOf([1, 2, 3, 4], { [top]: [3, 1], 1: [2, 4] });

describe('the target of a rollback', () => {
  it('has the links before the run, if nobody else changed anything', () => {
    fc.assert(fc.property(forests([1, 2, 3, 4, 5], 7), forests([1, 2, 3, 4, 5, -1, -2], 7), (former, target) => {
      const record = run(former, target);
      expect(rolledBack(record, record.left[0]!)).toEqual({ links: textOfForest(former), kept: [] });
    }), { numRuns: runsOf(300) });
  });

  it('has them even if it is unknown whether the last write was made', () => {
    const steps = planSteps(before, targetBetween(before, wanted));
    for (let made = 1; made <= steps.length; made++) {
      const [least, most] = [recorded(before, steps.slice(0, made - 1)).left[0]!, recorded(before, steps.slice(0, made)).left[0]!];
      const record = { ...recorded(before, steps.slice(0, made)), left: [least, most] };
      for (const now of [least, most]) expect(rolledBack(record, now)).toEqual({ links: textOfForest(before), kept: [] });
    }
  });

  it('removes new epics from their parents', () => {
    const record = run(before, forestOf([1, 2, 3, 4, -1], { [top]: [1, -1, 2, 3], [-1]: [4] }));
    const { removed } = rollbackOf(liveOf(record.left[0]!), record);
    expect(removed.toSorted()).toEqual([100, 4]);
  });
});

describe('what another user changed since', () => {
  const record = run(before, wanted);
  const [left] = record.left as [Forest];

  it('can be a former parent that is below an epic now, which stays', () => {
    const moved = run(forestOf([1, 2, 3, 4], { [top]: [1, 2], 1: [3, 4] }), forestOf([1, 2, 3, 4], { [top]: [1, 2], 2: [3, 4] }));
    const now = changed(moved.left[0]!, { action: 'move', epic: 1, parent: 3, from: top });
    expect(rolledBack(moved, now)).toEqual({ links: '0:2 1:4 2:3 3:1',
      kept: ['&4 "Epic 3" stays below &3 "Epic 2": moving it back below &2 "Epic 1" would create a cycle'] });
  });

  it('never makes a rollback impossible', () => {
    const some = () => forests([1, 2, 3, 4, 5], 7);
    fc.assert(fc.property(some(), some(), some(), fc.nat(5), (former, target, theirs, count) => {
      const moved = run(former, target);
      const now = changed(moved.left[0]!, ...planSteps(moved.left[0]!, targetBetween(moved.left[0]!, theirs)).slice(0, count));
      expect(() => planSteps(now, rollbackOf(liveOf(now), moved))).not.toThrow();
    }), { numRuns: runsOf(300) });
  });

  it('stays where it is, and is reported', () => {
    const now = changed(left, { action: 'move', epic: 2, parent: 3, from: 1 });
    expect(rolledBack(record, now)).toEqual({ links: '0:1,3 3:2', kept: ['&3 "Epic 2" stays below &4 "Epic 3", where another user put it'] });
    const alone = changed(left, { action: 'unassign', epic: 2, from: 1 });
    expect(rolledBack(record, alone).kept).toEqual(['&3 "Epic 2" stays without a parent, where another user put it']);
  });

  it('is no problem if it is what the rollback wants', () => {
    const now = changed(left, { action: 'unassign', epic: 4, from: 1 });
    expect(rolledBack(record, now)).toEqual({ links: textOfForest(before), kept: [] });
  });

  it('is an order of children that the rollback keeps', () => {
    const order = run(before, forestOf([1, 2, 3, 4], { [top]: [2, 1, 3] }));
    const now = changed(order.left[0]!, { action: 'reorder', epic: 3, parent: top, before: 2 });
    expect(rolledBack(order, now)).toEqual({
      links: '0:3,2,1', kept: ['the order of the children of &1 "Top" stays: another user changed it'] });
  });

  it('are more children, which stay in their places', () => {
    const more = forestOf([1, 2, 3, 4, 5], { [top]: [3, 5, 1], 1: [2, 4] });
    expect(rolledBack(record, more)).toEqual({ links: '0:1,2,3,5', kept: [] });
  });

  it('is an epic that is missing now', () => {
    const now = forestOf([1, 3, 4], { [top]: [3, 1], 1: [4] });
    expect(rolledBack(record, now)).toEqual({ links: '0:1,3', kept: ['&3 "Epic 2" is missing, or the token cannot read it'] });
  });

  it('is a former parent that is missing now', () => {
    const from = run(forestOf([1, 2, 3], { [top]: [1], 3: [2] }), forestOf([1, 2, 3], { [top]: [1, 2] }));
    const now = forestOf([1, 2], { [top]: [1, 2] });
    expect(rolledBack(from, now)).toEqual({
      links: textOfForest(now), kept: ['&3 "Epic 2" stays: its former parent &4 "Epic 3" is missing, or the token cannot read it'] });
  });
});
