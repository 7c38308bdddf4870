import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyStep, copyOf, depthLimits, depthOf, type Forest, lineToTop, type LinkStep, type LinkTarget, planSteps,
  targetForest,
} from '../../../src/cli/epics/plan.js';
import { runsOf } from '../../support/extent.js';
import { forestOf, forests, targetBetween, textOfForest, top } from '../../support/forests.js';

const epics = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** The links after each step. Fails for a step that a service would reject. */
const played = (live: Forest, steps: readonly LinkStep[]): Forest[] => {
  const forest = copyOf(live);
  return steps.map((step) => {
    const { epic } = step;
    const parent = forest.parents.get(epic);
    if (step.action === 'create') expect(forest.parents.has(epic)).toBe(false);
    if (step.action === 'assign') expect(parent ?? null).toBeNull();
    if ('from' in step) expect(parent).toBe(step.from);
    if ('parent' in step && step.action !== 'reorder') expect(lineToTop(forest, step.parent)).not.toContain(epic);
    if ('parent' in step) expect(forest.parents.has(step.parent)).toBe(true);
    if (step.action === 'reorder') {
      const list = forest.children.get(step.parent)!;
      expect(list).toContain(epic);
      expect(list).toContain('after' in step ? step.after : step.before);
    }
    applyStep(forest, step);
    return copyOf(forest);
  });
};

const reorders = (steps: readonly LinkStep[]) => steps.filter(({ action }) => action === 'reorder').length;

/**
 * The least number of reorder steps, found by trying all writes: an epic that stays is never removed, and an epic that
 * moves is attached once, after any removals.
 */
const fewestReorders = (live: Forest, target: LinkTarget): number => {
  const goal = textOfForest(targetForest(live, target));
  const wanted = targetForest(live, target).parents;
  const ids = [...wanted.keys()].filter((id) => id !== top);
  const movers = new Set(ids.filter((id) => (live.parents.get(id) ?? null) !== wanted.get(id)));
  const next = (forest: Forest, id: number): LinkStep[] => {
    const parent = forest.parents.get(id);
    const to = wanted.get(id)!;
    const writes: LinkStep[] = [];
    if (movers.has(id) && parent !== to) {
      if (typeof parent === 'number') writes.push({ action: 'unassign', epic: id, from: parent });
      if (to !== null && !lineToTop(forest, to).includes(id)) writes.push({ action: 'assign', epic: id, parent: to });
    }
    if (typeof parent === 'number') {
      const others = forest.children.get(parent)!.filter((other) => other !== id);
      writes.push(...others.map((after): LinkStep => ({ action: 'reorder', epic: id, parent, after })));
      if (others.length > 0) writes.push({ action: 'reorder', epic: id, parent, before: others[0]! });
    }
    return writes;
  };
  const keyOf = (forest: Forest) => `${textOfForest(forest)} / ${[...movers].map((id) => forest.parents.get(id))}`;
  let level = [copyOf(live)];
  const seen = new Set<string>();
  for (let count = 0; ; count++) {
    const later: Forest[] = [];
    for (let forest = level.pop(); forest; forest = level.pop()) {
      if (seen.has(keyOf(forest))) continue;
      seen.add(keyOf(forest));
      if (textOfForest(forest) === goal) return count;
      for (const step of ids.flatMap((id) => next(forest, id))) {
        const changed = copyOf(forest);
        applyStep(changed, step);
        (step.action === 'reorder' ? later : level).push(changed);
      }
    }
    level = later;
  }
};

describe('a plan', () => {
  it('reaches any target from any trees, and is empty then', () => {
    const ids = epics(12);
    fc.assert(fc.property(forests(ids), forests([...ids, -1, -2, -3]), (live, wanted) => {
      const target = targetBetween(live, wanted);
      const steps = planSteps(live, target);
      const end = played(live, steps).at(-1) ?? live;
      expect(textOfForest(end)).toBe(textOfForest(targetForest(live, target)));
      expect(planSteps(end, { ...target, created: new Map() })).toEqual([]);
    }), { numRuns: runsOf(500) });
  });

  it('needs as few reorder steps as the shortest way', () => {
    const ids = epics(4);
    fc.assert(fc.property(forests(ids), forests(ids), (live, wanted) => {
      const target = targetBetween(live, wanted);
      expect(reorders(planSteps(live, target))).toBe(fewestReorders(live, target));
    }), { numRuns: runsOf(300) });
  });

  it('moves a child above its parent without a cycle', () => {
    const live = forestOf([1, 2], { [top]: [1], 1: [2] });
    const steps = planSteps(live, { children: new Map([[2, [1]], [top, [2]]]), created: new Map(), removed: [] });
    expect(steps).toEqual([{ action: 'move', epic: 2, parent: top, from: 1 }, { action: 'move', epic: 1, parent: 2, from: top }]);
  });

  it('removes an epic from its parent temporarily only where no order of the moves avoids a cycle or a reorder step', () => {
    const pairs = fc.sample(fc.tuple(forests(epics(12)), forests(epics(12))), { seed: 7, numRuns: runsOf(300) });
    const detours = pairs.map(([live, wanted]) => {
      const target = targetBetween(live, wanted);
      const removed = planSteps(live, target).filter(({ action }) => action === 'unassign').length;
      return removed - target.removed.length;
    });
    expect(detours.filter((count) => count > 0).length).toBeGreaterThan(0);
    expect(detours.filter((count) => count === 0).length).toBeGreaterThan(detours.length / 2);
  });

  it('exceeds the depth of the trees before and after only up to the limit of the service', () => {
    const ids = epics(10);
    fc.assert(fc.property(forests(ids, depthLimits.current), forests([...ids, -1], depthLimits.current), (live, wanted) => {
      const target = targetBetween(live, wanted);
      const deepest = Math.max(depthOf(live), depthOf(targetForest(live, target)));
      const limit = deepest <= depthLimits.older ? depthLimits.older : depthLimits.current;
      for (const forest of played(live, planSteps(live, target))) expect(depthOf(forest)).toBeLessThanOrEqual(limit);
    }), { numRuns: runsOf(500) });
  });

  it('plans 5,000 new epics quickly enough to use it', () => {
    const created = new Map(Array.from({ length: 5000 }, (_, i) => [-i - 1, `New ${i}`]));
    const target = { children: new Map([[top, [...created.keys()]]]), created, removed: [] };
    expect(planSteps(forestOf([], {}), target)).toHaveLength(5000);
  });
});
