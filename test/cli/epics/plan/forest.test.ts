import { describe, expect, it } from 'vitest';
import { applyStep, copyOf, heightOf, lineToTop, type Forest, type LinkStep } from '../../../../src/cli/epics/plan.js';
import { forestOf, textOfForest, top } from '../../../support/forests.js';

const forest = () => forestOf([1, 2, 3, 4], { [top]: [1, 2, 3], 2: [4] });
const after = (...steps: LinkStep[]): Forest => {
  const changed = forest();
  for (const step of steps) applyStep(changed, step);
  return changed;
};

describe('a step changes the links as the service does', () => {
  it.each<[LinkStep, string]>([
    [{ action: 'assign', epic: 4, parent: top }, '0:4,1,2,3'],
    [{ action: 'move', epic: 4, parent: 1, from: 2 }, '0:1,2,3 1:4'],
    [{ action: 'unassign', epic: 2, from: top }, '0:1,3 2:4'],
    [{ action: 'create', epic: -1, title: 'New', parent: 2 }, '0:1,2,3 2:-1,4'],
    [{ action: 'reorder', epic: 1, parent: top, after: 3 }, '0:2,3,1 2:4'],
    [{ action: 'reorder', epic: 3, parent: top, before: 1 }, '0:3,1,2 2:4'],
    [{ action: 'reorder', epic: 1, parent: top, before: 3 }, '0:2,1,3 2:4'],
  ])('%j', (step, links) => {
    expect(textOfForest(after(step))).toBe(links);
  });

  it('and knows the parents afterwards', () => {
    const { parents, children } = after({ action: 'unassign', epic: 2, from: top }, { action: 'create', epic: -1, title: 'New', parent: 1 });
    expect([parents.get(2), parents.get(-1), children.get(-1)]).toEqual([null, 1, []]);
  });

  it('and leaves children unknown that were not read', () => {
    const partial: Forest = { parents: new Map([[1, top]]), children: new Map([[top, [1]]]) };
    applyStep(partial, { action: 'assign', epic: 1, parent: 9 });
    expect([partial.parents.get(1), partial.children.get(top), partial.children.has(9)]).toEqual([9, [], false]);
  });
});

it('a copy does not change with the original', () => {
  const original = forest();
  const copy = copyOf(original);
  applyStep(original, { action: 'unassign', epic: 1, from: top });
  expect(textOfForest(copy)).toBe(textOfForest(forest()));
  expect(copy.parents.get(1)).toBe(top);
});

describe('the line of an epic', () => {
  it('has the epic and its ancestors, as far as they are known', () => {
    expect(lineToTop(forest(), 4)).toEqual([4, 2, top]);
    expect(lineToTop(forest(), top)).toEqual([top]);
    expect(lineToTop(forest(), 99)).toEqual([99]);
  });

  it('ends in a cycle', () => {
    expect(lineToTop({ parents: new Map([[1, 2], [2, 1]]), children: new Map() }, 1)).toEqual([1, 2]);
  });
});

describe('the height of an epic', () => {
  it('counts its level and those below it', () => {
    expect([heightOf(forest(), top), heightOf(forest(), 2), heightOf(forest(), 1), heightOf(forest(), 99)]).toEqual([3, 2, 1, 1]);
  });

  it('ends in a cycle', () => {
    expect(heightOf({ parents: new Map(), children: new Map([[1, [2]], [2, [1]]]) }, 1)).toBe(2);
  });
});
